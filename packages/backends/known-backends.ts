/*
 * The backends that Hearth has a part for, or will have, as a person is told of them. Which of them are in an installation
 * is another matter: one that is not is listed as not there, with what it needs.
 */

/** A backend by name, with what a person must do to have it. */
export interface KnownBackend {
  readonly name: string;
  readonly title: string;
  /** What it is, in a phrase. */
  readonly is: string;
  /** How it comes to be there, where it is not. */
  readonly needs: string;
}

/** In the order in which they are listed. */
export const KNOWN_BACKENDS: readonly KnownBackend[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    is: 'the program claude, with its own login',
    needs: 'install the program claude',
  },
  {
    name: 'codex',
    title: 'Codex',
    is: 'the program codex, with its own login',
    needs: 'install the program codex',
  },
  {
    name: 'acp',
    title: 'An ACP agent',
    is: 'any program that speaks the Agent Client Protocol',
    needs: 'name the command of such an agent',
  },
  {
    name: 'model-api',
    title: 'A model API',
    is: 'Anthropic, OpenAI, or a server of your own',
    needs: 'set the key or the address of a provider',
  },
  { name: 'rehearsal', title: 'The rehearsal', is: 'no model at all, always there', needs: 'nothing' },
];

/** Whether a name is one of theirs. */
export function isKnown(name: string): boolean {
  return KNOWN_BACKENDS.some(backend => backend.name === name);
}
