/**
 * Why the registry could not do what was asked. `message` is one sentence for a person.
 *
 * - `unknown_conversation`: there is none of that id, or no longer. `ambiguous_conversation`: the beginning of an id fits
 *   several.
 * - `default_missing`, `default_ambiguous`: the home has no default conversation, or more than one.
 * - `invalid_workspace`: a scope that is no directory to work in.
 * - `not_global`: a conversation that works in one directory cannot be the default. `still_there`: what is to be restored
 *   is not only in the trash.
 * - `damaged_conversation`: it cannot be read. `command_conflict`: the id was used for something else.
 * - `invalid_vars`: the bot has no preset of that name.
 */
export type RegistryErrorCode =
  | 'unknown_conversation'
  | 'ambiguous_conversation'
  | 'default_missing'
  | 'default_ambiguous'
  | 'invalid_workspace'
  | 'not_global'
  | 'still_there'
  | 'damaged_conversation'
  | 'command_conflict'
  | 'invalid_vars';

/** An error whose code goes out on the wire as it is, and whose message a person reads. */
export class RegistryError extends Error {
  readonly code: RegistryErrorCode;
  constructor(code: RegistryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RegistryError';
    this.code = code;
  }
}
