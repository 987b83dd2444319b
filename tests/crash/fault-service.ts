/*
 * A real service in a process of its own that kills itself where `FAULT` says, on a disk with as much room as `ROOM` says;
 * or a service for each of several homes. The product has no branch for this.
 */
import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import { startService } from '@hearth/service/main.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { type Fault, trapped } from './fault.ts';
import { bounded } from './room.ts';

const homes: readonly string[] = JSON.parse(process.env['HEARTH_TEST_HOMES'] ?? '[]');
const fault: Fault | null = process.env['FAULT'] ? JSON.parse(process.env['FAULT']) : null;
const bots = process.env['HEARTH_TEST_BOTS'] ?? '';
const room = process.env['ROOM'] ?? '';
const own = room === '' ? nodeDisk : bounded(nodeDisk, room);
const { disk, backend } = trapped(fault, own, new Rehearsal({ disk: nodeDisk, ids: systemIds }));

const services = await Promise.all(
  homes.map(home => startService({ home, disk, backends: [backend], bots, env: {} })),
);
// Somebody outside wants to know what the process holds.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ timers, rss, heapUsed })}\n`);
});
process.once('SIGTERM', () => services.map(service => void service.stop()));
process.stdout.write(`${services.map(service => service.address).join(' ')}\n`);
