import type { Values } from '@hearth/language/value.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { Plan } from './runnable.ts';
import type { Tool } from './tool.ts';

export type { Plan } from './runnable.ts';

/** A loaded bundle, ready to run. */
export interface Bot {
  /** The bundle's name; how conversations refer to it. */
  readonly name: string;
  /** What people read: `Nexie`. */
  readonly title: string;
  readonly plan: Plan;
  /** Digest of the plan's canonical JSON. */
  readonly digest: Digest;
  /** The sources, by path inside the bundle; kept beside the plan. */
  readonly sources: Readonly<Record<string, string>>;
  /** Tools that come with the bundle, its skills for one. */
  readonly tools: readonly Tool[];
  /** Values for vars of runs that the dispatcher begins, as the manifest says them; a ticket's own lie over them. */
  readonly dispatchVars?: Values;
  /** The bundle's own files for its attachments, by their names. */
  readonly attachments?: Readonly<Record<string, OwnFile>>;
}

/** A file of a bundle. */
export interface OwnFile {
  readonly name: string;
  readonly mime: string;
  /** Rejects with a sentence for a person when it cannot be read. */
  read(): Promise<Uint8Array>;
}

/**
 * - `unknown_bot`: there is none of that name.
 * - `broken_bot`: it has an error.
 * - `unsupported_bot`: nothing is wrong with it, but the engine cannot run all of it yet.
 */
export type BotErrorCode = 'unknown_bot' | 'broken_bot' | 'unsupported_bot';

/** Why a bot cannot be loaded; `detail` has one line for each diagnostic. */
export class BotError extends Error {
  readonly code: BotErrorCode;
  readonly detail: readonly string[];
  constructor(code: BotErrorCode, message: string, detail: readonly string[] = []) {
    super(message);
    this.name = 'BotError';
    this.code = code;
    this.detail = detail;
  }
}

/** Finds bundles by name or absolute path. */
export interface Bots {
  /** Rejects with `BotError`. A bundle that changed on disk is loaded anew. */
  load(name: string): Promise<Bot>;
  /** Names of the bundles that come with Hearth. */
  names(): Promise<readonly string[]>;
}
