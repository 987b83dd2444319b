import type { BackendEvent } from '@hearth/engine/backend.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Brain,
  calls,
  FakeProvider,
  type Move,
  replies,
  says,
  status,
} from '../support/fake-provider.ts';
import { DIRECTORY, grant, ModelStage } from '../support/model-stage.ts';

/* What a turn on a model API does, against a provider on loopback that answers as the real ones do. */

const open: FakeProvider[] = [];

async function fake(...moves: readonly (Move | Brain)[]): Promise<FakeProvider> {
  const provider = await FakeProvider.start(...moves);
  open.push(provider);
  return provider;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(provider => provider.close()));
});

const typesOf = (events: readonly BackendEvent[]): string[] =>
  events.map(event => event.type).filter((type, at, all) => type !== all[at - 1]);
const ask = (question: string, id = 'q1') => ({
  name: 'ask_user',
  id,
  args: {
    question,
    options: [
      { id: 'yes', label: 'Close them' },
      { id: 'no', label: 'Leave it' },
    ],
  },
});

describe.each(['anthropic', 'openai', 'compatible', 'ollama'] as const)('on %s', name => {
  test('a turn narrates, calls tools through the host, and ends with the envelope', async () => {
    const provider = await fake(
      calls([{ name: 'list_issues', args: { id: 'HB-1' } }], 'I look at the board.'),
      replies('Take HB-1.', { quick_replies: '["Do it"]' }),
    );
    const stage = new ModelStage(provider.env(name));
    const events = await stage.say('What is next?');
    expect(stage.calls).toEqual([{ id: 'call_1_0', name: 'list_issues', args: { id: 'HB-1' } }]);
    expect(typesOf(events.filter(event => event.type !== 'context'))).toEqual([
      'session',
      'draft',
      'usage',
      'narration',
      'draft',
      'usage',
      'done',
    ]);
    expect(events).toContainEqual({ type: 'narration', text: 'I look at the board.' });
    expect(events.at(-1)).toEqual({
      type: 'done',
      output: { reply: 'Take HB-1.', close: false, quick_replies: ['Do it'], dispatched_ids: [] },
      text: 'Take HB-1.',
    });
    expect(events.findLast(event => event.type === 'draft')).toEqual({ type: 'draft', text: 'Take HB-1.' });
  });

  test('an answer is bounded as the node says, and else as the provider has it', async () => {
    const provider = await fake(replies('Short.'), replies('As it comes.'));
    const stage = new ModelStage(provider.env(name));
    await stage.say('Be short', { maxTokens: 321 });
    await stage.say('As you like');
    const bounds = provider.requests.map(({ body }) => body.max_output_tokens ?? body.max_tokens);
    expect(bounds[0]).toBe(321);
    expect(bounds[1]).not.toBe(321);
  });

  test('five turns are one session across a restart: each request holds all that came before', async () => {
    const disk = new SimDisk();
    const provider = await fake(
      replies('one-reply'),
      calls([{ name: 'list_issues', args: {} }], 'two-narration'),
      replies('two-reply'),
      replies('three-reply'),
      replies('four-reply'),
      replies('five-reply'),
    );
    let stage = new ModelStage(provider.env(name), { disk });
    stage.tool = () => ({ content: { found: 'two-result' } });
    const said: string[] = [];
    const ids = new Set<string>();
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      const events = await stage.say(`${word}-words`);
      const [first] = events;
      if (first?.type === 'session') ids.add(first.id);
      const request = provider.requests.at(-1);
      for (const known of [...said, `${word}-words`]) expect(request?.text).toContain(known);
      expect(request?.text).toContain(`Turn ${stage.turns}.`);
      expect(request?.text).not.toContain(`Turn ${stage.turns - 1}.`);
      said.push(`${word}-words`, `${word}-reply`, ...(word === 'two' ? ['two-narration', 'two-result'] : []));
      if (word !== 'three') continue;
      const next = new ModelStage(provider.env(name), { disk, seed: 50 });
      next.session = stage.session;
      next.turns = stage.turns;
      stage = next;
    }
    expect(ids.size).toBe(1);
  });

  test('questions park together, and the answers are the results, also after a restart', async () => {
    const disk = new SimDisk();
    const provider = await fake(
      calls([ask('Close HB-1 to HB-3?', 'q1'), ask('And HB-9?', 'q2')], 'Three are obsolete.'),
      replies('Closed.'),
    );
    const stage = new ModelStage(provider.env(name), { disk });
    const asked = await stage.say('Tidy up');
    const parked = asked.at(-1);
    expect(parked).toMatchObject({
      type: 'parked',
      asks: [
        {
          call: 'q1',
          text: 'Close HB-1 to HB-3?',
          allowFreeText: false,
          options: [{ id: 'yes' }, { id: 'no' }],
        },
        { call: 'q2', text: 'And HB-9?' },
      ],
    });
    if (parked?.type !== 'parked') return;
    const later = new ModelStage(provider.env(name), { disk, seed: 50 });
    later.session = stage.session;
    later.turns = 1;
    const [first, second] = parked.asks;
    const answers = [
      { ask: second!.text, call: 'q2', options: second!.options, result: 'cancelled' as const },
      { ask: first!.text, call: 'q1', options: first!.options, result: { option: 'yes' } },
    ];
    expect((await later.say('Tidy up', { answers })).at(-1)).toMatchObject({ type: 'done', text: 'Closed.' });
    const text = provider.requests.at(-1)?.text ?? '';
    expect(text).toContain('Close them');
    expect(text).toContain('no consent');
    expect(text.match(/Tidy up/g)).toHaveLength(1);
    expect(text.indexOf('Close HB-1 to HB-3?')).toBeLessThan(text.indexOf('Close them\\'));
  });

  test('what is offered while a turn runs joins at the next step, is taken, then seen', async () => {
    const provider = await fake(calls([{ name: 'list_issues', args: {} }]), replies('Only docs then.'));
    const stage = new ModelStage(provider.env(name));
    const run = stage.start(stage.turn('What is next?'));
    stage.tool = () => {
      run.offer({ id: 'm7', text: 'Only documentation, please' });
      return { content: [] };
    };
    const events = await stage.play(run);
    expect(events.filter(event => event.type === 'taken' || event.type === 'seen')).toEqual([
      { type: 'taken', messages: ['m7'] },
      { type: 'seen', messages: ['m7'] },
    ]);
    expect(provider.requests[0]?.text).not.toContain('Only documentation');
    expect(provider.requests[1]?.text).toContain('Only documentation, please');
    run.offer({ id: 'm8', text: 'too late' });
  });

  test('an interrupt ends the turn at once, and the next request says what was broken off', async () => {
    const gate = Promise.withResolvers<void>();
    const provider = await fake(
      calls([{ name: 'close_issue', args: { id: 'HB-4' } }]),
      says('I am thinking', { hold: gate.promise }),
      replies('Going on.'),
    );
    const stage = new ModelStage(provider.env(name));
    const turn = stage.turn('Close HB-4');
    const run = stage.start(turn);
    const events = await stage.play(run, event => {
      if (event.type === 'draft') void run.interrupt();
    });
    expect(events.at(-1)).toEqual({ type: 'stopped' });
    gate.resolve();
    const interrupted = {
      effect: turn.effect,
      toolsStarted: ['close_issue'],
      unseen: [{ id: 'm9' as const, text: 'but be quick' }],
    };
    const again = await stage.say('Close HB-4', { attempt: 2, interrupted });
    expect(again.at(-1)).toMatchObject({ type: 'done', text: 'Going on.' });
    const text = provider.requests.at(-1)?.text ?? '';
    expect(text.match(/Close HB-4/g)).toHaveLength(1);
    expect(text).toContain('close_issue');
    expect(text).toContain('was interrupted before it ended');
    expect(text).toContain('but be quick');
  });
});

