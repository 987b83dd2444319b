import { matchesGlob } from 'node:path/posix';
import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { confined } from './confinement.ts';
import { cutOff } from './cut-off.ts';
import { type Found, walk } from './walk.ts';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

const FILES = 200;
/** Names that are matched in one piece. */
const PIECE = 500;

/** `glob`: names of files. Content: `{files, more}`; at most 200, in the order of their names. */
export const glob: Tool = workspaceTool({
  name: 'glob',
  description: 'Names of the workspace\'s files that match a pattern such as "src/**/*.ts".',
  args: z.object({ pattern: z.string().min(1).max(300) }),
  title: args => `find ${shown(args['pattern'])}`,
  run: async ({ pattern }, context) => {
    if (pattern.startsWith('/') || pattern.split('/').includes('..')) {
      return refusal(`"${pattern}" leaves the workspace; give a pattern relative to it, without "..".`);
    }
    const root = await confined(context, '.');
    if ('refused' in root) return refusal('The workspace cannot be read.');
    const wanted = pattern.replace(/^\.\//, '');
    const limited = cutOff();
    const files: string[] = [];
    for await (const names of pieces(
      walk({ path: root.path, name: '' }, { ...context, workspace: root.path }, context.signal),
    )) {
      const hits = limited(() => names.filter(name => matchesGlob(name, wanted)));
      if (hits === null) return refusal(`"${pattern}" takes too long; use a simpler pattern.`);
      files.push(...hits);
      if (files.length > FILES) return { content: { files: files.slice(0, FILES), more: true } };
    }
    return { content: { files, more: false } };
  },
});

async function* pieces(found: AsyncIterable<Found>): AsyncGenerator<readonly string[]> {
  let names: string[] = [];
  for await (const { name } of found) {
    if (names.push(name) < PIECE) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}
