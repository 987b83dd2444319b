import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { newPlace } from './confinement.ts';
import { FILE_LIMIT, writeText } from './text-file.ts';
import { PathText, refusal, shown, workspaceTool } from './workspace-tool.ts';

/** `write_file`: a whole text file. Content: `{path, bytes, created}`. A crash leaves the old file or the new one. */
export const writeFile: Tool = workspaceTool({
  name: 'write_file',
  description:
    'Writes a text file of the workspace whole, with the directories it needs; what was there is replaced. Use edit_file to change a part.',
  args: z.object({ path: PathText, content: z.string().max(FILE_LIMIT) }),
  mutates: true,
  title: args => `write ${shown(args['path'])}`,
  run: async ({ path, content }, context) => {
    const place = await newPlace(context, path);
    if ('refused' in place) return refusal(place.refused);
    const written = await writeText(place.path, place.name, content);
    if ('refused' in written) return refusal(written.refused);
    return { content: { path: place.name, bytes: written.bytes, created: written.created } };
  },
});
