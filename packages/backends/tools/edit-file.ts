import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { confined } from './confinement.ts';
import { FILE_LIMIT, readText, writeText } from './text-file.ts';
import { PathText, refusal, shown, workspaceTool } from './workspace-tool.ts';

/** `edit_file`: one passage replaced, or each. Content: `{path, replaced}`. A crash leaves the old file or the new one. */
export const editFile: Tool = workspaceTool({
  name: 'edit_file',
  description:
    'Replaces a passage of a text file of the workspace. "old_text" must stand in the file exactly once, unless "every" is true.',
  args: z.object({
    path: PathText,
    old_text: z.string().min(1),
    new_text: z.string(),
    every: z.boolean().default(false),
  }),
  mutates: true,
  title: args => `edit ${shown(args['path'])}`,
  run: async ({ path, old_text: before, new_text: after, every }, context) => {
    const place = await confined(context, path);
    if ('refused' in place) return refusal(place.refused);
    const file = await readText(place.path, place.name);
    if ('refused' in file) return refusal(file.refused);
    const parts = file.text.split(before);
    const found = parts.length - 1;
    if (found === 0) {
      return refusal(
        `"old_text" does not stand in "${place.name}"; read the file and copy the passage exactly.`,
      );
    }
    if (found > 1 && !every) {
      return refusal(
        `"old_text" stands ${found} times in "${place.name}"; give more of the passage, or set "every".`,
      );
    }
    // Told before it is put together: many passages by a long text may be more than the memory holds.
    if (file.text.length + found * (after.length - before.length) > FILE_LIMIT) {
      return refusal(`"${place.name}" would be larger than ${FILE_LIMIT / 1024 / 1024} MiB.`);
    }
    const written = await writeText(place.path, place.name, parts.join(after));
    if ('refused' in written) return refusal(written.refused);
    return { content: { path: place.name, replaced: found } };
  },
});
