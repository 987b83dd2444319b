import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { refusal, shown, workspaceTool } from '../tools/workspace-tool.ts';
import { DOCUMENT_BYTES, type Documents } from './documents.ts';

/** The tools by which an agent uses its memory: `memory_list` and `memory_read` to read, `memory_write` to write. */
export function memoryTools(documents: Documents, may: { read: boolean; write: boolean }): readonly Tool[] {
  return [...(may.read ? [list(documents), read(documents)] : []), ...(may.write ? [write(documents)] : [])];
}

/** Content: `{documents: [{name, bytes}]}`. */
function list(documents: Documents): Tool {
  return workspaceTool({
    name: 'memory_list',
    description: 'The documents that you keep from one conversation to the next.',
    args: z.object({}),
    title: () => 'look through its memory',
    run: async () => ({ content: { documents: (await documents.list()).map(one => ({ ...one })) } }),
  });
}

/** Content: `{name, text}`. */
function read(documents: Documents): Tool {
  return workspaceTool({
    name: 'memory_read',
    description: 'What one document of your memory says.',
    args: z.object({ name: z.string().min(1).max(300) }),
    title: args => `recall ${shown(args['name'])}`,
    run: async ({ name }) => {
      const text = await documents.read(name);
      return text === null
        ? refusal(`There is no document "${name}"; memory_list tells which there are.`)
        : { content: { name, text } };
    },
  });
}

/** Content: `{name, bytes}`. */
function write(documents: Documents): Tool {
  return workspaceTool({
    name: 'memory_write',
    description: `Makes or replaces a whole document of your memory, at most ${DOCUMENT_BYTES / 1024} KiB. Keep no secrets in it.`,
    args: z.object({ name: z.string().min(1).max(300), text: z.string() }),
    mutates: true,
    title: args => `remember ${shown(args['name'])}`,
    run: async ({ name, text }) => {
      const refused = await documents.write(name, text);
      if (refused !== null) return refusal(refused);
      return { content: { name, bytes: new TextEncoder().encode(text).length } };
    },
  });
}
