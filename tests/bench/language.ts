import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Row } from './row.ts';
import { row } from './row.ts';

/* How long a bot takes to compile, and that twice the bot takes twice as long. */

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
  const [one, ...more] = compileTimes();
  if (one === undefined) return [];
  return [
    row(`compile ${one.lines} lines, warm, p50`, one.ms, WANTED_MS),
    ...more.map(({ lines, ms }) =>
      row(
        `compile ${lines} lines, for each of them, against ${one.lines}`,
        (ms / lines) * 1000,
        (one.ms / one.lines) * 1000,
        'µs',
      ),
    ),
  ];
}

/** Compiles one bot of a thousand lines and its multiples. */
function compileTimes(): readonly CompileTime[] {
  for (let warm = 0; warm < 20; warm += 1) compileBundle({ main: botOf(LINES) });
  return MULTIPLES.map(multiple => {
    const main = botOf(LINES * multiple);
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
