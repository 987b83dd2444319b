import { startService } from '@hearth/service/main.ts';
import { failureOf } from './errors.ts';
import type { StartMessage } from './start-message.ts';

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

const home = process.argv[2] ?? '';
try {
  const service = await startService({ home, env: process.env });
  const stop = (): void => void service.stop();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await tell({ is: 'ready', address: service.address });
  await service.closed;
  process.exit(0);
} catch (error) {
  const { code, message, exit } = failureOf(error);
  if (code === 'unexpected') console.error(error);
  await tell({ is: 'failed', code, message });
  process.exit(exit);
}
