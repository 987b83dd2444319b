import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '@hearth/backends/testing/conformance/subject.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { type AgentKind, holds, KEY } from './agent-kinds.ts';
import { FakeProvider } from './fake-provider.ts';
import { processesIn } from './processes.ts';
import { scripted } from './provider-moves.ts';
import { faultsOf } from './request-check.ts';
import { tempDirectory } from './temp.ts';

/* A real agent program on a stage: its own processes, a home of its own, and a provider on loopback. */

export interface AgentStage extends Stage {
  readonly provider: FakeProvider;
  readonly root: string;
  readonly workspace: string;
  /** Hearth's own home, which holds the directory of the turns. */
  readonly hearth: string;
  /** The environment that the backend is given. */
  readonly env: Record<string, string>;
}

export async function agentStage(kind: AgentKind): Promise<AgentStage> {
  const provider = await FakeProvider.start();
  const clock = new SimClock();
  const root = tempDirectory(kind.name);
  const hearth = join(root, 'hearth');
  const [directory, workspace, home] = [
    join(hearth, 'conversations/c_1/epochs/1/backend/nexie'),
    join(root, 'work'),
    join(root, 'home'),
  ];
  for (const path of [directory, workspace, home]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const env = kind.environment({ provider, home });
  const made = () => kind.backend({ clock, env, home: hearth, patience: { leave: 5000, term: 1000 } });
  let backend = made();
  let turns = 0;
  return {
    provider,
    root,
    hearth,
    env,
    get backend() {
      return backend;
    },
    directory,
    workspace,
    clock,
    arrange(scene, plays) {
      // Whoever keeps no boundary may run what was not granted.
      if (scene === 'calls what it was not granted' && !backend.capabilities.toolBoundary) return null;
      scripted(provider, plays, kind.dialect);
      turns += 1;
      return `The words of turn ${turns}.`;
    },
    tool: ({ name }) => ({ content: { did: name, found: 'the only ticket' } }),
    heard: () => provider.requests.map(request => request.text),
    problems: () => [
      ...provider.requests.flatMap(faultsOf),
      ...(holds(directory, KEY) ? ['the key is in the directory of the conversation'] : []),
      ...(kind.leaves?.(directory) ?? []),
    ],
    restart: () => {
      backend = made();
      return Promise.resolve();
    },
    loseSessions: () => {
      rmSync(join(directory, kind.sessions), { recursive: true, force: true });
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
