import type { Values } from '@hearth/language/value.ts';
import { answerTo, HANDS_ON, isAnswered } from '../answerer.ts';
import { exactRule } from '@hearth/decisions/permission-rule.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { GRANTS, type PermitCall } from '@hearth/protocol/pause.ts';
import type { Answer, Ask } from '../backend.ts';
import { conform } from '../envelope.ts';
import { isModelNode } from '../runnable.ts';
import type { Asking } from '../question-state.ts';
import type { Again, ParkedAsk, Resume, RunState, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import type { Running } from './effect.ts';
import { leave } from './flow.ts';
import { openHuman } from './human.ts';
import { resumeParked } from './questions.ts';
import { hold } from './recovery.ts';
import { turnWaits } from './turn.ts';
import { publish } from './published.ts';

/*
 * What becomes of what an agent asks: pauses for a person, or a model that answers in the person's stead. The model opens
 * no pause; that it answered is told, and what it hands on, cannot answer or may not answer goes to the person.
 */

/** How often in a row a model may answer one agent; a person's answer begins the count anew. */
export const MODEL_ANSWERS = 5;
/** At most so much of what a model answered is told in one event. */
const TOLD_CHARS = 1000;

/** A step of an agent has asked: a model answers where the node says so, else the person is asked. */
export function asked(
  draft: Draft,
  token: Running,
  { asks, permits }: { readonly asks: readonly Ask[]; readonly permits: readonly PermitCall[] },
  again: Again,
): void {
  const node = draft.plan.nodes[token.node];
  const { effect, attempt, session, modelAnswers = 0, wait } = token.stage;
  const asking: Asking = {
    effect,
    attempt,
    session,
    asks,
    modelAnswers,
    ...(wait === undefined ? {} : { wait }),
  };
  // Leave for a call is a person's alone to give, and what is asked beside it goes to them too.
  const own = permits.length > 0 || asks.some(ask => ask.confirms === true);
  const may = isModelNode(node) && isAnswered(node) && !own;
  if (!may || (modelAnswers >= MODEL_ANSWERS && node.interaction === 'llm_or_human')) {
    askPerson(draft, token, asking, permits, spared(token.stage.answers));
  } else if (modelAnswers >= MODEL_ANSWERS) {
    const detail = `"${token.node}" asked again and again, and a model answered ${MODEL_ANSWERS} times in a row.`;
    hold(draft, token, { cause: 'failed', code: 'ASKED_TOO_OFTEN', detail, effect }, again);
  } else {
    askModel(token, asking);
  }
}

function askModel(token: Token, asking: Asking): void {
  token.stage = { is: 'ready', attempt: 1, resume: null, joined: [], asking };
}

/** Opens a pause for each ask and each call; the agent goes on when the last is answered, in whatever order. */
function askPerson(
  draft: Draft,
  token: Token,
  asking: Asking,
  permits: readonly PermitCall[] = [],
  spare: readonly ParkedAsk[] = [],
): void {
  const { run } = draft;
  if (run === null) return;
  const { effect, attempt, session, wait } = asking;
  const asks = asking.asks.map(ask => ({ ...ask, pause: draft.next('p'), result: null }));
  const calls = permits.map(call => ({ call, pause: draft.next('p') }));
  token.stage = {
    is: 'parked',
    effect,
    attempt,
    session,
    asks: [
      ...spare,
      ...asks.map(({ pause, text, call, options, result }) => ({
        pause,
        text,
        options,
        result,
        ...(call === undefined ? {} : { call }),
      })),
      ...calls.map(({ call, pause }) => permitAsk(call, pause)),
    ],
    ...(wait === undefined ? {} : { wait }),
  };
  for (const ask of asks) {
    draft.openPause(
      {
        id: ask.pause,
        run: run.id,
        turn: draft.machine.turn?.id ?? null,
        node: token.node,
        branch: token.branch,
        openedAt: draft.at,
        kind: 'question',
        text: draft.text(ask.text),
        asker: 'agent',
        blocking: true,
        options: [...ask.options],
        allowFreeText: ask.allowFreeText || ask.options.length === 0,
      },
      token,
    );
  }
  for (const { call, pause } of calls) {
    draft.openPause(
      {
        id: pause,
        run: run.id,
        turn: draft.machine.turn?.id ?? null,
        node: token.node,
        branch: token.branch,
        openedAt: draft.at,
        kind: 'permission',
        text: draft.text(permitWords(draft, call)),
        call,
        rule: exactRule(call),
      },
      token,
    );
  }
  turnWaits(draft);
  // What it waits for may have been answered while it ended its step.
  resumeParked(draft, token);
}

/** What was said to calls that the step has not made yet holds over the next park. */
function spared(answers: Resume['answers']): readonly ParkedAsk[] {
  return answers.flatMap(({ ask: text, permit, pause, ...rest }) =>
    permit === undefined || pause === undefined ? [] : [{ ...rest, text, permit, pause }],
  );
}

function permitAsk(call: PermitCall, pause: PauseId): ParkedAsk {
  const { id, tool, digest } = call;
  const text = `May "${tool}" be called?`;
  return { pause, text, options: GRANTS, result: null, call: id, permit: { tool, digest } };
}

function permitWords({ plan }: Draft, { tool }: PermitCall): string {
  return `${plan.title} asks for leave to call "${tool}".`;
}

/** Whether the effect of the token answers in a person's stead. */
export function standsIn(draft: Draft, token: Running): boolean {
  return token.stage.asking !== undefined || draft.plan.nodes[token.node]?.kind === 'human';
}

/** A model gave its answers. Why they cannot be taken, or `null`. */
export function answeredByModel(draft: Draft, token: Running, run: RunState, output: Values): string | null {
  const { asking } = token.stage;
  if (asking === undefined) return filledByModel(draft, token, run, output);
  if (output[HANDS_ON] === true && handsOn(draft, token)) {
    askPerson(draft, token, asking);
    return null;
  }
  const results = asking.asks.map((ask, index) => answerTo(ask, output, index));
  const missing = results.findIndex(result => result === null);
  if (missing >= 0) return `question ${missing + 1} has no answer that it allows`;
  const answers = asking.asks.flatMap(({ text, call, options }, index) => {
    const result = results[index];
    return result == null ? [] : [{ ask: text, options, result, ...(call === undefined ? {} : { call }) }];
  });
  const { attempt, session, modelAnswers } = asking;
  const waiting: Token = token;
  waiting.stage = {
    is: 'ready',
    attempt,
    resume: { session, answers, modelAnswers: modelAnswers + 1 },
    joined: [],
  };
  tell(draft, token, answers.map(answer => `${answer.ask} ${wordsOf(answer.result)}`).join(' / '));
  return null;
}

/** A human node's output, by a model. */
function filledByModel(draft: Draft, token: Running, run: RunState, output: Values): string | null {
  const node = draft.plan.nodes[token.node];
  if (node?.kind !== 'human') return 'nothing was asked';
  const { [HANDS_ON]: hands, ...rest } = output;
  if (hands === true && handsOn(draft, token)) {
    openHuman(draft, run, token, node);
    return null;
  }
  const fitted = conform(draft.plan, node.output, rest);
  if (!fitted.ok) return fitted.why;
  tell(draft, token, JSON.stringify(fitted.output));
  publish(draft, run, token, fitted.output);
  leave(draft, run, token, fitted.output);
  return null;
}

/** A model could not answer: the person is asked where the node allows it. `false`: nobody may be asked. */
export function handedOn(draft: Draft, token: Running, why: string): boolean {
  const { run } = draft;
  const node = draft.plan.nodes[token.node];
  if (run === null || node === undefined || !standsIn(draft, token) || !handsOn(draft, token)) return false;
  const { asking } = token.stage;
  draft.notice('not_answered_by_model', 'warning', `A model could not answer for you: ${why}`);
  if (asking !== undefined) askPerson(draft, token, asking);
  else if (node.kind === 'human') openHuman(draft, run, token, node);
  return true;
}

function handsOn(draft: Draft, token: Token): boolean {
  const node = draft.plan.nodes[token.node];
  return (isModelNode(node) || node?.kind === 'human') && node.interaction === 'llm_or_human';
}

function tell(draft: Draft, token: Token, words: string): void {
  const what = words.length > TOLD_CHARS ? `${words.slice(0, TOLD_CHARS)}…` : words;
  const text = `A model answered "${token.node}" in your place: ${what}`;
  draft.emit({ type: 'notice', code: 'answered_by_model', severity: 'info', text }, token);
}

function wordsOf({ option, text }: Answer): string {
  return `→ ${option ?? text ?? ''}`;
}
