import type { Secret } from '@hearth/language/plan/settings.ts';
import type { RunOptions } from './run.ts';

/*
 * Secrets that a bot declares. Their values never enter the state: they are had when an effect begins, are handed to
 * programs by their environment or as files, and are gone when it ends. Whoever gives them sees to it that nobody is shown
 * one.
 */

/** A secret that cannot be given, and why, as a sentence for a person. */
export interface MissingSecret {
  readonly name: string;
  readonly why: string;
}

/** Secrets for the time of one effect. */
export interface GivenSecrets {
  /** By secret: its value. One that is optional and has none is not there. */
  readonly values: ReadonlyMap<string, string>;
  /** By secret that is a file: its absolute path, readable by this user alone. */
  readonly paths: ReadonlyMap<string, string>;
  /** Takes the files away. Never rejects. */
  close(): Promise<void>;
}

/** Where the values of secrets come from. */
export interface SecretSource {
  /** Which of them a run would lack. Optional ones are never missing. */
  missing(secrets: readonly Secret[]): Promise<readonly MissingSecret[]>;
  /** Rejects with a sentence for a person when one that is needed is missing. */
  give(secrets: readonly Secret[]): Promise<GivenSecrets>;
}

/** What is given where nothing runs that could need one, as in a replay. */
export const NO_SECRETS: GivenSecrets = {
  values: new Map(),
  paths: new Map(),
  close: () => Promise.resolve(),
};

/** The secrets of the run's plan, for an effect that begins. Rejects with a sentence for a person. */
export async function givenSecrets({ drive, surroundings }: RunOptions): Promise<GivenSecrets> {
  const { secrets = [] } = drive.plan;
  if (secrets.length === 0) return NO_SECRETS;
  if (surroundings?.secrets === undefined)
    throw new Error(`The secret "${secrets[0]?.name ?? ''}" cannot be given: this service gives no secrets.`);
  return surroundings.secrets.give(secrets);
}

/** The variable in which a program finds the value of a secret. */
export function valueVariable({ name, as, env }: Secret): string {
  return as === 'value' && env !== null ? env : `HEARTH_SECRET_${name.toUpperCase()}`;
}

/**
 * The environment of a program: the secrets that say in which variable they are found, a file by its path, and those whose
 * values the program names itself.
 */
export function secretEnvironment(
  secrets: readonly Secret[],
  given: GivenSecrets,
  named: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const secret of secrets) {
    const value = given.values.get(secret.name);
    if (value === undefined) continue;
    const path = given.paths.get(secret.name);
    if (secret.env !== null) env[secret.env] = path ?? value;
    if (named.has(secret.name)) env[valueVariable(secret)] = value;
  }
  return env;
}
