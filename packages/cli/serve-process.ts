import { EXIT } from '@hearth/protocol/exit-code.ts';
import { holdHome } from '@hearth/service/held-home.ts';
import { errorFacts } from '@hearth/service/log.ts';
import { keepCompiled } from './compiled-code.ts';
import { failureOf } from './errors.ts';
import { stopAtSignals } from './serve.ts';
import type { StartMessage } from './start-message.ts';

/** What the first message will need is loaded so long after the service has begun to serve, in milliseconds. */
const SOON_MS = 1000;

/*
 * The process of a service in the background. It tells its starter once whether it serves, and from then on depends on
 * nobody: it ends at `hearth stop` or a signal.
 */

function tell(message: StartMessage): Promise<void> {
  return new Promise(resolve => {
    if (process.send === undefined) return resolve();
    process.send(message, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}

async function prepare(at: string): Promise<void> {
  const { loadLate } = await import('@hearth/service/late.ts');
  await loadLate();
  keepCompiled(at);
}

// Node would print the error itself, and its message may quote what somebody said.
process.on('uncaughtException', error => {
  console.error(JSON.stringify({ event: 'crashed', ...errorFacts(error) }));
  process.exit(EXIT.environment);
});

const home = process.argv[2] ?? '';
try {
  const held = await holdHome(home);
  const { SETTLE_MS, startService } = await import('@hearth/service/main.ts');
  const service = await startService({ home, held, env: process.env, settleMs: SETTLE_MS });
  stopAtSignals(service);
  await tell({ is: 'ready', address: service.address });
  keepCompiled(held.home);
  // What cannot be loaded is told to whoever needs it.
  setTimeout(() => void prepare(held.home).catch(() => undefined), SOON_MS).unref();
  await service.closed;
  process.exit(0);
} catch (error) {
  const { code, message, exit } = failureOf(error);
  if (code === 'unexpected') console.error(JSON.stringify(errorFacts(error)));
  await tell({ is: 'failed', code, message });
  process.exit(exit);
}
