import type { BackendEvent, BackendTurn, Host } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { expect, test } from 'vitest';
import { EventQueue } from '../agent-programs/event-queue.ts';
import { Watchdog } from '../agent-programs/watchdog.ts';
import { OwnTools } from '../own-tools/own-tools.ts';
import { Conduct } from './conduct.ts';
import { Permissions } from './permissions.ts';

const options = [
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

function made(verdict: 'allow' | 'deny' | 'park') {
  const host: Host = {
    call: () => Promise.resolve({ content: null }),
    permit: () => Promise.resolve(verdict),
  };
  const tools = new OwnTools({ tools: [], mayAsk: false }, host);
  const permissions = new Permissions(host, tools, null);
  const events = new EventQueue();
  const dog = new Watchdog(new SimClock(), { quietMs: 1000 });
  const turn = { output: null } as BackendTurn;
  const conduct = new Conduct({ turn, tools, permissions, dog, events, who: 'The agent' });
  const toolCall = { toolCallId: 'c1', title: '`rm x`', kind: 'execute', rawInput: { command: 'rm x' } };
  const heard = (update: object) => conduct.heard({ update: { ...toolCall, ...update } as never });
  const told = async (): Promise<readonly BackendEvent[]> => {
    void events.push({ type: 'stopped' });
    const all: BackendEvent[] = [];
    for await (const event of events) all.push(event);
    return all;
  };
  return { conduct, heard, told, ask: () => permissions.answer({ options, toolCall }) };
}

test('an agent that stops because it was denied a call is told to go on, and the call was denied', async () => {
  const { conduct, heard, told, ask } = made('deny');
  heard({ sessionUpdate: 'tool_call', status: 'pending' });
  await ask();
  heard({ sessionUpdate: 'tool_call_update', status: 'failed' });
  expect(conduct.denied).toBe(true);
  expect(conduct.ended('cancelled')).toEqual({ repair: expect.stringContaining('was done: bash. Go on') });
  // It stops once more, with nothing denied since: that is its ending.
  expect(conduct.ended('cancelled')).toMatchObject({ type: 'done' });
  expect(await told()).toMatchObject([
    { type: 'tool', name: 'bash', change: 'started', title: '`rm x`' },
    { type: 'tool', name: 'bash', change: 'denied' },
  ]);
});

test('one that goes on by itself is told nothing, and one that never takes no for an answer ends', async () => {
  const { conduct, ask } = made('deny');
  await ask();
  expect(conduct.ended('end_turn')).toMatchObject({ type: 'done' });
  for (let denied = 1; denied <= 10; denied += 1) {
    await ask();
    expect(conduct.ended('cancelled')).toHaveProperty('repair');
  }
  await ask();
  expect(conduct.ended('cancelled')).toMatchObject({
    type: 'failed',
    message: expect.stringContaining('bash'),
  });
});

test('a call that waits parks the turn, however the agent stopped', async () => {
  const { conduct, ask } = made('park');
  await ask();
  expect(conduct.ended('cancelled')).toMatchObject({
    type: 'parked',
    permits: [{ name: 'bash', args: { command: 'rm x' } }],
  });
});
