import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ProgramHome, temporaryDirectory } from '../codex/home.ts';
import { OWN_DIRECTORY as CODEX } from '../codex/launch.ts';
import type { Environment } from '../agent-programs/ports.ts';

/*
 * Where agents keep their sessions. Those of which it is known are led to keep them in the turn's directory, so that they
 * leave with the conversation, while the login stays where it is. Of any other it is told that they stay behind.
 */

/** What is arranged around one run of an agent. */
export interface AgentPlace {
  /** Whether its sessions are in the turn's directory. */
  readonly moved: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it takes the system prompt by itself; otherwise it stands in front of the first words. */
  readonly takesSystem: boolean;
  /** How long it may take to leave by itself when it has ended its turn, in milliseconds. */
  readonly leave: number;
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Known {
  readonly command: RegExp;
  readonly place: (env: Environment, directory: string) => AgentPlace;
}

/**
 * An agent that has ended its turn has nothing left to do, and many stay all the same when their input has ended. What is
 * asked to end may still write what it holds.
 */
const LEAVE_MS = 1000;

const nothing = (): Promise<void> => Promise.resolve();

const KNOWN: readonly Known[] = [
  {
    command: /(?:^|\/)claude-(?:code|agent)-acp(?:\/|$)/,
    place: (env, directory) => ({
      moved: true,
      takesSystem: true,
      // It stays for as long as its Claude Code does, which has written its session when it answers.
      leave: 0,
      env: {
        CLAUDE_CONFIG_DIR: join(directory, 'claude'),
        CLAUDE_SECURESTORAGE_CONFIG_DIR:
          env['CLAUDE_SECURESTORAGE_CONFIG_DIR'] ??
          env['CLAUDE_CONFIG_DIR'] ??
          join(env['HOME'] ?? homedir(), '.claude'),
        CLAUDE_CODE_MAX_RETRIES: '0',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        CLAUDE_CODE_TMPDIR: join(directory, 'claude', 'temporary'),
        XDG_CACHE_HOME: join(directory, 'claude', 'temporary'),
        // Nobody may switch off that it asks for leave.
        IS_SANDBOX: '',
      },
      open: nothing,
      close: () =>
        rm(join(directory, 'claude', 'temporary'), { recursive: true, force: true }).catch(nothing),
    }),
  },
  {
    command: /(?:^|\/)codex-acp(?:\/|$)/,
    place: (env, directory) => {
      const home = new ProgramHome(join(directory, CODEX), env, ['auth.json', 'config.toml']);
      return {
        moved: true,
        takesSystem: false,
        leave: LEAVE_MS,
        env: { CODEX_HOME: home.path, TMPDIR: temporaryDirectory(home.path) },
        open: () => home.open(),
        close: () => home.close(),
      };
    },
  },
];

/** The place for an agent that a command starts. */
export function placeOf(argv: readonly string[], env: Environment, directory: string): AgentPlace {
  const known = KNOWN.find(({ command }) => argv.some(word => command.test(word)));
  if (known !== undefined) return known.place(env, directory);
  return { moved: false, takesSystem: false, leave: LEAVE_MS, env: {}, open: nothing, close: nothing };
}

/** Variables that are the service's own business. */
const OWN = /^HEARTH_/;

/** The whole environment of the person's: their agent finds their keys there, as it does in their own terminal. */
export function agentEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OWN.test(entry[0]),
    ),
  );
}
