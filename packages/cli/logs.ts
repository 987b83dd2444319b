import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { Level } from '@hearth/service/log.ts';
import { LogReader } from '@hearth/service/log-reader.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { homePath } from './home-path.ts';
import { localMoment } from './local-time.ts';
import { print } from './output.ts';

const LINES = 50;
const EVERY_MS = 250;

/** `hearth logs`: the last lines of the service's log, oldest first, whether or not a service runs; then what follows. */
export async function logs(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const count = countOf(call.option('lines'));
  const wanted = wantedBy(call);
  const reader = new LogReader(homePath(io));
  const last = await reader.last(wanted === null ? count : Number.POSITIVE_INFINITY);
  if (last === null) {
    const message = `There is no log in ${homePath(io)}: no service was ever started there.`;
    throw new CommandError(EXIT.failed, 'no_log', message);
  }
  const show = call.flag('json') ? showJson : showLine;
  const fits = (line: string): boolean => wanted === null || wanted(record(line));
  const shown = last.filter(fits);
  for (const line of count === 0 ? [] : shown.slice(-count)) show(call, line);
  if (!call.flag('follow')) return EXIT.done;
  while (!io.interrupted.aborted) {
    for (const line of (await reader.more()).filter(fits)) show(call, line);
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, EVERY_MS);
      io.interrupted.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
  return EXIT.interrupted;
}

type Wanted = (line: Record<string, unknown> | null) => boolean;

/** What is to be shown; `null` when everything is. */
function wantedBy(call: Invocation): Wanted | null {
  const named = call.option('level');
  const conversation = call.option('conversation')?.toLowerCase() ?? null;
  if (named === null && conversation === null) return null;
  const level = Level.safeParse(named ?? 'debug');
  if (!level.success) {
    throw new UsageError(`"${named}" is no level: --level takes ${Level.options.join(', ')}.`);
  }
  const least = Level.options.indexOf(level.data);
  const begins = conversation?.replace(/^(?!c_)/, 'c_') ?? null;
  return line => {
    if (line === null) return false;
    const of = Level.safeParse(line['level'] ?? 'info').data ?? 'info';
    if (Level.options.indexOf(of) < least) return false;
    return begins === null || textOf(line['conversation']).startsWith(begins);
  };
}

function countOf(text: string | null): number {
  if (text === null) return LINES;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no number of lines: --lines takes a whole number.`);
}

/** A line that is torn or not ours is no JSON, and is left out of it. */
function showJson({ io }: Invocation, line: string): void {
  const value = record(line);
  if (value !== null) io.stdout.write(`${JSON.stringify(value)}\n`);
}

/** `2026-01-01 10:00:00.000  error  internal  method=POST code=…` */
function showLine({ io }: Invocation, line: string): void {
  const value = record(line);
  if (value === null) return print(io, line);
  const { at, level, event, ...facts } = value;
  const told = Object.entries(facts).map(([name, fact]) => `${name}=${textOf(fact)}`);
  print(
    io,
    [localMoment(textOf(at)), textOf(level ?? 'info').padEnd(7), textOf(event), told.join(' ')]
      .join('  ')
      .trimEnd(),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function record(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
