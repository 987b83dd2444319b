/*
 * A real service in a process of its own that kills itself where `FAULT` says, on a disk with as much room as `ROOM` says;
 * or a service for each of several homes, which stand still where `FAULTS` says until they are killed together. The
 * product has no branch for this.
 */
import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import { startService } from '@hearth/service/main.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { type Fault, trapped } from './fault.ts';
import { noting } from './journal-syncs.ts';
import { bounded } from './room.ts';

const homes: readonly string[] = JSON.parse(process.env['HEARTH_TEST_HOMES'] ?? '[]');
const fault: Fault | null = process.env['FAULT'] ? JSON.parse(process.env['FAULT']) : null;
const faults: readonly Fault[] = process.env['FAULTS'] ? JSON.parse(process.env['FAULTS']) : [];
const bots = process.env['HEARTH_TEST_BOTS'] ?? '';
const room = process.env['ROOM'] ?? '';
const synced: number[] = [];
const own = noting(room === '' ? nodeDisk : bounded(nodeDisk, room), synced);

/** SIGKILL leaves no chance to flush, to close or to say anything. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const services = await Promise.all(
  homes.map((home, index) => {
    const rehearsal = new Rehearsal({ disk: nodeDisk, ids: systemIds });
    const still = (): void => void process.stdout.write(`still ${index};\n`);
    const { disk, backend } =
      fault === null
        ? trapped(faults[index] ?? null, own, rehearsal, still)
        : trapped(fault, own, rehearsal, die);
    return startService({ home, disk, backends: [backend], bots, env: {} });
  }),
);
// Somebody outside wants to know what the process holds.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`facts ${JSON.stringify({ timers, rss, heapUsed, synced })}\n`);
});
process.once('SIGTERM', () => services.map(service => void service.stop()));
process.stdout.write(`serves ${services.map(service => service.address).join(' ')}\n`);
