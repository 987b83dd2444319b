import type { Act } from '@hearth/protocol/decision.ts';
import type { ExitCode } from '@hearth/protocol/exit-code.ts';
import { ConversationId, PauseId, type TurnId } from '@hearth/protocol/ids.ts';
import { JsonObject } from '@hearth/protocol/json.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { type Invocation, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { exitOfReport, printReport } from './turn-output.ts';
import { waitForTurn } from './turn-wait.ts';

const GRANTS = ['once', 'always', 'deny'] as const;

/** What a person said in answer, before the pause is known. */
export interface Said {
  readonly choice: string | null;
  readonly text: string | null;
  readonly fields: string | null;
  readonly grant: string | null;
  readonly rule: string | null;
}

/** `hearth answer`: a decision that names the pause; whether it is open and fits is judged by the service. */
export async function answer(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const said: Said = {
    choice: call.option('choice'),
    text: call.option('text'),
    fields: call.option('fields'),
    grant: call.option('grant'),
    rule: call.option('rule'),
  };
  const question = questionNamed(call.words[0] ?? '', call.option('conversation'));
  // A wrong form is told before anything is started.
  actFor(said, null);
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, question.conversation);
  const view = await client.get(conversation);
  const pause = view.pauses.find(one => one.id === question.pause) ?? null;
  const { receipt } = await client.decide(conversation, question.pause, actFor(said, pause));
  io.interruption.message =
    'Interrupted; the answer is accepted and the turn goes on: see it with "hearth show".';
  const turn = receipt?.did.turn ?? pause?.turn ?? null;
  const report = await waitForTurn(io, client, { conversation, turn, message: null });
  if (call.flag('json')) printJson(io, report);
  else if (isToldLater(pause, view.turn?.id ?? null)) {
    print(io, 'The answer is kept: the agent that asked is told it when it works next.');
    printReport(io, { ...report, reply: '', quickReplies: [] }, question.conversation !== null);
  } else printReport(io, report, question.conversation !== null);
  return exitOfReport(report);
}

/** Whether nothing waits for the answer and the turn that asked is over, so that its reply was said before. */
export function isToldLater(pause: Pause | null, turn: TurnId | null): boolean {
  return pause?.kind === 'question' && !pause.blocking && pause.turn !== turn;
}

/** `p52` in the conversation that is named beside it or the default; `c_…/p52`. Throws `UsageError`. */
export function questionNamed(
  text: string,
  beside: string | null,
): { readonly conversation: string | null; readonly pause: PauseId } {
  const cut = text.lastIndexOf('/');
  const pause = PauseId.safeParse(text.slice(cut + 1));
  if (!pause.success)
    throw new UsageError(`"${text}" names no question: it looks like p7, or c_…/p7 in another conversation.`);
  const within = cut < 0 ? null : text.slice(0, cut);
  if (within !== null && beside !== null && within !== beside) {
    throw new UsageError(
      `The question is in ${within}, and --conversation names ${beside}: leave one of them out.`,
    );
  }
  const whole = within === null ? null : ConversationId.safeParse(within);
  return { conversation: whole?.success === true ? whole.data : (within ?? beside), pause: pause.data };
}

/** The act that was meant; `pause` is what is open under that name. Throws `UsageError`. */
export function actFor(said: Said, pause: Pause | null): Act {
  const { choice, text, fields, grant, rule } = said;
  if (rule !== null && grant === null) throw new UsageError('--rule belongs to --grant always or deny.');
  if (grant !== null) {
    if (choice !== null || text !== null || fields !== null)
      throw new UsageError('--grant stands alone: leave --choice, --text and --fields out.');
    return { do: 'permit', grant: grantNamed(grant), ...(rule === null ? {} : { rule }) };
  }
  if (choice === null && text === null && fields === null) {
    throw new UsageError(
      'Say the answer: --choice ID, --text TEXT, --fields JSON, or --grant once|always|deny.',
    );
  }
  // A report lists the grants of a permission as its options.
  if (pause?.kind === 'permission' && choice !== null && text === null && fields === null) {
    return { do: 'permit', grant: grantNamed(choice) };
  }
  return {
    do: 'answer',
    ...(choice === null ? {} : { option: choice }),
    ...(text === null ? {} : { text }),
    ...(fields === null ? {} : { fields: fieldsIn(fields) }),
  };
}

function grantNamed(text: string): (typeof GRANTS)[number] {
  const grant = GRANTS.find(one => one === text);
  if (grant === undefined) throw new UsageError(`"${text}" is no grant: use one of ${GRANTS.join(', ')}.`);
  return grant;
}

function fieldsIn(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('--fields is not JSON: give an object like \'{"name": "value"}\'.');
  }
  const fields = JsonObject.safeParse(value);
  if (!fields.success || Array.isArray(value))
    throw new UsageError('--fields is not a JSON object: give one like \'{"name": "value"}\'.');
  return fields.data;
}
