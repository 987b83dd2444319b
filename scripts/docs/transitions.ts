import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeInterrupt } from '@hearth/engine/accept.ts';
import { runnable } from '@hearth/engine/runnable.ts';
import { ada, Bench } from '@hearth/engine/testing/bench.ts';
import { ready } from '@hearth/engine/machine.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { code, table } from './markdown.ts';

/*
 * The transition table of `confirm-first`, walked on the machine itself: every state is brought about, and everything that can
 * happen happens in it. What the page says is therefore what the bot does.
 */

const ROOT = fileURLToPath(new URL('../../bots/confirm-first/', import.meta.url));

/** The states, and how each is brought about. */
export const STATES: Readonly<Record<State, readonly Happening[]>> = {
  idle: ['arrives'],
  interpreting: ['arrives', 'message'],
  'reviewing the interpretation': ['arrives', 'message', 'draft'],
  'interpreting anew': ['arrives', 'message', 'draft', 'revise'],
  planning: ['arrives', 'message', 'draft', 'confirm'],
  'reviewing the plan': ['arrives', 'message', 'draft', 'confirm', 'draft'],
  'planning anew': ['arrives', 'message', 'draft', 'confirm', 'draft', 'revise'],
  executing: ['arrives', 'message', 'draft', 'confirm', 'draft', 'confirm_standard'],
  'waiting for data': [
    'arrives',
    'message',
    'draft',
    'confirm',
    'draft',
    'confirm_standard',
    'asks for data',
  ],
  'execution cut short': ['arrives', 'message', 'draft', 'confirm', 'draft', 'confirm_standard', 'crash'],
  'draft cut short': ['arrives', 'message', 'draft', 'confirm', 'draft', 'change_request', 'fails'],
};

export type State =
  | 'idle'
  | 'interpreting'
  | 'reviewing the interpretation'
  | 'interpreting anew'
  | 'planning'
  | 'reviewing the plan'
  | 'planning anew'
  | 'executing'
  | 'waiting for data'
  | 'execution cut short'
  | 'draft cut short';

/** What a person does, and what a model or the machine it runs on does. */
const PERSON = {
  arrives: bench => told(bench.send('')),
  message: bench => told(bench.send('please')),
  confirm: acts('confirm'),
  confirm_standard: acts('confirm_standard'),
  confirm_pseudocode: acts('confirm_pseudocode'),
  'confirm with words': bench =>
    acts(pauseOf(bench)?.node === 'check_approach' ? 'confirm_standard' : 'confirm', 'but for two')(bench),
  'confirm an older version': bench => decide(bench, { do: 'act', action: confirmOf(bench) }, 99),
  revise: acts('revise', 'shorter'),
  'revise without words': acts('revise'),
  change_request: acts('change_request', 'for two'),
  stop: acts('stop'),
  'data is given': bench => decide(bench, { do: 'answer', fields: { data: '42' } }),
  'blank words': bench => decide(bench, { do: 'say', text: '  ' }),
  'words: a change of the task': says({ task: ['scope'], approach: ['method'], progression: true }),
  'words: about the approach': says({ approach: ['method'], progression: true }),
  'words: agreement': says({ progression: true }),
  'words: a new task': says({ kind: 'new_task' }),
  'words: about the notation': says({ kind: 'protocol' }),
  'words: about the result': says({ kind: 'substance' }),
  'words: stop': says({ kind: 'cancel' }),
  'words: not clear': says({ kind: 'unclear' }),
  interrupt,
  'choose again': bench => chooses(bench, 'again'),
  'choose withdraw': bench => chooses(bench, 'withdraw'),
  'choose it_happened': bench =>
    chooses(bench, 'it_happened', { status: 'result', body: 'It happened.', message: '' }),
  'choose stop': bench => chooses(bench, 'stop'),
} as const satisfies Record<string, Doing>;

