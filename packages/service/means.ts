import { join } from 'node:path';
import { expandKnown } from '@hearth/backends/environment.ts';
import { HomeMemory } from '@hearth/backends/memory/home-memory.ts';
import { toolServers } from '@hearth/backends/tool-servers/servers.ts';
import { openEnvironment } from '@hearth/backends/tools/process.ts';
import { programs } from '@hearth/backends/tools/programs.ts';
import { workspaceToolsBeside } from '@hearth/backends/tools/workspace-tools.ts';
import { GitWorktrees } from '@hearth/backends/worktrees/worktrees.ts';
import type { Boards } from '@hearth/board/boards.ts';
import { boardTools } from '@hearth/board/tools.ts';
import type { Means } from '@hearth/conversations/lanes.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Environment } from './choice.ts';
import type { HomeSecrets } from './home-secrets.ts';
import {
  redactedDisk,
  redactedMemories,
  redactedPrograms,
  redactedServers,
  redactedTool,
} from './redaction.ts';
import type { Redactor } from './secrets.ts';

/** Whose conversations work with it. */
export interface MeansOptions {
  readonly home: string;
  readonly disk: Disk;
  readonly env: Environment;
  readonly boards: Boards;
  readonly secrets: HomeSecrets;
  readonly redactor: Redactor;
}

/** What conversations of a service work with: tools and programs, none of which tells a secret. */
export function meansOf({ home, disk, env, boards, secrets, redactor }: MeansOptions): Means {
  const memory = new HomeMemory(redactedDisk(disk, redactor), join(home, 'memory'));
  return {
    tools: [...boardTools(boards), ...workspaceToolsBeside(home)].map(tool => redactedTool(tool, redactor)),
    surroundings: {
      expand: text => expandKnown(text, openEnvironment()),
      programs: redactedPrograms(programs, redactor),
      servers: redactedServers(toolServers(env), redactor),
      secrets,
      worktrees: new GitWorktrees(disk, home),
      memories: redactedMemories(memory, redactor),
    },
  };
}