describe('the end of a turn', () => {
  test('an answer as text is taken when it fits, in a fence too', async () => {
    const provider = await fake(
      says('```json\n{"reply": "Hi", "close": "false", "quick_replies": ["a"]}\n```'),
    );
    const events = await new ModelStage(provider.env('ollama')).say('hello');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      output: { reply: 'Hi', close: false, quick_replies: ['a'], dispatched_ids: null },
    });
    expect(provider.requests).toHaveLength(1);
  });

  test('one that does not fit is asked for again, twice at most, with no other tool', async () => {
    const wrong = calls([{ name: 'final_answer', args: { reply: 'Hi', close: 'perhaps' } }]);
    const provider = await fake(says('Hi there'), wrong, replies('Hi'));
    const events = await new ModelStage(provider.env('anthropic')).say('hello');
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Hi' });
    expect(provider.requests[0]?.body.tools?.length).toBeGreaterThan(1);
    for (const request of provider.requests.slice(1)) {
      expect(request.body.tools?.map(tool => tool.name)).toEqual(['final_answer']);
    }
    expect(provider.requests[2]?.text).toContain('\\"close\\" must be true or false');
  });

  test('and then it is a failure that says what is wrong', async () => {
    const provider = await fake(says('Hi'), says('Hi!'), says('Hi!!'));
    const events = await new ModelStage(provider.env('openai')).say('hello');
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'schema', began: true });
    expect(provider.requests).toHaveLength(3);
  });

  test('an answer that came with tool calls is not taken before their results were read', async () => {
    const both = calls([
      { name: 'list_issues', args: {} },
      {
        name: 'final_answer',
        args: { reply: 'Too soon', close: false, quick_replies: [], dispatched_ids: [] },
      },
    ]);
    const provider = await fake(both, replies('Now I know.'));
    const stage = new ModelStage(provider.env('anthropic'));
    expect((await stage.say('hello')).at(-1)).toMatchObject({ text: 'Now I know.' });
    expect(stage.calls).toHaveLength(1);
  });

  test('without a schema the text is the output', async () => {
    const provider = await fake(says('Just words'));
    const events = await new ModelStage(provider.env('openai')).say('hello', { output: null, tools: [] });
    expect(events.at(-1)).toEqual({ type: 'done', output: { text: 'Just words' }, text: 'Just words' });
  });

  test('a turn that has used up its steps ends with what it has', async () => {
    const look = calls([{ name: 'list_issues', args: {} }]);
    const provider = await fake(look, look, replies('This far.'));
    const stage = new ModelStage(provider.env('anthropic'));
    expect((await stage.say('hello', { maxSteps: 2 })).at(-1)).toMatchObject({ text: 'This far.' });
    expect(provider.requests.at(-1)?.body.tools).toHaveLength(1);
    expect(provider.requests.at(-1)?.text).toContain('limit of 2 steps');
  });
});

