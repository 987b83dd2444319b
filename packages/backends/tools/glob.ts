import { matchesGlob } from 'node:path/posix';
import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { confined } from './confinement.ts';
import { walk } from './walk.ts';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

const FILES = 200;

/** `glob`: names of files. Content: `{files, more}`; at most 200, in the order of their names. */
export const glob: Tool = workspaceTool({
  name: 'glob',
  description: 'Names of the workspace\'s files that match a pattern such as "src/**/*.ts".',
  args: z.object({ pattern: z.string().min(1).max(300) }),
  title: args => `find ${shown(args['pattern'])}`,
  run: async ({ pattern }, { workspace, signal }) => {
    if (pattern.startsWith('/') || pattern.split('/').includes('..')) {
      return refusal(`"${pattern}" leaves the workspace; give a pattern relative to it, without "..".`);
    }
    const root = await confined(workspace, '.');
    if ('refused' in root) return refusal('The workspace cannot be read.');
    const wanted = pattern.replace(/^\.\//, '');
    const files: string[] = [];
    for await (const { name } of walk(root.path, '', signal)) {
      if (!matchesGlob(name, wanted)) continue;
      if (files.length === FILES) return { content: { files, more: true } };
      files.push(name);
    }
    return { content: { files, more: false } };
  },
});
