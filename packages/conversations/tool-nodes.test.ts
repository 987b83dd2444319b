import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Program, Ran, Surroundings } from '@hearth/engine/surroundings.ts';
import { planOf } from '@hearth/engine/testing/plan-of.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it, test } from 'vitest';
import { ada, botOf, message, SampleBots, started, type Sample } from './testing/sample-home.ts';
import { laneOf } from './testing/lanes.ts';

/*
 * Tool nodes, judges and what is tried again, through the real store. Every external effect is done once, or is handed to
 * a person.
 */

const source = (tool: string): string => `schema asked:
  message: string

schema found:
  count: int
  name: string

schema verdict:
  good: bool

prompt shown:
  {{input.count}} of {{input.name}}

prompt judging:
  Is {{input.count}} good?

vars:
  initial_message: string = ""

tool t:
${tool}
  output: found

judge j:
  model: "m"
  output: verdict
  user: judging

human chat:
  output: asked
  instructions: shown

workflow w:
  entry: t
  worktree: none
  t -> j with { count: "{{outputs.t.count}}" }
  j -> chat with { count: "{{outputs.t.count}}", name: "{{outputs.t.name}}" }
  chat -> t as again(100)
`;

const PLAIN = '  command: "look {{vars.initial_message}}"';
const ONCE_MORE = `${PLAIN}\n  idempotent: true`;

const ok = (count: number): Ran => ({
  exit: 0,
  output: `{"count": ${count}, "name": "pears"}`,
  cut: false,
  errors: '',
  ended: null,
});

/** Programs that do what they are told, and what they were asked to run. */
function fakePrograms(run: (program: Program, count: number) => Promise<Ran> | Ran) {
  const asked: Program[] = [];
  const surroundings: Surroundings = {
    expand: text => text,
    servers: { connect: () => Promise.reject(new Error('none')) },
    programs: {
      run: async program => {
        asked.push(program);
        return run(program, asked.length);
      },
    },
  };
  return { asked, surroundings };
}

async function* judge(): AsyncGenerator<BackendEvent> {
  yield { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };
  yield { type: 'usage', spend: { ...NO_SPEND, tokens: 3 }, cumulative: true };
  yield { type: 'done', output: { good: true }, text: '' };
}

function home(
  tool: string,
  surroundings: Surroundings,
  more: Partial<Parameters<typeof started>[0] & object> = {},
): Promise<Sample> {
  const bots = new SampleBots();
  bots.bots.set('whats-next', botOf(planOf(source(tool))));
  return started({ bots, surroundings, script: judge, ...more });
}

function decide(pause: string, option: string, fields?: Record<string, number | string>) {
  const { commandId } = message('');
  const act = { do: 'answer', option, ...(fields === undefined ? {} : { fields }) } as const;
  return { commandId, actor: ada, pause: pause as `p${number}`, act };
}