const WORLD = {
  draft: gives({
    draft_interpretation: { route: 'interpret', reply: '', prompt_body: 'DO it', carries: false },
    revise_interpretation: { prompt_body: 'DO it for two', carries: false },
    draft_approach: { plan_body: 'FOLLOW the way' },
    revise_approach: { plan_body: 'FOLLOW the other way' },
  }),
  'refuses or answers at once': gives({
    draft_interpretation: { route: 'refuse', reply: 'No.', prompt_body: '', carries: false },
  }),
  'result is given': gives({ execute: { status: 'result', body: 'Done.', message: '' } }),
  'asks for data': gives({ execute: { status: 'request_input', body: '', message: 'How many?' } }),
  'is blocked': gives({ execute: { status: 'blocked', body: '', message: 'May not.' } }),
  fails: bench => ends(bench, { is: 'failed', code: 'auth', message: 'no key', began: true }),
  'ends after an interrupt': bench => {
    if (started(bench) === null) return 'nothing runs';
    const said = interrupt(bench);
    return said === 'accepted' ? ends(bench, { is: 'stopped' }) : said;
  },
  crash: bench => {
    const effect = started(bench);
    if (effect === null) return 'nothing runs';
    bench.enter({ is: 'restarted', effects: [effect] });
    return 'accepted';
  },
  'a late draft': bench => {
    bench.end('e1', {
      is: 'done',
      output: { prompt_body: 'DO harm', route: 'interpret', reply: '', carries: false },
    });
    return 'accepted';
  },
} as const satisfies Record<string, Doing>;

export const HAPPENINGS = { ...PERSON, ...WORLD };
export type Happening = keyof typeof HAPPENINGS;

/** `accepted`, the code of a refusal, or why nothing of the kind can happen. */
type Doing = (bench: Bench) => string;

export interface Transition {
  readonly from: State;
  readonly happening: Happening;
  /** A refusal's code, or `accepted`; `null` where nothing of the kind can happen. */
  readonly said: string | null;
  readonly to: State | 'elsewhere';
}

/** A bench in a state. */
export function inState(state: State): Bench {
  const bench = new Bench(plan());
  for (const happening of STATES[state]) HAPPENINGS[happening](bench);
  return bench;
}

/** Every happening in every state. */
export function walk(): readonly Transition[] {
  const names = Object.keys(HAPPENINGS).filter((name): name is Happening => name in HAPPENINGS);
  return states().flatMap(from =>
    names
      .filter(name => name !== 'arrives')
      .map(happening => {
        const bench = inState(from);
        const said = HAPPENINGS[happening](bench);
        return { from, happening, said: IMPOSSIBLE.has(said) ? null : said, to: stateOf(bench) };
      }),
  );
}

export function states(): readonly State[] {
  return Object.keys(STATES).filter((name): name is State => name in STATES);
}

const IMPOSSIBLE: ReadonlySet<string> = new Set(['nothing runs', 'nothing is open']);

/** The state in which a bench is, by where its run stands. */
export function stateOf({ state }: Bench): State | 'elsewhere' {
  const { run, pauses } = state.machine;
  const trunk = run?.tokens.find(token => token.branch === null);
  if (run === null || trunk === undefined) return 'elsewhere';
  const kinds = pauses.map(pause => pause.kind);
  const drafting = pauses.some(pause => pause.kind === 'card' && pause.status === 'drafting');
  switch (trunk.node) {
    case 'home':
      return 'idle';
    case 'draft_interpretation':
      return kinds.includes('recovery') ? 'draft cut short' : 'interpreting';
    case 'revise_interpretation':
      return kinds.includes('recovery') ? 'draft cut short' : drafting ? 'interpreting anew' : 'interpreting';
    case 'check_interpretation':
      return 'reviewing the interpretation';
    case 'draft_approach':
    case 'revise_approach':
      return kinds.includes('recovery') ? 'draft cut short' : drafting ? 'planning anew' : 'planning';
    case 'check_approach':
      return 'reviewing the plan';
    case 'execute':
      return kinds.includes('recovery') ? 'execution cut short' : 'executing';
    case 'wait_input':
      return kinds.includes('recovery') ? 'execution cut short' : 'waiting for data';
    default:
      return 'elsewhere';
  }
}

/** The table of the page: what leads on, then what leaves all as it is, by state. */
export function transitions(): string {
  const all = walk();
  const rows = states().flatMap(from => {
    const here = all.filter(one => one.from === from && one.said !== null);
    const moves = here.filter(one => one.said === 'accepted' && one.to !== from);
    const stays = here.filter(one => one.said === 'accepted' && one.to === from).map(one => one.happening);
    const refused = here.filter(one => one.said !== 'accepted');
    const byCode = [...new Set(refused.map(one => one.said ?? ''))].map(said => {
      const names = refused.filter(one => one.said === said).map(one => one.happening);
      return [from, names.join(', '), `refused: ${code(said)}`];
    });
    return [
      ...moves.map(one => [from, one.happening, `**${one.to}**`]),
      ...(stays.length === 0 ? [] : [[from, stays.join(', '), 'stays as it is']]),
      ...byCode,
    ];
  });
  return table(['In', 'When', 'Then'], rows);
}