describe('calls', () => {
  test('ids that a server repeats are told apart, and what cannot be read is refused in words', async () => {
    const same = { name: 'list_issues', args: {}, id: 'call_0' };
    const provider = await fake(
      calls([same]),
      calls([same, { name: 'close_issue', args: {}, id: 'x', raw: '{"id": HB-1' }]),
      replies('ok'),
    );
    const stage = new ModelStage(provider.env('compatible'));
    await stage.say('hello');
    expect(stage.calls.map(call => call.id)).toEqual(['call_0', 'call_0-2']);
    expect(provider.requests.at(-1)?.text).toContain('no JSON object');
  });

  test('a tool that is not there is left to the host to refuse', async () => {
    const provider = await fake(calls([{ name: 'rm_rf', args: { path: '/' } }]), replies('I cannot.'));
    const stage = new ModelStage(provider.env('anthropic'));
    stage.tool = () => ({ content: null, error: 'There is no tool "rm_rf" here.' });
    await stage.say('hello');
    expect(stage.calls.map(call => call.name)).toEqual(['rm_rf']);
    expect(provider.requests.at(-1)?.text).toContain('There is no tool');
  });

  test('a node that may not ask gets no ask_user', async () => {
    const provider = await fake(replies('ok'));
    await new ModelStage(provider.env('anthropic')).say('hello', { mayAsk: false, tools: [grant('glob')] });
    expect(provider.requests[0]?.body.tools?.map(tool => tool.name)).toEqual(['glob', 'final_answer']);
  });

  test('an empty message is never sent empty', async () => {
    const provider = await fake(replies('Welcome.'));
    await new ModelStage(provider.env('anthropic')).say('');
    expect(provider.requests[0]?.text).toContain('[hearth] The message is empty.');
  });
});

