import { join } from 'node:path';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';
import { BoundedFile } from './bounded-file.ts';

/*
 * `logs/service.log`: one JSON line for each thing that happened to the service, mode 0600. It is bounded (1 MiB, two
 * files kept), never holds what anybody said or a secret, and never makes the service fail: a line that cannot be
 * written is dropped.
 */

/** Facts of a line: names, codes, counts and paths only. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** How much a line matters, from the least on. */
export const Level = z.enum(['debug', 'info', 'warning', 'error']);
export type Level = z.infer<typeof Level>;

/** The events that are more than information. */
const LEVELS: Readonly<Record<string, Level>> = {
  internal: 'error',
  failed: 'error',
  crashed: 'error',
  not_saved: 'error',
  retention_failed: 'error',
  metrics_failed: 'warning',
  presence_failed: 'warning',
  notification_failed: 'warning',
  watch_failed: 'warning',
  dispatch_failed: 'warning',
};

/** Where whatever happens to the service is told. Facts are names, codes and counts. */
export interface Log {
  /** `level` goes before what the event usually has. */
  write(event: string, facts?: Facts, level?: Level): void;
  /** Resolves when every line so far is written or dropped. */
  close(): Promise<void>;
}

const LIMIT = 1024 * 1024;

/** Where the log of a home is; what came before it, beside it with `.1`. */
export function logPath(home: string): string {
  return join(home, 'logs', 'service.log');
}

/** Opens the log of a home. */
export function fileLog(disk: Disk, home: string, clock: Clock): Log {
  const file = new BoundedFile(disk, logPath(home), LIMIT);
  return {
    write: (event, facts = {}, level = levelOf(event)) =>
      file.write({ at: instant(clock), level, event, ...facts }),
    close: () => file.close(),
  };
}

/** The same log without what matters less than `least`. */
export function logFrom(log: Log, least: Level): Log {
  const from = Level.options.indexOf(least);
  return {
    write: (event, facts = {}, level = levelOf(event)) => {
      if (Level.options.indexOf(level) >= from) log.write(event, facts, level);
    },
    close: () => log.close(),
  };
}

function levelOf(event: string): Level {
  return LEVELS[event] ?? 'info';
}

/** The facts of an unexpected error: its name and where it came from, never its message, which may quote anybody's words. */
export function errorFacts(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter(line => line.startsWith('    at '));
  return {
    error: error.name,
    code: 'code' in error ? String(error.code) : null,
    where: frames.slice(0, 8).join(' ').trim(),
  };
}
