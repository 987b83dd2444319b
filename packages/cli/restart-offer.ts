import { createInterface } from 'node:readline/promises';
import type { HearthClient } from '@hearth/client/http.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { CommandError, type Io } from './command.ts';
import { restarted } from './restart.ts';
import { connect } from './supervisor.ts';

/**
 * Asks the person at a terminal whether a service of another version shall be restarted, and does so on a yes. Rejects with
 * `error` otherwise, and when it is another one.
 */
export async function offerRestart(error: unknown, io: Io): Promise<HearthClient> {
  if (!(error instanceof CommandError) || error.code !== 'version_mismatch') throw error;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  io.stderr.write(`hearth: ${sanitiseLine(error.message)}\n`);
  try {
    const said = await lines.question('Restart it now? Turns under way get a few seconds to settle. [y/N] ');
    if (!/^y(es)?$/i.test(said.trim())) throw error;
  } finally {
    lines.close();
  }
  await restarted(io, false);
  return connect(io, 'console');
}
