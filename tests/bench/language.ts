import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Row } from './row.ts';
import { row } from './row.ts';

/*
 * How long a bot takes to compile, and that twice the bot takes twice as long, also where its loops lie in one another and
 * where each of its nodes reads from any before it.
 */

/** Lines of the bot that the other sizes are multiples of. */
const LINES = 1_000;
const MULTIPLES = [1, 10, 100];
/** Milliseconds for that bot, at most. */
const WANTED_MS = 20;

interface CompileTime {
  readonly lines: number;
  /** Milliseconds, warm: the median of some runs. */
  readonly ms: number;
}

/** The rows of both: a bot against what was wanted, and a line of longer ones against a line of that. */
export function compiling(): readonly Row[] {
  const times = compileTimes(botOf, MULTIPLES);
  const [one] = times;
  if (one === undefined) return [];
  return [
    row(`compile ${one.lines} lines, warm, p50`, one.ms, WANTED_MS, 'ms', '≤ 1 ×'),
    ...againstFirst('', times),
    ...againstFirst(' with loops in loops', compileTimes(nestedOf, MULTIPLES.slice(0, 2))),
    ...againstFirst(' with far references', compileTimes(farOf, MULTIPLES.slice(0, 2))),
  ];
}

/** What a line of each longer bot takes, against a line of the first. */
function againstFirst(what: string, [one, ...more]: readonly CompileTime[]): readonly Row[] {
  if (one === undefined) return [];
  return more.map(({ lines, ms }) =>
    row(
      `compile ${lines} lines${what}, for each of them, against ${one.lines}`,
      (ms / lines) * 1000,
      (one.ms / one.lines) * 1000,
      'µs',
    ),
  );
}

/** Compiles one bot of a thousand lines and its multiples. */
function compileTimes(make: (lines: number) => string, multiples: readonly number[]): readonly CompileTime[] {
  for (let warm = 0; warm < 20; warm += 1) compileBundle({ main: make(LINES) });
  return multiples.map(multiple => {
    const main = make(LINES * multiple);
    const times = Array.from({ length: multiple > 10 ? 3 : 11 }, () => timed(main)).toSorted((a, b) => a - b);
    return { lines: main.split('\n').length, ms: times[times.length >> 1] ?? 0 };
  });
}

function timed(main: string): number {
  const from = performance.now();
  const { plan } = compileBundle({ main });
  if (plan === null) throw new Error('the bot of the measurement does not compile');
  return performance.now() - from;
}

/** A bot of about so many lines: steps of one agent and one gate with a loop, each read by the next. */
function botOf(lines: number): string {
  const steps = Array.from({ length: Math.round(lines / 26) }, (_, step) => step);
  const last = steps.length - 1;
  const declarations = steps.map(stepOf);
  const edges = steps.map(
    step => `  agent_${step} -> gate_${step} with {
    ok: "{{outputs.agent_${step}.ok}}",
    text: "{{outputs.agent_${step}.text}}"
  }
  gate_${step} -> agent_${step} when not ok as retry_${step}(3) with { text: "{{outputs.gate_${step}.text}}" }
  gate_${step} -> ${step === last ? 'done' : `agent_${step + 1}`}`,
  );
  return `vars:
  topic: string = "numbers"

${declarations.join('\n')}
workflow steps:
  entry: agent_0
${edges.join('\n')}
`;
}

function stepOf(step: number): string {
  return `schema result_${step}:
  ok: bool
  text: string

prompt task_${step}:
  Read {{input.text}} and say what {{vars.topic}} means.
  Answer in one line.

agent agent_${step}:
  model: "m"
  input: result_${step}
  output: result_${step}
  system: task_${step}
  tools: [read_file, grep]

compute gate_${step}:
  output: result_${step}
  expr:
    ok: "input.ok && length(input.text) > 3"
    text: "concat(input.text, '!')"
`;
}

/** A chain of agents, from the latter half of which loops lead back to the first half: each lies in the next. */
function nestedOf(lines: number): string {
  const nodes = Array.from({ length: Math.round(lines / 5.5) }, (_, node) => node);
  const last = nodes.length - 1;
  const edges = nodes.flatMap(node => [
    ...(node <= last / 2 ? [] : [`n${node} -> n${last - node} when "x == ${node}" as l${node}(2)`]),
    `n${node} -> ${node === last ? 'done' : `n${node + 1}`}`,
  ]);
  return `${nodes.map(node => `agent n${node}:\n  model: "m"\n\n`).join('')}
workflow nested:
  entry: n0
${edges.map(edge => `  ${edge}\n`).join('')}`;
}

/** Layers of agents with edges that cross, each of which reads from one of three layers before it. */
function farOf(lines: number): string {
  const width = 10;
  const nodes = Array.from({ length: Math.round(lines / 13 / width) * width }, (_, node) => node);
  const below = (node: number, by: number): number => node - (node % width) + width + by;
  const edges = nodes.flatMap(node =>
    below(node, 0) >= nodes.length
      ? [`n${node} -> done`]
      : [
          `n${node} -> n${below(node, node % width)} when ok`,
          `n${node} -> n${below(node, (node + 1) % width)} when "n == ${node}"`,
          `n${node} -> n${below(node, (node + 3) % width)}`,
        ],
  );
  const heads = Array.from({ length: width }, (_, head) => `start -> n${head}\n`);
  const agents = nodes.map(node => {
    const from = node < 3 * width ? 'begin' : `n${node - 3 * width}`;
    return `prompt p${node}:\n  {{outputs.${from}.n}}\n\nagent n${node}:\n  model: "m"\n  output: s\n  user: p${node}\n\n`;
  });
  return `schema s:
  ok: bool
  n: int

compute begin:
  output: s
  expr:
    ok: "true"
    n: "1"

router start:
  mode: fan_out_all

${agents.join('')}
workflow far:
  entry: begin
  begin -> start
  ${[...heads, ...edges.map(edge => `${edge}\n`)].join('  ')}`;
}
