import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { stateWords } from '@hearth/client/tickets.ts';
import type { DispatchRow, DispatchStatus, DispatchWait } from '@hearth/protocol/dispatch.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation, Io } from './command.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/*
 * `hearth dispatch …`: whether bots work on tickets that are ready, and how each of those stands.
 */

/** `hearth dispatch status` */
export async function dispatchStatus(call: Invocation): Promise<ExitCode> {
  return told(call, await (await connect(call.io, 'cli')).dispatch());
}

/** `hearth dispatch on` */
export async function dispatchOn(call: Invocation): Promise<ExitCode> {
  return told(call, await (await connect(call.io, 'cli')).setDispatch(true));
}

/** `hearth dispatch off` */
export async function dispatchOff(call: Invocation): Promise<ExitCode> {
  return told(call, await (await connect(call.io, 'cli')).setDispatch(false));
}

function told(call: Invocation, status: DispatchStatus): ExitCode {
  const { io } = call;
  if (call.flag('json')) printJson(io, status);
  else printStatus(io, status);
  return status.problems.length === 0 ? EXIT.done : EXIT.failed;
}

function printStatus(io: Io, { on, concurrency, attempts, tickets, problems }: DispatchStatus): void {
  const most = concurrency === 1 ? 'one ticket at a time' : `at most ${concurrency} tickets at a time`;
  const tries = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  if (on) print(io, `The dispatcher is on: bots work on tickets that are ready, ${most}, ${tries} each.`);
  else
    print(io, 'The dispatcher is off: no bot begins a ticket by itself. "hearth dispatch on" changes that.');
  printTable(io, tickets.map(row));
  for (const problem of problems) io.stderr.write(`hearth: ${sanitiseLine(problem)}\n`);
}

function row(one: DispatchRow): readonly string[] {
  return [one.ticket, stateWords(one.state), one.bot ?? '', standing(one), one.title, one.workspace];
}

const WAITS: Readonly<Record<DispatchWait, string>> = {
  off: 'waits until the dispatcher is on',
  no_bot: 'has no bot',
  unfit: 'cannot be begun',
  no_place: 'waits for a place',
  held: 'is claimed elsewhere',
  retry: 'is tried again',
  blockers: 'waits for other tickets',
};

function standing({ is, conversation, pause, failures, why, detail, at }: DispatchRow): string {
  const where = conversation === null ? '' : ` in ${conversation}`;
  switch (is) {
    case 'working':
      return `worked on${where}`;
    case 'waits':
      return `waits for you${where}${pause === undefined ? '' : `/${pause}`}`;
    case 'gave_up':
      return `given up after ${failures} failed${where}`;
    case 'ready': {
      if (why === undefined) return 'is next';
      const more = at === undefined ? (detail === undefined ? '' : `: ${detail}`) : ` at ${at}`;
      return `${WAITS[why]}${more}`;
    }
  }
}
