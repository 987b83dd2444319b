import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, test } from 'vitest';
import { judgeMessage } from './accept.ts';
import { compute } from './compute.ts';
import type { EntryBody } from './entry.ts';
import { judge, ready, step } from './machine.ts';
import { runnable } from './runnable.ts';
import { initialState } from './state.ts';

/* What sources of profile 2 bring to a run: `else`, named `fail` nodes, chained edges, joined values, further functions. */

const FAILS = {
  lost: '  code: NOT_FOUND\n  message: "There is no {{input.what}}."\n',
  weary: '  code: TOO_TIRED\n  message: "Not now."\n  resumable: true\n',
  plain: '  message: ""\n',
} as const;

/** A person who is asked, and a gate that leads on along the given edges. */
function source(fails: readonly (keyof typeof FAILS)[], nodes: string, ...edges: readonly string[]): string {
  return `dsl: 2

vars:
  first: string = ""

schema words:
  message: string

schema read:
  kind: string
  count: int

prompt bubble:
  {{input.reply}}

compute gate:
  input: words
  output: read
  expr:
    kind: "input.message"
    count: "max(length(input.message), 2)"

human chat:
  output: words
  instructions: bubble

${fails.map(name => `fail ${name}:\n${FAILS[name]}\n`).join('')}${nodes}workflow w:
  entry: chat
  chat -> gate with { message: "{{outputs.chat.message}}" }
  ${edges.join('\n  ')}
`;
}

const at = '2026-01-01T00:00:00.000Z';
const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;

/** A conversation on a source, without agents. */
class Talk {
  state = initialState();
  readonly events: EventBody[] = [];
  #commands = 0;
  readonly #plan;

  constructor(main: string) {
    const { plan, diagnostics } = compileBundle({ main });
    expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
    const narrowed = plan === null ? null : runnable(plan);
    expect(narrowed?.missing).toBeNull();
    if (!narrowed?.plan) throw new Error('the plan cannot run');
    this.#plan = narrowed.plan;
  }

  #command(): string {
    this.#commands += 1;
    return `command-${String(this.#commands).padStart(12, '0')}`;
  }

  enter(entry: EntryBody): void {
    const made = step(this.#plan, this.state, { at, ...entry });
    this.state = made.state;
    this.events.push(...made.events);
    const [effect] = ready(this.#plan, this.state);
    const node = this.#plan.nodes[effect?.node ?? ''];
    const { run } = this.state.machine;
    if (effect === undefined || node?.kind !== 'compute' || run === null) return;
    const { id, branch, kind, attempt } = effect;
    this.enter({ is: 'intended', effect: { id, branch, node: node.name, kind, attempt, backend: null } });
    const outcome = compute(this.#plan, run, node, effect.input, this.state.ledgers);
    this.enter({ is: 'ended', effect: id, outcome, spend: NO_SPEND });
  }

  say(text: string): void {
    const judged = judgeMessage(this.#plan, this.state, {
      text,
      delivery: 'queue',
      workspace: null,
      by: ada,
      commandId: this.#command(),
      planDigest: `sha256:${'0'.repeat(64)}`,
      at,
    });
    if ('entry' in judged) this.enter(judged.entry);
  }

  choose(option: string): void {
    const pause = this.state.machine.pauses[0];
    if (pause === undefined) throw new Error('nothing is open');
    const act = { do: 'answer', option } as const;
    const judged = judge(this.#plan, this.state, {
      commandId: this.#command(),
      pause: pause.id,
      act,
      actor: ada,
    });
    if ('entry' in judged) this.enter(judged.entry);
  }

  get said(): readonly unknown[] {
    return this.events.flatMap(one => (one.type === 'message' && one.by.kind === 'bot' ? [one.text] : []));
  }
}

test('chained edges, joined values and further functions', () => {
  const same =
    'compute same:\n  output: read\n  expr:\n    kind: "outputs.gate.kind"\n    count: "outputs.gate.count"\n\n';
  const talk = new Talk(
    source(
      [],
      same,
      'gate -> same -> chat as talk(100) with { reply: "You said <{{outputs.gate.kind}}> in {{run.id}}" }',
    ),
  );
  talk.say('');
  talk.say('hi');
  expect(talk.said.at(-1)).toBe('You said <hi> in r1');
  expect(talk.state.machine.run?.outputs['gate']).toEqual({ kind: 'hi', count: 2 });
});

describe('else', () => {
  const talk = (said: string): Talk => {
    const one = new Talk(
      source(
        ['lost'],
        '',
        'gate -> chat as talk(100) else with { reply: "other {{outputs.gate.kind}}" }',
        `gate -> lost when "kind == 'lost'" with { what: "such {{outputs.gate.kind}}" }`,
      ),
    );
    one.say('');
    one.say(said);
    return one;
  };

  test('is passed over where a condition holds, though it stands first', () => {
    expect(talk('lost').state.machine.run).toMatchObject({ status: 'ended', code: 'NOT_FOUND' });
  });

  test('is taken where none holds', () => {
    expect(talk('hello').said.at(-1)).toBe('other hello');
  });
});

describe('a named fail node', () => {
  test('says its message and ends the run and the turn with its code', () => {
    const talk = new Talk(source(['lost'], '', 'gate -> lost with { what: "such {{outputs.gate.kind}}" }'));
    talk.say('');
    talk.say('thing');
    expect(talk.said.at(-1)).toBe('There is no such thing.');
    expect(talk.state.machine.run).toMatchObject({ status: 'ended', reason: 'failed', code: 'NOT_FOUND' });
    expect(talk.events.filter(one => one.type === 'turn').at(-1)).toMatchObject({
      change: 'failed',
      code: 'NOT_FOUND',
    });
  });

  test('without a code and a message ends it as the nameless one does', () => {
    const talk = new Talk(source(['plain'], '', 'gate -> plain'));
    talk.say('');
    talk.say('thing');
    expect(talk.state.machine.run).toMatchObject({ reason: 'failed', code: 'FAIL_NODE' });
    // Only home base spoke, with a reference to nothing in its words.
    expect(talk.said).toEqual(['{{input.reply}}']);
  });

  test('R13.13: that is resumable holds the run, and the node before it may run again', () => {
    const talk = new Talk(source(['weary'], '', 'gate -> weary'));
    talk.say('');
    talk.say('thing');
    expect(talk.state.machine.pauses).toMatchObject([
      { kind: 'recovery', cause: 'failed', code: 'TOO_TIRED', detail: 'Not now.', node: 'gate' },
    ]);
    const runs = (): number =>
      talk.events.filter(one => one.type === 'node' && one.node === 'gate' && one.change === 'started')
        .length;
    const before = runs();
    talk.choose('again');
    expect(runs()).toBe(before + 1);
    expect(talk.state.machine.pauses).toMatchObject([{ code: 'TOO_TIRED' }]);
  });

  test('that is resumable may be given up', () => {
    const talk = new Talk(source(['weary'], '', 'gate -> weary'));
    talk.say('');
    talk.say('thing');
    talk.choose('stop');
    expect(talk.state.machine.pauses).toMatchObject([{ kind: 'chat' }]);
    expect(talk.events.filter(one => one.type === 'turn').at(-1)).toMatchObject({ code: 'TOO_TIRED' });
  });
});
