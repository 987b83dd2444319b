import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { type Confined, confined } from './confinement.ts';
import { readText } from './text-file.ts';
import { PathText, refusal, shown, workspaceTool } from './workspace-tool.ts';

const LINES = 400;
const CHARACTERS = 64 * 1024;

/** `read_file`: some lines of a text file. Content: `{path, from, to, lines, text, more}`; `lines` is the file's count. */
export const readFile: Tool = workspaceTool({
  name: 'read_file',
  description: `Reads lines of a text file of the workspace, or of a file that is attached. "offset" is the first line, from 1; "limit" at most ${LINES} lines.`,
  args: z.object({
    path: PathText,
    offset: z.int().min(1).default(1),
    limit: z.int().min(1).max(LINES).default(LINES),
  }),
  title: args => `read ${shown(args['path'])}`,
  run: async ({ path, offset, limit }, context) => {
    const place = context.attached?.(path) === true ? await attachedAt(path) : await confined(context, path);
    if ('refused' in place) return refusal(place.refused);
    const file = await readText(place.path, place.name);
    if ('refused' in file) return refusal(file.refused);
    const lines = file.text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    if (offset > Math.max(lines.length, 1)) return refusal(`"${place.name}" has only ${lines.length} lines.`);
    const wanted = lines.slice(offset - 1, offset - 1 + limit);
    let text = '';
    let taken = 0;
    for (const line of wanted) {
      if (taken > 0 && text.length + line.length >= CHARACTERS) break;
      text += taken === 0 ? line.slice(0, CHARACTERS) : `\n${line}`;
      taken += 1;
    }
    const to = offset - 1 + taken;
    return {
      content: { path: place.name, from: offset, to, lines: lines.length, text, more: to < lines.length },
    };
  },
});

/** The copy of a file that was handed over, by a path without a link in it. */
async function attachedAt(path: string): Promise<Confined> {
  const name = basename(path);
  const directory = await realpath(dirname(path)).catch(() => dirname(path));
  return { path: join(directory, name), name };
}
