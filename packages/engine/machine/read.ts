import { evaluate } from '@hearth/language/expr/evaluation.ts';
import { truthy } from '@hearth/language/expr/values.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { judgeDecision } from '@hearth/decisions/judge.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import type { Beside } from '../beside.ts';
import { docketOf } from '../docket.ts';
import { actionsAt } from '../document.ts';
import type { RunState, Token } from '../state.ts';
import { act } from './acted.ts';
import type { Draft } from './draft.ts';
import { drop } from './drop.ts';
import { sayReply } from './human.ts';

/*
 * What comes of work beside the graph. The reader names nothing itself: the first action, in the declared order, whose
 * condition holds for what it gave is taken as if its button had been pressed, and is judged like that.
 */

/** Takes what was worked out beside the graph; what is no longer of use was given up before. */
export function besideDone(draft: Draft, run: RunState, token: Token, beside: Beside, output: Values): void {
  drop(draft, run, token);
  if (beside.as === 'aside') {
    sayReply(draft, answerIn(output));
    return;
  }
  const pause = draft.machine.pauses.find(open => open.id === beside.pause);
  if (pause?.kind === 'card') actOn(draft, pause, beside, output);
}

function actOn(draft: Draft, pause: CardPause, beside: Beside, output: Values): void {
  const { plan } = draft;
  const meant = actionsAt(plan, pause.node).find(action => {
    if (action.when === null) return false;
    const held = evaluate(action.when.expr, { input: output });
    return held.ok && truthy(held.value);
  });
  if (meant === undefined) {
    sayReply(draft, unclear(pause));
    return;
  }
  const words = meant.confirms || meant.stops ? '' : beside.text;
  const verdict = judgeDecision(docketOf(plan, draft.state), {
    commandId: 'read-by-the-reader',
    pause: pause.id,
    artifact: beside.shown?.artifact ?? '',
    version: beside.shown?.version ?? 0,
    act: { do: 'act', action: meant.name, ...(words === '' ? {} : { feedback: words }) },
    actor: beside.by,
  });
  if ('refused' in verdict) sayReply(draft, verdict.refused.message);
  else act(draft, pause, { action: meant.name, words, by: beside.by });
}

/** Asked when nobody can tell what the words are to change; nothing is done with them. */
function unclear({ actions }: CardPause): string {
  const labels = actions.filter(({ button, enabled }) => button && enabled).map(({ label }) => `"${label}"`);
  return `It is not clear what these words are to change here, so nothing was done with them. Say it in other words, or choose: ${labels.join(', ')}.`;
}

/** The words of an answer: the field that is meant for a person, else the first text. */
function answerIn(output: Values): string {
  const named = ['reply', 'body', 'text', 'result'].map(name => output[name]);
  const all: (Value | undefined)[] = [...named, ...Object.values(output)];
  return all.find((value): value is string => typeof value === 'string') ?? JSON.stringify(output);
}
