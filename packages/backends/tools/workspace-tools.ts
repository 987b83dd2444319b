import type { Tool } from '@hearth/engine/tool.ts';
import { bash } from './bash.ts';
import { editFile } from './edit-file.ts';
import { gitLog } from './git-log.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { readFile } from './read-file.ts';
import { webFetch } from './web-fetch.ts';
import { writeFile } from './write-file.ts';

/** The tools by which any agent works in its workspace. A node gets those that its `tools` names, and no other. */
export const workspaceTools: readonly Tool[] = [
  readFile,
  glob,
  grep,
  gitLog,
  writeFile,
  editFile,
  bash,
  webFetch,
];

/** The same in a service, whose home a workspace may hold: none of them enters it. `home` is absolute and resolved. */
export function workspaceToolsBeside(home: string): readonly Tool[] {
  return workspaceTools.map(tool => {
    const { name, description, mutates, idempotent } = tool;
    return {
      name,
      description,
      mutates,
      idempotent,
      get input() {
        return tool.input;
      },
      title: args => tool.title(args),
      run: (args, context) => tool.run(args, { ...context, closed: [home] }),
    };
  });
}
