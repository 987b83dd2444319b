import { HearthProblem } from '@hearth/client/problem.ts';
import { cardReport, questionOf } from '@hearth/client/report.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { Io } from './command.ts';
import { failureOf } from './errors.ts';
import { printJson } from './output.ts';

/**
 * A failure as JSON, for whoever asked for JSON: `{error: {code, message}}`, and around it the turn report of the
 * conversation as it stands where the refusal told its state. The line on stderr and the exit code stay the same.
 */
export function printFailure(error: unknown, io: Io): void {
  const { code, message } = failureOf(error);
  const told = { code, message };
  const view = error instanceof HearthProblem ? error.view : null;
  printJson(io, view === null ? { error: told } : refusalReport(view, told));
}

function refusalReport(view: ConversationView, error: { code: string; message: string }): TurnReport {
  const questions = view.pauses.flatMap(pause => {
    const question = questionOf(pause);
    return question === null ? [] : [{ id: pause.id, text: headOf(pause.text), ...question }];
  });
  const cards = view.pauses.flatMap(pause => (pause.kind === 'card' ? [cardReport(pause)] : []));
  const turn = view.turn?.id ?? null;
  return {
    conversation: view.id,
    turn,
    state: 'failed',
    reply: '',
    quickReplies: [],
    questions,
    cards,
    error,
    cursor: view.head,
  };
}
