import type { Act } from '@hearth/protocol/decision.ts';
import type { QuestionPause } from '@hearth/protocol/pause.ts';
import type { Answer } from '../backend.ts';
import type { EntryOf } from '../entry.ts';
import { isOver, putOutBy, waitedFor } from '../open-questions.ts';
import type { Wait } from '../question-state.ts';
import type { ParkedAsk, Resume, RunState, Token } from '../state.ts';
import { type Draft, SERVICE } from './draft.ts';
import { runningToken } from './effect.ts';
import { turnResumes } from './turn.ts';

/*
 * Questions that nobody waits for, and waiting for them after all. A question closes when a person answers or withdraws it
 * and when its run ends; neither a message, nor the end of a turn, nor a wait that took too long closes it.
 */

/** An agent asked without waiting: the question opens beside whatever else goes on. */
export function askedAsync(draft: Draft, entry: EntryOf<'asked'>): void {
  const { run } = draft;
  const token = runningToken(draft, entry.effect);
  if (token === undefined || run === null) return;
  const { text, options, allowFreeText } = entry.ask;
  const pause = draft.next('p');
  const line = draft.next('m');
  const { node, branch } = token;
  run.questions = [
    ...(run.questions ?? []),
    { pause, line, node, branch, text, options, result: null, told: null },
  ];
  draft.openPause(
    {
      id: pause,
      run: run.id,
      turn: draft.machine.turn?.id ?? null,
      node,
      branch,
      openedAt: draft.at,
      kind: 'question',
      text: draft.text(text),
      asker: 'agent',
      blocking: false,
      options: [...options],
      allowFreeText: allowFreeText || options.length === 0,
    },
    token,
  );
}

/** An agent waits for its questions: it is told at once what is answered, or parks. */
export function awaits(draft: Draft, entry: EntryOf<'awaits'>): void {
  const { run } = draft;
  const token = runningToken(draft, entry.effect);
  if (token === undefined || run === null) return;
  if (!isOver(run, entry.wait)) token.stage.wait = entry.wait;
  else
    for (const one of run.questions ?? []) {
      if (entry.wait.questions.includes(one.pause) && one.result !== null)
        one.told = { effect: entry.effect, by: 'result' };
    }
}

/** The time of a wait is up: it ends, and the questions stay. */
export function waited(draft: Draft, entry: EntryOf<'waited'>): void {
  for (const token of draft.run?.tokens ?? []) {
    const { stage } = token;
    if (stage.is !== 'parked' || stage.effect !== entry.effect || stage.wait === undefined) continue;
    stage.wait = { ...stage.wait, late: true };
    resumeParked(draft, token);
  }
}

/** A person answered or withdrew a question that nobody waits for. `false`: it is none of these. */
export function answeredAsync(draft: Draft, pause: QuestionPause, act: Act, answer: Answer): boolean {
  const { run } = draft;
  const question = run?.questions?.find(one => one.pause === pause.id);
  if (run === null || question === undefined) return false;
  question.result = act.do === 'answer' ? answer : 'cancelled';
  for (const token of run.tokens) resumeParked(draft, token);
  return true;
}

/** Lets a parked agent go on in its own session when nothing that it waits for is open any more. */
export function resumeParked(draft: Draft, token: Token): void {
  const { run } = draft;
  const { stage } = token;
  if (stage.is !== 'parked' || run === null) return;
  const answers = answersOf(stage.asks);
  if (answers.length < stage.asks.length) return;
  const { wait, attempt, session } = stage;
  if (wait !== undefined && !isOver(run, wait)) return;
  const collected = wait === undefined ? [] : [collect(draft, run, token, wait)];
  token.stage = {
    is: 'ready',
    attempt,
    resume: { session, answers: [...answers, ...collected] },
    joined: [],
  };
  turnResumes(draft);
}

function answersOf(asks: readonly ParkedAsk[]): Resume['answers'] {
  return asks.flatMap(({ text, call, options, result, permit, pause }) =>
    result === null
      ? []
      : [
          {
            ask: text,
            options,
            result,
            ...(call === undefined ? {} : { call }),
            ...(permit === undefined ? {} : { permit, pause }),
          },
        ],
  );
}

/** What the wait came to, as the answer to its call. It is with the step that goes on, whatever becomes of that. */
function collect(draft: Draft, run: RunState, token: Token, wait: Wait): Resume['answers'][number] {
  const atNode = draft.plan.nodes[token.node]?.kind === 'await_answers';
  const fields = atNode ? putOutBy(run, wait) : waitedFor(run, wait);
  run.questions =
    run.questions?.filter(one => one.result === null || !wait.questions.includes(one.pause)) ?? [];
  return { ask: 'await_answers', call: wait.call, options: [], result: { fields } };
}

/** The run, or a branch of it, is over: nobody is left who could be told an answer. */
export function closeQuestions(draft: Draft, branch?: string): void {
  const { run } = draft;
  if (run?.questions === undefined) return;
  const gone = run.questions.filter(one => branch === undefined || one.branch === branch);
  for (const { pause } of gone) draft.closePause(pause, 'cancelled', SERVICE);
  run.questions = run.questions.filter(one => !gone.includes(one));
}
