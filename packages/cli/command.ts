import type { Readable, Writable } from 'node:stream';
import type { ExitCode } from '@hearth/protocol/exit-code.ts';

/*
 * What a command is: a row of a table for parsing and help, and a module that is loaded only when it is called, so
 * that every other command starts without it.
 */

/** The process as a command sees it; tests hand in their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `columns`: the width of the screen, where it is one. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborts at SIGINT. */
  readonly interrupted: AbortSignal;
  /** What a person is told who interrupts; a command says here what goes on without them. */
  readonly interruption: { message: string };
}

/** `value` names what an option takes; absent: the option is a flag. */
export interface OptionRow {
  readonly value?: string;
  readonly short?: string;
  /** It may be given several times. */
  readonly several?: true;
  readonly summary: string;
}

/** A call that fits its row. */
export interface Invocation {
  readonly io: Io;
  /** The words after the command's name. */
  readonly words: readonly string[];
  /** An option's value; `null` when it was not given. */
  option(name: string): string | null;
  /** The values of an option that may be given several times, in order. */
  options(name: string): readonly string[];
  flag(name: string): boolean;
}

/** Carries a call out. What it throws is told by `errors.ts`; the code that it resolves to ends the process. */
export type Run = (call: Invocation) => Promise<ExitCode>;

/** One command. A name of two words comes before one of its first word. */
export interface CommandRow {
  /** One or two words: `send`, `board list`. */
  readonly name: string;
  /** The words it takes, as in help: `TEXT`, `[ID]`, `PATH…`. */
  readonly takes: string;
  /** The least and the most words. */
  readonly words: readonly [least: number, most: number];
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionRow>>;
  /** The command ends by itself at SIGINT; any other is left where it stands. */
  readonly endsItself?: true;
  load(): Promise<Run>;
}

/** The command line is wrong; says how it should be. Exit code 64. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command that cannot be done, with its exit code. `lines` are shown below the sentence. */
export class CommandError extends Error {
  readonly exit: ExitCode;
  readonly code: string;
  readonly lines: readonly string[];
  constructor(exit: ExitCode, code: string, message: string, lines: readonly string[] = []) {
    super(message);
    this.name = 'CommandError';
    this.exit = exit;
    this.code = code;
    this.lines = lines;
  }
}
