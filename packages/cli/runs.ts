import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type RunStep, type RunSummary, waysOf } from '@hearth/protocol/run.ts';
import type { Invocation, Io } from './command.ts';
import { localMinute } from './local-time.ts';
import { print, printJson, printTable } from './output.ts';
import { reportOf } from './run-report.ts';
import { costText, counted, spendText, timeText } from '@hearth/client/spend-text.ts';
import { conversationAt, runAt } from './runs-named.ts';
import { turnsSaid } from './turns-said.ts';

/*
 * `hearth runs list`, `show`, `trace` and `report`: looking at what ran. Nothing here changes anything.
 */

/** `hearth runs list`. */
export async function listRuns(call: Invocation): Promise<ExitCode> {
  const { client, conversation } = await conversationAt(call);
  const list = await client.runs(conversation);
  if (call.flag('json')) printJson(call.io, list);
  else if (list.runs.length === 0) print(call.io, 'No run has begun here yet.');
  else printTable(call.io, list.runs.map(row));
  return EXIT.done;
}

function row({ run, status, startedAt, turns, spend, code }: RunSummary): string[] {
  const how = code === undefined ? status : `${status} (${code})`;
  return [
    run,
    how,
    startedAt === null ? 'began before what is kept' : localMinute(startedAt),
    counted(turns, 'turn'),
    spendText(spend),
  ];
}

/** `hearth runs show`: the run that is named, else the latest. */
export async function showRun(call: Invocation): Promise<ExitCode> {
  const { client, conversation, run } = await runAt(call);
  const found = await client.run(conversation, run);
  if (call.flag('json')) printJson(call.io, found);
  else printRun(call.io, found);
  return EXIT.done;
}

function printRun(io: Io, found: RunSummary): void {
  const { run, status, code, startedAt, endedAt, turns, pauses, spend, dropped } = found;
  print(io, `${run}  ${code === undefined ? status : `${status} (${code})`}`);
  if (startedAt !== null)
    print(io, `Began ${localMinute(startedAt)}${endedAt === null ? '' : `, ended ${localMinute(endedAt)}`}`);
  print(io, `${counted(turns, 'turn')}, ${counted(pauses, 'pause')}, ${spendText(spend)}`);
  if (dropped > 0)
    print(io, `Commits of it that are not kept any more, or not whole, and not counted: ${dropped}.`);
  if (found.nodes.length > 0) {
    const head = ['node', 'runs', 'failed', 'time', 'tokens', 'cost'];
    printTable(io, [
      head,
      ...found.nodes.map(({ node, runs, failed, spend: of }) => [
        node,
        String(runs),
        String(failed),
        timeText(of.activeMs),
        of.tokens === null ? 'not known' : String(of.tokens),
        costText(of),
      ]),
    ]);
  }
  const tools = found.tools.map(({ name, calls }) => `${name} (${calls})`).join(', ');
  if (tools !== '') print(io, `Tools: ${sanitiseLine(tools)}`);
}

/** `hearth runs trace`: every step that is kept, and how many are not. */
export async function traceRun(call: Invocation): Promise<ExitCode> {
  const { client, conversation, run } = await runAt(call);
  const trace = await client.trace(conversation, run);
  if (call.flag('json')) {
    printJson(call.io, trace);
    return EXIT.done;
  }
  if (trace.dropped > 0)
    print(call.io, `Commits of ${run} that are not kept any more, or not whole: ${trace.dropped}.`);
  printTable(
    call.io,
    trace.steps.map(step => [step.at, step.turn ?? '', step.is, wordsOf(step)]),
  );
  return EXIT.done;
}

/** A step in one line. */
export function wordsOf(step: RunStep): string {
  switch (step.is) {
    case 'run':
      return [step.change, step.reason, step.code, step.by && `by ${step.by.name}`].filter(Boolean).join(' ');
    case 'turn':
      return [step.change, step.code, step.spend && spendText(step.spend)].filter(Boolean).join(' ');
    case 'node': {
      const ways = waysOf(step).map(({ to, loop }) => `${to}${loop === undefined ? '' : ` (${loop})`}`);
      const way = ways.length === 0 ? '' : ` -> ${ways.join(', ')}`;
      return `${step.node}${step.iteration > 0 ? ` #${step.iteration}` : ''} ${step.change}${way}`;
    }
    case 'effect': {
      const attempt = step.attempt === undefined || step.attempt === 1 ? '' : ` attempt ${step.attempt}`;
      const used = step.spend === undefined ? '' : ` ${spendText(step.spend)}`;
      return `${step.effect} ${step.node ?? ''} ${step.change}${attempt}${step.code ? ` ${step.code}` : ''}${used}`;
    }
    case 'session':
      return `${step.node} ${step.backend} ${step.change}`;
    case 'tool':
      return `${step.name} ${step.change}${step.ms === undefined ? '' : ` ${timeText(step.ms)}`}`;
    case 'pause':
      return `${step.pause} ${step.kind} at ${step.node}${step.cause === undefined ? '' : ` ${step.cause}`}`;
    case 'answer':
      return `${step.pause} ${step.how} by ${step.by.name}${step.choice === undefined ? '' : ` ${step.choice}`}`;
    case 'budget':
      return `${step.ledger} ${step.axis} ${step.change} (${step.used} of ${step.limit})`;
    case 'artifact':
      return `${step.artifact}@${step.version} ${step.change}`;
    case 'notice':
      return `${step.severity} ${step.code}`;
  }
}

/** `hearth runs report`: Markdown; with `--json` the parts that it is made of. */
export async function reportRun(call: Invocation): Promise<ExitCode> {
  const { client, conversation, run } = await runAt(call);
  const [view, summary, trace] = await Promise.all([
    client.get(conversation),
    client.run(conversation, run),
    client.trace(conversation, run),
  ]);
  const said = await turnsSaid(client, conversation, trace.steps);
  if (call.flag('json')) printJson(call.io, { summary, said, steps: trace.steps });
  else print(call.io, reportOf({ title: view.title, bot: view.bot, summary, said, steps: trace.steps }));
  return EXIT.done;
}
