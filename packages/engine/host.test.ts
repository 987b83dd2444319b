import { expect, test } from 'vitest';
import type { Drive } from './drive.ts';
import { EffectHost } from './host.ts';
import { permitOf } from './permit.ts';
import { Bench } from './testing/bench.ts';
import { chatPlan } from './testing/sample-plan.ts';
import type { Tool, ToolCall } from './tool.ts';

const read: Tool = {
  name: 'read',
  description: '',
  input: {},
  mutates: false,
  idempotent: true,
  title: () => 'read',
  run: () => Promise.resolve({ content: 'read' }),
};
const call = (id: string, name: string): ToolCall => ({ id, name, args: { path: 'a' } });

/** The host of an agent that goes on after it was allowed one call of a tool, once. */
function allowed(name: string): EffectHost {
  const permission = { mode: 'ask', allow: [], ask: [], deny: [] } as const;
  const bench = new Bench(chatPlan({ agent: { permission } }));
  bench.send('hello');
  bench.end(bench.start(), { is: 'parked', asks: [], permits: [permitOf(call('c1', name))] });
  bench.decide(bench.open[0]!.id, { do: 'permit', grant: 'once' });
  const effect = bench.start();
  const drive = {
    plan: bench.plan,
    get state() {
      return bench.state;
    },
    // What is committed counts when it is written down, which takes a while.
    commit: async (entries: Parameters<Drive['commit']>[0]) => {
      await new Promise(resolve => setImmediate(resolve));
      for (const entry of entries) bench.enter(entry);
    },
  } as unknown as Drive;
  const context = {
    effect,
    node: 'bot',
    workspace: '/w',
    author: 'Bot',
    signal: new AbortController().signal,
  };
  const gate = { policy: permission, names: null };
  return new EffectHost(drive, [read], { ...context, attached: () => false }, gate);
}

test('leave that was given once is used up by the first of two calls made at the same time (B14)', async () => {
  const own = allowed('Bash');
  const verdicts = await Promise.all(['c1', 'c2'].map(id => own.permit(call(id, 'Bash'))));
  expect(verdicts).toEqual(['allow', 'park']);
  const hearths = allowed('read');
  const results = await Promise.all(['c1', 'c2'].map(id => hearths.call(call(id, 'read'))));
  expect(results).toEqual([{ content: 'read' }, { content: null, parks: true }]);
});

test("a program's own tool of the name of one of Hearth's is judged like any other of its own", async () => {
  expect(await allowed('Bash').permit(call('c9', 'read'))).toBe('park');
});