describe('a tool node', () => {
  it('runs its command with quoted values and gives what it printed, which a judge judges', async () => {
    const { asked, surroundings } = fakePrograms(() => ok(3));
    const made = await home(PLAIN, surroundings);
    const lane = await laneOf(made);
    await lane.send(message("it's here", { workspace: '/work' }));
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat', text: '3 of pears' }]);
    expect(asked).toMatchObject([{ text: `look 'it'\\''s here'`, language: 'command', workspace: '/work' }]);
    expect(made.backend.turns.map(turn => turn.prompt.user)).toEqual(['Is 3 good?']);
    const page = await lane.page(null, 100);
    const events = 'code' in page ? [] : page.events.map(({ event }) => event);
    expect(events.filter(event => event.type === 'tool')).toMatchObject([
      { name: 't', change: 'started', title: 'look {{vars.initial_message}}' },
      { name: 't', change: 'completed' },
    ]);
    await made.conversations.closeAll();
  });

  test.each<[string, Partial<Ran>, RegExp]>([
    ['TOOL_FAILED_PERMANENT', { exit: 3, errors: 'no pears' }, /exit code 3. It said: no pears/],
    ['TOOL_FAILED_TRANSIENT', { exit: 137 }, /by a signal/],
    ['TIMEOUT', { exit: null, ended: 'time' }, /after 30 minutes/],
    ['TOOL_FAILED_PERMANENT', { cut: true }, /more than an output may hold/],
    ['SCHEMA_VALIDATION', { output: '{"count": 1.5, "name": "pears"}' }, /"count" is no int/],
    ['SCHEMA_VALIDATION', { output: 'plain words' }, /"count" is missing/],
  ])('that fails with %s %j waits at its node, and can be tried again', async (code, ran, says) => {
    const { asked, surroundings } = fakePrograms((_, count) => (count === 1 ? { ...ok(1), ...ran } : ok(2)));
    const made = await home(PLAIN, surroundings);
    const lane = await laneOf(made);
    await lane.send(message('look'));
    await lane.settled();
    const [pause] = lane.view().pauses;
    expect(pause).toMatchObject({ kind: 'recovery', node: 't', code });
    expect(pause?.text).toMatch(says);
    await lane.decide(decide(pause?.id ?? '', 'again'));
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat', text: '2 of pears' }]);
    expect(asked).toHaveLength(2);
    await made.conversations.closeAll();
  });

  it('that is interrupted waits for a decision, and a message means nothing there', async () => {
    const begun = Promise.withResolvers<void>();
    const { surroundings } = fakePrograms(async ({ signal }, count) => {
      if (count > 1) return ok(5);
      begun.resolve();
      await new Promise(resolve => {
        signal.addEventListener('abort', resolve);
      });
      return { ...ok(1), exit: null, ended: 'stopped' as const };
    });
    const made = await home(PLAIN, surroundings);
    const lane = await laneOf(made);
    await lane.send(message('look'));
    await begun.promise;
    const { commandId } = message('');
    await lane.interrupt({ commandId, actor: ada, turn: 't1' });
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'recovery', cause: 'uncertain', code: 'interrupted' }]);
    await lane.send(message('and now?'));
    expect(lane.view().queue).toHaveLength(1);
    const [pause] = lane.view().pauses;
    await lane.decide(decide(pause?.id ?? '', 'it_happened', { count: 9, name: 'plums' }));
    await lane.settled();
    const page = await lane.page(null, 200);
    const events = 'code' in page ? [] : page.events.map(({ event }) => event);
    expect(events).toContainEqual(expect.objectContaining({ type: 'message', text: '9 of plums' }));
    await made.conversations.closeAll();
  });

  it('calls a registered tool by its name, with its input', async () => {
    const calls: unknown[] = [];
    const tool: Tool = {
      name: 'count_pears',
      description: '',
      input: {},
      mutates: false,
      idempotent: true,
      title: () => 'count',
      run: args => {
        calls.push(args);
        return Promise.resolve({ content: { count: 4, name: 'pears' } });
      },
    };
    const made = await home('  command: "count_pears"', fakePrograms(() => ok(0)).surroundings, {
      tools: [tool],
    });
    const lane = await laneOf(made);
    await lane.send(message('go'));
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat', text: '4 of pears' }]);
    expect(calls).toEqual([{ initial_message: 'go' }]);
    await made.conversations.closeAll();
  });
});

