import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ClaudeCode } from '@hearth/backends/claude-code/backend.ts';
import type { Stage } from '@hearth/backends/testing/conformance/subject.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { FakeProvider } from './fake-provider.ts';
import { type Dialect, scripted } from './provider-moves.ts';
import { faultsOf } from './request-check.ts';
import { tempDirectory } from './temp.ts';

/* The real Claude Code on a stage: its own process, a home of its own, and a provider on loopback. */

/** The program that is tested. */
export const CLAUDE = process.env['HEARTH_TEST_CLAUDE_CODE'] ?? '';
/** A key, to be looked for where it must not be. */
export const KEY = 'sk-ant-fake-0123456789abcdef';

export const DIALECT: Dialect = { tool: name => `mcp__hearth__${name}`, answer: 'StructuredOutput' };

export interface ClaudeStage extends Stage {
  readonly provider: FakeProvider;
  readonly root: string;
  /** The environment that the backend is given. */
  readonly env: Record<string, string>;
}

export async function claudeStage(more: Readonly<Record<string, string>> = {}): Promise<ClaudeStage> {
  const provider = await FakeProvider.start();
  const clock = new SimClock();
  const root = tempDirectory('claude');
  const [directory, workspace, home] = ['epochs/1/backend/nexie', 'work', 'home'].map(name =>
    join(root, name),
  ) as [string, string, string];
  for (const path of [directory, workspace, home]) await mkdir(path, { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HEARTH_CLAUDE: CLAUDE,
    ANTHROPIC_BASE_URL: provider.address,
    ANTHROPIC_API_KEY: KEY,
    ...more,
  };
  const made = (): ClaudeCode => new ClaudeCode({ clock, env, patience: { leave: 5000, term: 1000 } });
  let backend = made();
  let turns = 0;
  return {
    provider,
    root,
    env,
    get backend() {
      return backend;
    },
    directory,
    workspace,
    clock,
    arrange(_scene, plays) {
      scripted(provider, plays, DIALECT);
      turns += 1;
      return `The words of turn ${turns}.`;
    },
    tool: ({ name }) => ({ content: { did: name, found: 'the only ticket' } }),
    heard: () => provider.requests.map(request => request.text),
    problems: () => provider.requests.flatMap(faultsOf),
    restart: () => {
      backend = made();
      return Promise.resolve();
    },
    loseSessions: () => {
      rmSync(join(directory, 'claude-code', 'projects'), { recursive: true, force: true });
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

/** The processes that work for a stage: those whose environment names its directory. */
export function processesIn(root: string): readonly number[] {
  if (!existsSync('/proc')) {
    const listed = execFileSync('ps', ['-Ao', 'pid=,command='], { encoding: 'utf8' });
    return listed
      .split('\n')
      .filter(line => line.includes(root))
      .map(line => Number.parseInt(line, 10));
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const dead = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
        return !dead && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(root);
      } catch {
        return false;
      }
    });
}
