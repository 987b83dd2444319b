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