describe('a crash before every commit of a turn', () => {
  test.each([
    ['a tool that may not run twice', PLAIN],
    ['an idempotent one', ONCE_MORE],
  ])('%s', async (_, tool) => {
    const twice = tool === ONCE_MORE;
    const calls = await callsOf(tool);
    // Every second call from each side, since each takes a whole life of a home.
    for (let call = twice ? 2 : 1; call <= calls; call += 2) {
      const disk = new SimDisk();
      disk.crashBefore(call);
      const before = fakePrograms(() => ok(3));
      await untilStopped(disk, async () => {
        const made = await home(tool, before.surroundings, { disk });
        const lane = await laneOf(made);
        await lane.send(message('look'));
        await lane.settled();
      });
      const after = fakePrograms(() => ok(3));
      const survived = disk.crash({ seed: call });
      const made = await home(tool, after.surroundings, { disk: survived });
      const lane = await laneOf(made);
      await lane.settled();
      let { pauses } = lane.view();
      if (pauses[0]?.kind === 'recovery') {
        const { cause, node } = pauses[0];
        // The judge is never sent again without a person, and neither is a tool that may not run twice.
        if (node === 't') expect([twice, cause]).toEqual([false, 'uncertain']);
        const option = node === 't' ? 'it_happened' : 'again';
        const fields = node === 't' ? { count: 3, name: 'pears' } : undefined;
        await lane.decide(decide(pauses[0].id, option, fields));
        await lane.settled();
        ({ pauses } = lane.view());
        if (node === 't') expect(before.asked.length + after.asked.length).toBeLessThanOrEqual(1);
      }
      if (pauses.length === 0) {
        // Nobody was told that the message was accepted.
        await lane.send(message('look'));
        await lane.settled();
        ({ pauses } = lane.view());
      }
      expect(pauses, `before call ${call}`).toMatchObject([{ kind: 'chat', text: '3 of pears' }]);
      if (!twice) expect(before.asked.length + after.asked.length).toBeLessThanOrEqual(1);
      await made.conversations.closeAll();
    }
  });
});

/** How many calls to the disk a turn makes when nothing happens to it. */
async function callsOf(tool: string): Promise<number> {
  const disk = new SimDisk();
  const made = await home(tool, fakePrograms(() => ok(3)).surroundings, { disk });
  const lane = await laneOf(made);
  await lane.send(message('look'));
  await lane.settled();
  return disk.calls;
}

async function untilStopped(disk: SimDisk, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (disk.stoppedBefore === null) throw thrown;
  }
}

describe('what passes by itself', () => {
  const busy = { type: 'failed', code: 'overloaded', message: 'Busy.', began: false } as const;

  it('is tried again by the clock, over a restart too, and then waits for a person', async () => {
    const clock = new SimClock();
    const disk = new SimDisk();
    let asked = 0;
    const script = async function* (): AsyncGenerator<BackendEvent> {
      asked += 1;
      yield busy;
    };
    const { surroundings } = fakePrograms(() => ok(1));
    const made = await home(PLAIN, surroundings, { clock, disk, script });
    const lane = await laneOf(made);
    await lane.send(message('look'));
    await expect.poll(() => asked).toBe(1);
    expect(lane.view().state).toBe('working');
    clock.advance(6000);
    await expect.poll(() => asked).toBe(2);
    await made.conversations.closeAll();

    const again = await home(PLAIN, surroundings, { clock, disk: disk.crash({ seed: 1 }), script });
    const next = await laneOf(again);
    expect(next.view().pauses).toEqual([]);
    clock.advance(12_000);
    await expect.poll(() => asked).toBe(3);
    clock.advance(24_000);
    await expect.poll(() => asked).toBe(4);
    await next.settled();
    expect(next.view().pauses).toMatchObject([{ kind: 'recovery', code: 'overloaded', text: 'Busy.' }]);
    await again.conversations.closeAll();
  });

  test.each([
    ['something had begun', { ...busy, began: true }],
    ['it lasts until somebody mends it', { ...busy, lasting: true as const }],
    ['it would fail in the same way', { ...busy, code: 'auth' as const }],
  ])('is not tried again when %s', async (_, failure) => {
    const script = async function* (): AsyncGenerator<BackendEvent> {
      yield failure;
    };
    const made = await home(PLAIN, fakePrograms(() => ok(1)).surroundings, { script });
    const lane = await laneOf(made);
    await lane.send(message('look'));
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'recovery', node: 'j', code: failure.code }]);
    await made.conversations.closeAll();
  });

  it('can be interrupted while it waits', async () => {
    const script = async function* (): AsyncGenerator<BackendEvent> {
      yield busy;
    };
    const made = await home(PLAIN, fakePrograms(() => ok(1)).surroundings, { script });
    const lane = await laneOf(made);
    await lane.send(message('look'));
    await expect.poll(() => made.backend.turns.length).toBe(1);
    const { commandId } = message('');
    await lane.interrupt({ commandId, actor: ada, turn: 't1' });
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted', node: 'j' }]);
    await made.conversations.closeAll();
  });
});
