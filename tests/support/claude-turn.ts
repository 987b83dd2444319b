/*
 * A service of one turn in a process of its own, for tests that kill it or run it as somebody: it writes each event as a
 * line. Root's powers go away first when it is told so; everything is loaded before they do.
 */
import { ClaudeCode } from '@hearth/backends/claude-code/backend.ts';
import type { BackendTurn, Host } from '@hearth/engine/backend.ts';
import { systemClock } from '@hearth/store/clock.ts';

const given: {
  readonly turn: BackendTurn;
  readonly env: Record<string, string>;
  readonly user: number | null;
} = JSON.parse(process.env['HEARTH_TEST_TURN'] ?? '');
const host: Host = {
  call: () => Promise.resolve({ content: { found: 'the only ticket' } }),
  permit: () => Promise.resolve('allow'),
};
if (given.user !== null) {
  process.setgroups?.([]);
  process.setgid?.(given.user);
  process.setuid?.(given.user);
}
const backend = new ClaudeCode({ clock: systemClock, env: given.env });
for await (const event of backend.start(given.turn, host, new AbortController().signal)) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
