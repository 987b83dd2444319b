import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { type RunStep, type RunSummary, waysOf } from '@hearth/protocol/run.ts';
import { costText, counted, spendText, timeText } from '@hearth/client/spend-text.ts';
import type { Said } from './turns-said.ts';

/*
 * The report of a run, in Markdown: what was asked, what ran, who decided what, what came of it and what failed. It is made
 * of names, codes and figures, and of what was said; nothing that a tool or a provider wrote is in it.
 */

/** What a report is made of. */
export interface Reported {
  readonly title: string;
  readonly bot: string;
  readonly summary: RunSummary;
  readonly said: readonly Said[];
  readonly steps: readonly RunStep[];
}

/** The report in Markdown; whatever came from outside is cleaned. */
export function reportOf(run: Reported): string {
  const { summary, title, bot } = run;
  const { code, status, startedAt, endedAt, spend, turns, dropped } = summary;
  const parts = [
    `# Run ${summary.run} of "${cell(title)}"`,
    [
      `- Bot: ${cell(bot)}`,
      `- Outcome: ${status}${code === undefined ? '' : ` (${cell(code)})`}`,
      `- Began: ${startedAt ?? 'before what is kept'}${endedAt === null ? '' : `, ended: ${endedAt}`}`,
      `- Used: ${spendText(spend)}, in ${counted(turns, 'turn')}`,
      ...(dropped === 0
        ? []
        : [`- Commits that are not kept any more, or not whole, and not counted: ${dropped}`]),
    ].join('\n'),
    section('What was asked', saidLines(run.said)),
    section('What ran', [...nodeTable(summary), ...toolLine(summary)]),
    section('Ways taken', wayLines(run.steps)),
    section('Pauses', pauseLines(run.steps)),
    section('Artifacts', artifactLines(run.steps)),
    section('Failures', failureLines(run.steps)),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}

/**
 * Words as a quotation, each line of them, so that none can be a heading of the report. A turn that began without words,
 * as a greeting does, asked nothing.
 */
function saidLines(said: readonly Said[]): string[] {
  const asked = said.filter(({ text }) => text.trim() !== '');
  return asked.flatMap(({ by, text }, index) => [
    ...(index === 0 ? [] : ['']),
    `**${cell(by)}:**`,
    '',
    ...text.split('\n').map(line => `> ${line}`.trimEnd()),
  ]);
}

function nodeTable({ nodes }: RunSummary): string[] {
  if (nodes.length === 0) return [];
  return [
    '| Node | Runs | Failed | Time | Tokens | Cost |',
    '|---|---|---|---|---|---|',
    ...nodes.map(
      ({ node, runs, failed, spend }) =>
        `| ${cell(node)} | ${runs} | ${failed} | ${timeText(spend.activeMs)} | ${spend.tokens ?? 'not known'} | ${costText(spend)} |`,
    ),
  ];
}

function toolLine({ tools }: RunSummary): string[] {
  if (tools.length === 0) return [];
  return ['', `Tools: ${tools.map(({ name, calls }) => `${cell(name)} (${calls})`).join(', ')}`];
}

function wayLines(steps: readonly RunStep[]): string[] {
  const count = new Map<string, number>();
  for (const step of steps) {
    if (step.is !== 'node') continue;
    for (const { to, loop } of waysOf(step)) {
      const way = `${cell(step.node)} → ${cell(to)}${loop === undefined ? '' : ` (loop ${cell(loop)})`}`;
      count.set(way, (count.get(way) ?? 0) + 1);
    }
  }
  return [...count].map(([way, times]) => `- ${way}${times === 1 ? '' : `: ${times} times`}`);
}

function pauseLines(steps: readonly RunStep[]): string[] {
  return steps.flatMap(step => {
    if (step.is !== 'pause' || step.kind === 'chat') return [];
    const end = steps.find(one => one.is === 'answer' && one.pause === step.pause);
    const why = step.cause === undefined ? '' : ` (${step.cause})`;
    const how =
      end?.is === 'answer'
        ? `${end.how} by ${cell(end.by.name)}${end.choice === undefined ? '' : `: ${cell(end.choice)}`}, ${end.at}`
        : 'still open';
    return [`- ${step.pause}, ${step.kind}${why} at ${cell(step.node)}, ${step.at}: ${how}`];
  });
}

function artifactLines(steps: readonly RunStep[]): string[] {
  return steps.flatMap(step =>
    step.is === 'artifact' ? [`- ${cell(step.artifact)}@${step.version}: ${step.change}, ${step.at}`] : [],
  );
}

function failureLines(steps: readonly RunStep[]): string[] {
  return steps.flatMap(step => {
    if (step.is === 'effect' && (step.change === 'failed' || step.change === 'cut'))
      return [
        `- ${cell(step.node ?? step.effect)}: ${step.change} (${cell(step.code ?? 'no code')}), ${step.at}`,
      ];
    if (step.is === 'tool' && (step.change === 'failed' || step.change === 'denied'))
      return [`- tool ${cell(step.name)}: ${step.change}, ${step.at}`];
    if (step.is === 'budget' && step.change !== 'raised')
      return [
        `- the ${step.ledger} budget for ${step.axis} ${step.change}: ${step.used} of ${step.limit}, ${step.at}`,
      ];
    return [];
  });
}

/** A name as it may stand in a line or a table of Markdown. */
function cell(text: string): string {
  return sanitiseLine(text).replace(/[\\|`*_<>[\]#]/g, found => `\\${found}`);
}
