import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartMessage } from '@hearth/cli/start-message.ts';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { clientOf } from '../support/service-process.ts';
import { tempDirectory } from '../support/temp.ts';
import type { Row } from './row.ts';
import { many, quantile, row } from './row.ts';

/** The program that a command starts when no service runs. */
const ENTRY = join(dirname(LAUNCHER), '../packages/cli/serve-entry.js');
/** Starts after which the home holds what was compiled. */
const UNTIL_WARM = 2;
const NODE_START = ['-e', '0'];

/** Starts the service as a command does, and asks it something. */
async function served({ home, env, cwd }: Hearth): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ENTRY, home], {
    cwd,
    env: { ...env, HEARTH_BACKEND: 'rehearsal' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [said] = await once(child, 'message');
  const message = StartMessage.parse(said);
  if (message.is === 'failed') throw new Error(message.message);
  await clientOf(message.address, readFileSync(join(home, 'token'), 'utf8').trim()).status();
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** From a SIGKILL until the next service answers. */
export async function restarting(): Promise<readonly Row[]> {
  const hearth = new Hearth(tempDirectory('bench'), tempDirectory('bench-folder'));
  let service = await served(hearth);
  const again = async (): Promise<void> => {
    await killed(service);
    service = await served(hearth);
  };
  await many(UNTIL_WARM, again);
  const times = await many(7, again);
  await killed(service);
  const node = await many(7, () => void execFileSync(process.execPath, NODE_START, { stdio: 'ignore' }));
  return [row('SIGKILL → serving, p50', quantile(times, 0.5), quantile(node, 0.5) + 300, 'ms', '≤ 1 ×')];
}
