/*
 * What Node says on stderr about itself. Only Hearth's own words belong there, and others are no fault of whoever runs it.
 */

/** Node 22 calls its SQLite an experiment; the part that the home lock uses is as it was when it ceased to be one. */
const KNOWN = /^SQLite is an experimental feature\b/;

/** Keeps a warning that is known from being printed in this process; every other one still is. */
export function withoutKnownWarnings(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const text = typeof warning === 'string' ? warning : warning.message;
    if (!KNOWN.test(text)) Reflect.apply(emit, process, [warning, ...rest]);
  };
}
