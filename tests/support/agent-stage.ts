import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from '@hearth/backends/testing/conformance/subject.ts';
import type { Backend } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { processesIn } from './claude-stage.ts';
import { FakeProvider } from './fake-provider.ts';
import { type Dialect, scripted } from './provider-moves.ts';
import { tempDirectory } from './temp.ts';

/* A real agent program on a stage: its own processes, a home of its own, and a provider on loopback. */

/** Where a stage has its parts. */
export interface StagePlace {
  readonly provider: FakeProvider;
  readonly clock: SimClock;
  /** The person's home. */
  readonly home: string;
  /** The turn's directory. */
  readonly directory: string;
  readonly workspace: string;
}

/** What is particular to a program. */
export interface AgentKind {
  readonly name: string;
  readonly dialect: Dialect;
  /** Where it keeps its sessions, below the turn's directory. */
  readonly sessions: string;
  /** Prepares the person's home, and says how backends are made there. */
  readonly prepare: (place: StagePlace) => () => Backend;
  /** What is wrong with what it left; the whole path of the turn's directory is given. */
  readonly problems?: (directory: string) => readonly string[];
}

export async function agentStage({ name, dialect, sessions, prepare, problems }: AgentKind): Promise<Stage> {
  const provider = await FakeProvider.start();
  const clock = new SimClock();
  const root = tempDirectory(name);
  const [home, workspace, directory] = ['home', 'work', 'backend'].map(part => join(root, part)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, workspace, directory]) await mkdir(path, { recursive: true, mode: 0o700 });
  const made = prepare({ provider, clock, home, directory, workspace });
  let backend = made();
  let turns = 0;
  return {
    get backend() {
      return backend;
    },
    directory,
    workspace,
    clock,
    arrange(scene, plays) {
      // Whoever keeps no boundary may run what was not granted.
      if (scene === 'calls what it was not granted' && !backend.capabilities.toolBoundary) return null;
      scripted(provider, plays, dialect);
      turns += 1;
      return `The words of turn ${turns}.`;
    },
    tool: call => ({ content: { did: call.name, found: 'the only ticket' } }),
    heard: () => provider.requests.map(request => request.text),
    problems: () => problems?.(directory) ?? [],
    restart: () => {
      backend = made();
      return Promise.resolve();
    },
    loseSessions: () => {
      rmSync(join(directory, sessions), { recursive: true, force: true });
      return Promise.resolve();
    },
    kill: () => {
      for (const pid of processesIn(root)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It is gone already.
        }
      }
    },
    processes: () => processesIn(root).length,
    close: async () => {
      await provider.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