describe('sessions', () => {
  test('a lost file is replaced from the recap, and says so; a strict one fails', async () => {
    const provider = await fake(replies('one'), replies('two'));
    const stage = new ModelStage(provider.env('anthropic'));
    await stage.say('hello');
    const { session } = stage;
    if (session.mode === 'fresh') return;
    await stage.disk.remove(`${DIRECTORY}/model-api-${session.id}.jsonl`);
    const lost = await stage.say('again', { session: { ...session, strict: true } });
    expect(lost).toMatchObject([{ type: 'failed', code: 'session_lost', began: false }]);
    const recap = {
      turns: [
        { who: 'person', text: 'my name is Ada' },
        { who: 'bot', text: 'Hello Ada' },
      ],
    } as const;
    const events = await stage.say('again', { session: { ...session, recap } });
    expect(events[0]).toMatchObject({ type: 'session', how: 'reseeded', degraded: expect.any(String) });
    expect(events[0]).not.toMatchObject({ id: session.id });
    expect(provider.requests.at(-1)?.text).toContain('my name is Ada');
    expect(provider.requests.at(-1)?.text).toContain('earlier session is gone');
  });

  test('a fork copies, and leaves its parent as it is', async () => {
    const provider = await fake(replies('one'), replies('forked'), replies('two'));
    const stage = new ModelStage(provider.env('anthropic'));
    await stage.say('parent-words');
    const parent = stage.session;
    if (parent.mode === 'fresh') return;
    const events = await stage.say('fork-words', { session: { ...parent, mode: 'fork' } });
    expect(events[0]).toMatchObject({ how: 'forked' });
    expect(provider.requests[1]?.text).toContain('parent-words');
    stage.session = parent;
    await stage.say('more');
    expect(provider.requests[2]?.text).not.toContain('fork-words');
  });

  test('another provider goes on with the same session', async () => {
    const disk = new SimDisk();
    const one = await fake(calls([{ name: 'list_issues', args: {} }]), replies('from Anthropic'));
    const two = await fake(replies('from OpenAI'));
    const first = new ModelStage(one.env('anthropic'), { disk });
    await first.say('hello');
    const second = new ModelStage(two.env('openai'), { disk });
    second.session = first.session;
    second.turns = 1;
    const events = await second.say('go on');
    expect(events[0]).toMatchObject({ how: 'resumed', fingerprint: `model-api:openai:${two.address}/v1` });
    expect(two.requests[0]?.text).toContain('from Anthropic');
  });

  test('a torn last line is cut', async () => {
    const provider = await fake(replies('one'), replies('two'));
    const stage = new ModelStage(provider.env('anthropic'));
    await stage.say('hello');
    const { session } = stage;
    if (session.mode === 'fresh') return;
    const handle = await stage.disk.append(`${DIRECTORY}/model-api-${session.id}.jsonl`);
    await handle.write(new TextEncoder().encode('{"line":"words","te'));
    await handle.close();
    expect((await stage.say('more'))[0]).toMatchObject({ how: 'resumed' });
    expect(provider.requests[1]?.text).toContain('hello');
  });
});

test('a key is in no event, no file and no request but its own header', async () => {
  const key = 'sk-fake-very-secret-42';
  const provider = await fake(
    replies('one'),
    status(400, {}, `Bad request with ${key} inside`),
    status(401, {}, `Incorrect API key provided: ${key}`),
  );
  for (const name of ['anthropic'] as const) {
    const disk = new SimDisk();
    const stage = new ModelStage(provider.env(name, key), { disk });
    const events = [...(await stage.say('a')), ...(await stage.say('b')), ...(await stage.say('c'))];
    expect(events.filter(event => event.type === 'failed').map(event => event.code)).toEqual([
      'protocol',
      'auth',
    ]);
    expect(JSON.stringify(events)).not.toContain(key);
    for (const file of await disk.list(DIRECTORY)) {
      expect(Buffer.from((await disk.read(`${DIRECTORY}/${file}`)) ?? []).toString()).not.toContain(key);
    }
    expect(JSON.stringify(await stage.backend.providers())).not.toContain(key);
    expect(await stage.backend.fingerprint({ model: 'auto', provider: null, effort: null })).not.toContain(
      key,
    );
  }
  for (const request of provider.requests) {
    expect(request.text).not.toContain(key);
    expect(request.headers['x-api-key']).toBe(key);
  }
});
