import { render } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import { blocks, isDrafting, type Pause } from '@hearth/protocol/pause.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { judgeInterrupt, judgeMessage } from '../accept.ts';
import { compute } from '../compute.ts';
import { documentOf, sameRef, strayFrom, unmet } from '../document.ts';
import type { EntryBody, Outcome } from '../entry.ts';
import { branchOf, frameOf } from '../frame.ts';
import { digestOf } from '../long-text.ts';
import { apply, type Effect, judge, ready } from '../machine.ts';
import { judgeCancel, judgePause, judgeResume } from '../operate.ts';
import { quiescent } from '../quiescent.ts';
import type { Plan } from '../runnable.ts';
import { lookupIn, scopeOf } from '../scope.ts';
import { initialState, type RunState, type State, type Token } from '../state.ts';
import { nextDue } from '../waits.ts';
import { ada, ask, at, digest } from './bench.ts';
import { canonical } from './canonical.ts';

/*
 * All states that a plan can come to, whatever backends, people and crashes do, up to the names of what is in them. Breadth
 * first, so that the way to a state that should not be is as short as it can be.
 */

/** What may happen to the plan's nodes. */
export interface Model {
  readonly plan: Plan;
  /** What an agent may put out, by its node. */
  readonly outputs: Readonly<Record<string, readonly Values[]>>;
  /** Agents that may ask. */
  readonly asking?: readonly string[];
  /** Agents that may ask once without waiting. */
  readonly beside?: readonly string[];
  /** Messages that may wait at once. */
  readonly queue?: number;
  /** Whether people pause, resume and cancel the run too. */
  readonly operated?: true;
  /** Whether people type words at cards. */
  readonly says?: true;
}

/** One thing that may happen. */
interface Move {
  readonly what: string;
  readonly state: State;
}

