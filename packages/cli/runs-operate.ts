import { durationOf } from '@hearth/language/duration.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import { type Invocation, UsageError } from './command.ts';
import { print, printJson } from './output.ts';
import { conversationAt, runAt } from './runs-named.ts';

/*
 * `hearth runs pause`, `resume`, `cancel` and `raise`: what is done to the run under way. A refusal is exit code 1, as
 * everywhere.
 */

const SAYS = {
  pause: 'is paused before its next step; "hearth runs resume" takes it up again.',
  resume: 'goes on.',
  cancel: 'is given up; the next message begins another.',
} as const;

/** `hearth runs pause`: before the run's next step. */
export const pauseRun = (call: Invocation): Promise<ExitCode> => operate(call, 'pause');
/** `hearth runs resume`: answers nothing for a person. */
export const resumeRun = (call: Invocation): Promise<ExitCode> => operate(call, 'resume');
/** `hearth runs cancel`: gives the run up, which cannot be taken back. */
export const cancelRun = (call: Invocation): Promise<ExitCode> => operate(call, 'cancel');

async function operate(call: Invocation, what: keyof typeof SAYS): Promise<ExitCode> {
  const { client, conversation, run } = await runAt(call);
  const { view } = await client.operate(conversation, run, what);
  if (call.flag('json')) printJson(call.io, view);
  else print(call.io, `Run ${run} ${SAYS[what]}`);
  return EXIT.done;
}

/** `hearth runs raise LEDGER AXIS TO`. `TO` is absolute: dollars, tokens, steps, or a time like `90m`. */
export async function raiseLimit(call: Invocation): Promise<ExitCode> {
  const [first = '', second = '', third = ''] = call.words;
  const ledger = LedgerName.safeParse(first);
  if (!ledger.success) throw new UsageError(`"${first}" is no ledger: write "burst" or "lifetime".`);
  const axis = Axis.safeParse(second);
  if (!axis.success)
    throw new UsageError(`"${second}" is no limit: write one of ${Axis.options.join(', ')}.`);
  const to = axis.data === 'duration' ? durationOf(third) : Number(third);
  if (to === undefined || !Number.isFinite(to) || to <= 0)
    throw new UsageError(
      axis.data === 'duration'
        ? `"${third}" is no time: write it like 45m, 1h30m or 90s.`
        : `"${third}" is no limit: write a number above the present one.`,
    );
  const { client, conversation } = await conversationAt(call);
  const { view } = await client.raise(conversation, ledger.data, axis.data, to);
  if (call.flag('json')) printJson(call.io, view.budget);
  else print(call.io, `The ${ledger.data} limit for ${axis.data} is ${third} now.`);
  return EXIT.done;
}
