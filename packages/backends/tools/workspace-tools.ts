import type { Tool } from '@hearth/engine/tool.ts';
import { gitLog } from './git-log.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { readFile } from './read-file.ts';

/** The tools by which any agent reads its workspace. A node gets those that its `tools` names. */
export const workspaceTools: readonly Tool[] = [readFile, glob, grep, gitLog];