export interface Reached {
  /** Where it stands, in words. */
  readonly states: ReadonlyMap<string, { readonly state: State; readonly way: readonly string[] }>;
  /** The states that each leads to. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Walks all states; throws with the way to the first one in which something is wrong. */
export function explore(model: Model, most: number): Reached {
  const states = new Map<string, { state: State; way: readonly string[] }>();
  const next = new Map<string, Set<string>>();
  const first = initialState();
  states.set(canonical(model.plan, first), { state: first, way: [] });
  // A map is walked in the order of insertion, what is added on the way included.
  for (const [key, { state, way }] of states) {
    const wrong = faultsOf(model.plan, state);
    if (wrong.length > 0) throw new Error(`${wrong.join('; ')}\nafter: ${way.join(', ')}`);
    const leads = new Set<string>();
    next.set(key, leads);
    for (const move of movesFrom(model, state)) {
      const to = canonical(model.plan, move.state);
      leads.add(to);
      if (!states.has(to)) states.set(to, { state: forgetful(move.state), way: [...way, move.what] });
    }
    if (states.size > most) throw new Error(`There are more than ${most} states.`);
  }
  return { states, next };
}

/** Pauses that closed are kept only to tell who comes too late. */
function forgetful(state: State): State {
  return { ...state, machine: { ...state.machine, closed: [] } };
}

/** The ways to states from which no state of rest can be come to any more. */
export function traps({ states, next }: Reached): readonly string[] {
  const before = new Map<string, string[]>();
  for (const [from, leads] of next) for (const to of leads) before.set(to, [...(before.get(to) ?? []), from]);
  const safe = new Set([...states].flatMap(([key, { state }]) => (rests(state) ? [key] : [])));
  for (const key of safe) for (const from of before.get(key) ?? []) safe.add(from);
  return [...states].flatMap(([key, { way }]) => (safe.has(key) ? [] : [way.join(', ')]));
}

/** Nobody waits for anything: home base is open, or no run is. */
function rests({ machine, inbox }: State): boolean {
  return machine.turn === null && inbox.length === 0 && machine.pauses.every(pause => pause.kind === 'chat');
}

function movesFrom(model: Model, state: State): readonly Move[] {
  const { plan, queue = 1 } = model;
  const { machine } = state;
  const moves: Move[] = [];
  const enter = (what: string, ...entries: EntryBody[]): void => {
    moves.push({
      what,
      state: worked(
        plan,
        entries.reduce((folded, entry) => apply(plan, folded, { at, ...entry }), state),
      ),
    });
  };
  if (state.inbox.length < (machine.turn === null ? Math.max(1, queue) : queue)) {
    const message = { text: 'go', delivery: 'queue', workspace: null, by: ada } as const;
    const judged = judgeMessage(plan, state, {
      ...message,
      commandId: 'message-000000000000',
      planDigest: digest,
      at,
    });
    if ('entry' in judged) enter('send', judged.entry);
  }
  for (const effect of ready(plan, state)) enter(`start ${placed(effect)}`, intent(effect));
  const running = (machine.run?.tokens ?? []).flatMap(token => (token.stage.is === 'running' ? [token] : []));
  for (const token of running) for (const [what, entry] of endings(model, token)) enter(what, entry);
  for (const { node, stage } of running) {
    const asked = machine.run?.questions?.some(one => one.node === node) === true;
    if (stage.is === 'running' && !asked && model.beside?.includes(node) === true)
      enter(`ask beside ${node}`, { is: 'asked', effect: stage.effect, ask: ask('Beside?') });
  }
  const due = nextDue(state);
  if (due !== null) enter('the wait is over', { is: 'waited', effect: due.effect });
  const effects = running.flatMap(({ stage }) => (stage.is === 'running' ? [stage.effect] : []));
  if (effects.length > 0) enter('crash', { is: 'restarted', effects });
  if (machine.turn !== null) {
    const judged = judgeInterrupt(state, machine.turn.id, ada);
    if ('entry' in judged) enter('interrupt', judged.entry);
  }
  if (model.operated === true && machine.run !== null) {
    const { id } = machine.run;
    const operations = [
      ['pause', judgePause(state, id, ada)],
      ['resume', judgeResume(plan, state, id, ada)],
      ['cancel', judgeCancel(state, id, ada)],
    ] as const;
    for (const [what, judged] of operations) if ('entry' in judged) enter(what, judged.entry);
  }
  for (const pause of machine.pauses)
    for (const act of actsAt(model, pause)) {
      const judged = judge(plan, state, {
        commandId: 'decision-00000000000',
        pause: pause.id,
        act,
        actor: ada,
        ...(pause.kind === 'card' ? { artifact: pause.shown.artifact, version: pause.shown.version } : {}),
      });
      if ('entry' in judged) enter(`${wordsOf(act)} at ${pause.kind} of ${placed(pause)}`, judged.entry);
    }
  return moves;
}

function wordsOf(act: Act): string {
  if (act.do === 'act') return act.action;
  return act.do === 'answer' ? (act.option ?? 'answer') : act.do;
}

const placed = ({ node, branch }: { node: string; branch: string | null }): string =>
  branch === null ? node : `${node} in ${branch}`;

function intent({ id, branch, node, kind, attempt }: Effect): EntryBody {
  return { is: 'intended', effect: { id, branch, node, kind, attempt, backend: null } };
}

function endings(
  { outputs, asking = [] }: Model,
  { node, branch, stage }: Token,
): (readonly [string, EntryBody])[] {
  if (stage.is !== 'running') return [];
  const end = (what: string, outcome: Outcome) =>
    [
      `${what} ${placed({ node, branch })}`,
      { is: 'ended', effect: stage.effect, outcome, spend: NO_SPEND },
    ] as const;
  return [
    ...(outputs[node] ?? []).map(output => end('end', { is: 'done', output })),
    end('fail', { is: 'failed', code: 'auth', message: 'no key', began: true }),
    ...(stage.interrupted ? [end('stop', { is: 'stopped' })] : []),
    ...(asking.includes(node) ? [end('park', { is: 'parked', asks: [ask('Which?')], permits: [] })] : []),
  ];
}

/** Each action with the words that it needs, and once a confirmation that comes with words. */
function actionsOf({ actions }: Extract<Pause, { kind: 'card' | 'input' }>): readonly Act[] {
  return actions.flatMap(({ name, needs, button, confirms }): Act[] => {
    const plain: Act = { do: 'act', action: name };
    const worded: Act = { ...plain, feedback: 'more' };
    return confirms ? [plain, worded] : [needs === 'feedback' || !button ? worded : plain];
  });
}

function actsAt({ outputs, says }: Model, pause: Pause): readonly Act[] {
  switch (pause.kind) {
    case 'question':
      return [{ do: 'answer', option: 'yes' }, { do: 'cancel' }];
    case 'input':
      return [
        ...(outputs[pause.node] ?? []).map((fields): Act => ({ do: 'answer', fields })),
        ...actionsOf(pause),
      ];
    case 'card':
      return [...actionsOf(pause), ...(says === true ? [{ do: 'say', text: 'words' } as const] : [])];
    case 'recovery':
      return pause.choices.map(({ id: option }) => {
        const [fields] = outputs[pause.node] ?? [];
        return option === 'it_happened' && fields !== undefined
          ? { do: 'answer', option, fields }
          : { do: 'answer', option };
      });
    default:
      return [];
  }
}

/** Works out the compute nodes that are ready, as the run does within one commit. */
function worked(plan: Plan, state: State): State {
  const effect = ready(plan, state).find(found => found.kind === 'compute');
  const node = plan.nodes[effect?.node ?? ''];
  const { run } = state.machine;
  if (effect === undefined || node?.kind !== 'compute' || run === null) return state;
  const outcome = compute(plan, frameOf(run, effect.branch), node, effect.input, state.ledgers);
  const begun = apply(plan, state, { at, ...intent(effect) });
  return worked(plan, apply(plan, begun, { at, is: 'ended', effect: effect.id, outcome, spend: NO_SPEND }));
}

/** What is wrong with a state, in words. */
function faultsOf(plan: Plan, state: State): readonly string[] {
  const { machine, inbox } = state;
  const run = machine.run?.status === 'active' ? machine.run : null;
  const faults: string[] = [];
  const claim = (holds: boolean, otherwise: string): void => {
    if (!holds) faults.push(otherwise);
  };
  const still = quiescent(state);
  if (still && run !== null) claim(machine.pauses.length > 0, 'nothing runs, and nobody is asked anything');
  if (still && inbox.length > 0) claim(machine.pauses.some(blocks), 'a message waits for nothing');
  claim(machine.turn === null || run !== null, 'there is a turn without a run');
  claim(machine.pauses.filter(pause => pause.kind === 'chat').length < 2, 'there are two homes');
  if (machine.turn !== null)
    claim(
      (machine.turn.status === 'waiting') === still,
      `the turn is ${machine.turn.status}, which it is not`,
    );
  const asked = (run?.tokens ?? []).flatMap(pausesOf);
  claim(new Set(asked).size === asked.length, 'two tokens wait at one pause');
  const open = machine.pauses.map(pause => pause.id);
  claim(
    machine.pauses.every(pause => asked.includes(pause.id) || isDrafting(pause) || isBeside(pause)),
    'a pause is open that no token waits at',
  );
  claim(
    asked.every(id => open.includes(id)),
    'a token waits at a pause that is not open',
  );
  for (const effect of ready(plan, state))
    claim(ready(plan, state).filter(({ id }) => id === effect.id).length === 1, 'two effects share an id');
  if (run !== null)
    faults.push(
      ...branchFaults(run),
      ...reviewFaults(plan, state, run),
      ...run.tokens.flatMap(token => inputFaults(plan, state, run, token)),
    );
  return faults;
}

/** A question that nobody need wait for. */
function isBeside(pause: Pause): boolean {
  return pause.kind === 'question' && !pause.blocking;
}

/** The pauses that a token waits at and a person has not answered. */
function pausesOf({ stage }: Token): readonly Pause['id'][] {
  if (stage.is === 'held' || stage.is === 'home') return [stage.pause];
  return stage.is === 'parked' ? stage.asks.flatMap(one => (one.result === null ? [one.pause] : [])) : [];
}

function branchFaults(run: RunState): readonly string[] {
  const faults: string[] = [];
  for (const token of run.tokens) {
    const { stage, branch } = token;
    if (stage.is === 'met' || stage.is === 'fallen')
      faults.push(`a token has ${stage.is} and is still there`);
    if (branch !== null && token.beside === undefined && branchOf(run, branch) === null)
      faults.push(`there is no branch ${branch}`);
    if (stage.is === 'home' && branch !== null) faults.push('home is in a branch');
    if (run.tokens.some(other => other !== token && other.branch === branch))
      faults.push('two tokens are in one branch');
    if (stage.is !== 'forked') continue;
    for (const { id, end } of stage.fork.branches) {
      if ((end === null) !== run.tokens.some(other => other.branch === id))
        faults.push(`${id} has no token, or ended and has one`);
    }
    if (stage.fork.branches.every(({ end }) => end !== null))
      faults.push('a fork whose branches have all ended is still there');
  }
  return faults;
}

/** What must hold of artifacts and their cards at any moment. */
function reviewFaults(plan: Plan, { machine }: State, run: RunState): readonly string[] {
  const faults: string[] = [];
  const works = run.tokens.some(({ beside, stage }) => beside === undefined && stage.is !== 'home');
  for (const token of run.tokens) {
    const node = plan.nodes[token.node];
    const required = node !== undefined && 'requires' in node ? (node.requires ?? []) : [];
    if (token.stage.is !== 'running' && token.stage.is !== 'ready') continue;
    faults.push(...required.flatMap(name => unmet(plan, run, name) ?? []));
  }
  for (const pause of machine.pauses) {
    if (pause.kind !== 'card') continue;
    const { shown, status } = pause;
    const document = documentOf(run, shown.artifact);
    if (status === 'drafting' && !works) faults.push('a card waits for a version that nobody makes');
    if (status === 'shown' && (document?.current == null || !sameRef(document.current, shown)))
      faults.push('a card shows another version than the one that counts');
    const confirms = pause.actions.some(action => action.confirms && action.enabled);
    if (confirms && (document?.change != null || status === 'drafting'))
      faults.push('a version can be confirmed although a change is pending');
  }
  for (const name of Object.keys(run.documents ?? {})) {
    const document = documentOf(run, name);
    if (document?.status !== 'confirmed') continue;
    if (document.current !== null && digestOf(document.body) !== document.current.digest)
      faults.push('the text of a confirmed version has changed');
    const stray = strayFrom(plan, run, document);
    if (stray !== null) faults.push(`"${name}" is confirmed although ${stray}`);
  }
  return faults;
}

/** What a node that runs or is about to is asked must be there: no reference of its prompt may be left over. */
function inputFaults(plan: Plan, state: State, run: RunState, token: Token): readonly string[] {
  const node = plan.nodes[token.node];
  if (node?.kind !== 'agent' || node.user === null || token.stage.is === 'forked') return [];
  const prompt = plan.prompts[node.user];
  if (prompt === undefined) return [];
  const words = render(
    prompt,
    lookupIn(scopeOf(plan, frameOf(run, token.branch), token.input, state.ledgers)),
  );
  return words.includes('{{') ? [`"${token.node}" is asked ${words}`] : [];
}
