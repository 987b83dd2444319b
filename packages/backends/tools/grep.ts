import { realpath, stat } from 'node:fs/promises';
import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { confined } from './confinement.ts';
import { cutOff } from './cut-off.ts';
import { lineMatcher } from './line-matcher.ts';
import { readText } from './text-file.ts';
import { walk } from './walk.ts';
import { PathText, refusal, shown, workspaceTool } from './workspace-tool.ts';

const MATCHES = 100;
const SHOWN = 300;
const CHARACTERS = 64 * 1024 * 1024;

/** `grep`: lines that match. Content: `{matches: [{path, line, text}], more}`; at most 100, in the order of the files. */
export const grep: Tool = workspaceTool({
  name: 'grep',
  description:
    'Lines of the workspace\'s text files that match a JavaScript regular expression; "path" narrows it to a file or directory.',
  args: z.object({ pattern: z.string().min(1).max(300), path: PathText.default('.') }),
  title: args => `search ${shown(args['pattern'])}`,
  run: async ({ pattern, path }, context) => {
    const place = await confined(context, path);
    if ('refused' in place) return refusal(place.refused);
    const match = lineMatcher(pattern);
    if ('refused' in match) return refusal(match.refused);
    const directory = await stat(place.path).then(
      found => found.isDirectory(),
      () => false,
    );
    const root = await realpath(context.workspace).catch(() => context.workspace);
    const files = directory ? walk(place, { ...context, workspace: root }, context.signal) : [place];
    const matches: { path: string; line: number; text: string }[] = [];
    const limited = cutOff();
    let searched = 0;
    for await (const found of files) {
      const file = await readText(found.path, found.name, CHARACTERS);
      if ('refused' in file) {
        if (directory) continue;
        return refusal(file.refused);
      }
      searched += file.text.length;
      const lines = file.text.split('\n');
      const hits = limited(() => match(lines));
      if (hits === null) {
        return refusal(
          `"${pattern}" takes too long on "${found.name}"; use a simpler pattern or a narrower path.`,
        );
      }
      for (const at of hits) {
        if (matches.length === MATCHES) return { content: { matches, more: true } };
        matches.push({ path: found.name, line: at + 1, text: (lines[at] ?? '').slice(0, SHOWN) });
      }
      if (searched > CHARACTERS) return { content: { matches, more: true } };
    }
    return { content: { matches, more: false } };
  },
});
