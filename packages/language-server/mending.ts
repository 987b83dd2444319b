import type { Diagnostic } from 'vscode-languageserver/node';

/** A diagnostic that names the word that was probably meant: what to write in its range instead. */
export function mendOf(diagnostic: Diagnostic, written: string): string | null {
  const message = typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value;
  const meant = /did you mean `([^`]+)`\?/.exec(message)?.[1];
  // Some diagnostics are about a part of their range; only a whole word can be replaced.
  return meant !== undefined && /^[\p{L}\p{N}_.]+$/u.test(written) && message.includes(`\`${written}\``)
    ? meant
    : null;
}