let made: ReturnType<typeof compiled> | null = null;
function plan() {
  made ??= compiled();
  return made;
}

function compiled() {
  const prompts = Object.fromEntries(
    readdirSync(`${ROOT}prompts`).map(file => [
      file.replace(/\.md$/, ''),
      readFileSync(`${ROOT}prompts/${file}`, 'utf8'),
    ]),
  );
  const bundle = compileBundle({ main: readFileSync(`${ROOT}main.bot`, 'utf8'), prompts });
  const narrowed = bundle.plan === null ? null : runnable(bundle.plan);
  if (narrowed?.plan == null) throw new Error('confirm-first cannot be run.');
  return narrowed.plan;
}

type Judged = { readonly refused: { readonly code: string } } | { readonly did: unknown };

function told(judged: Judged): string {
  return 'refused' in judged ? judged.refused.code : 'accepted';
}

/** What is open for a person besides home. */
function pauseOf(bench: Bench): Pause | undefined {
  return bench.open.find(pause => pause.kind === 'card') ?? bench.open.find(pause => pause.kind !== 'chat');
}

function decide(bench: Bench, act: Act, version?: number): string {
  const pause = pauseOf(bench) ?? bench.open[0];
  if (pause === undefined) return 'nothing is open';
  const artifact = pause.kind === 'card' ? pause.shown.artifact : 'interpretation';
  return told(bench.decide(pause.id, act, version === undefined ? undefined : { artifact, version }));
}

function acts(action: string, feedback?: string): Doing {
  return bench => decide(bench, { do: 'act', action, ...(feedback === undefined ? {} : { feedback }) });
}

function confirmOf(bench: Bench): string {
  return pauseOf(bench)?.node === 'check_approach' ? 'confirm_standard' : 'confirm';
}

/** Words at a card, what the reader makes of them, and the answer to a question beside it. */
function says(read: Values): Doing {
  return bench => {
    const said = decide(bench, { do: 'say', text: 'words' });
    if (said !== 'accepted') return said;
    finish(bench, 'read_message', { kind: 'review', task: [], approach: [], progression: false, ...read });
    finish(bench, 'answer_protocol', { reply: 'So.' });
    return said;
  };
}

function finish(bench: Bench, node: string, output: Values): void {
  if (ready(bench.plan, bench.state)[0]?.node === node) bench.end(bench.start(), { is: 'done', output });
}

function chooses(bench: Bench, option: string, fields?: { [key: string]: string }): string {
  const pause = bench.open.find(open => open.kind === 'recovery') ?? pauseOf(bench) ?? bench.open[0];
  if (pause === undefined) return 'nothing is open';
  return told(bench.decide(pause.id, { do: 'answer', option, ...(fields === undefined ? {} : { fields }) }));
}

function interrupt(bench: Bench): string {
  const turn = bench.state.machine.turn?.id;
  if (turn === undefined) return 'nothing runs';
  started(bench);
  const judged = judgeInterrupt(bench.state, turn, ada);
  if ('entry' in judged) bench.enter(judged.entry);
  return told(judged);
}

/** The effect that runs, begun if it was about to be; `null` when there is none. */
function started(bench: Bench): `e${number}` | null {
  if (ready(bench.plan, bench.state).length > 0) return bench.start();
  const [stage] = (bench.state.machine.run?.tokens ?? []).flatMap(token =>
    token.stage.is === 'running' ? [token.stage] : [],
  );
  return stage?.effect ?? null;
}

function ends(bench: Bench, outcome: Parameters<Bench['end']>[1]): string {
  const effect = started(bench);
  if (effect === null) return 'nothing runs';
  bench.end(effect, outcome);
  return 'accepted';
}

/** What a node that runs gives; where another runs nothing of the kind can happen. */
function gives(outputs: Readonly<Record<string, Values>>): Doing {
  return bench => {
    const node = bench.state.machine.run?.tokens.find(token => token.branch === null)?.node ?? '';
    const output = Object.hasOwn(outputs, node) ? outputs[node] : undefined;
    return output === undefined ? 'nothing runs' : ends(bench, { is: 'done', output });
  };
}
