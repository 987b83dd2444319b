/** Why a home cannot be served. The message is one sentence for a person: what, where, and what to do. */
export type HomeErrorCode =
  | 'not_a_directory'
  | 'not_a_home'
  | 'not_yours'
  | 'read_only'
  | 'newer_format'
  | 'home_damaged'
  | 'settings_invalid'
  | 'already_running'
  | 'port_in_use'
  | 'disk_failed';

/** Rejects a start. `address` is set with `already_running` when the running service has published one. */
export class HomeError extends Error {
  readonly code: HomeErrorCode;
  readonly address: string | null;
  constructor(code: HomeErrorCode, message: string, address: string | null = null) {
    super(message);
    this.name = 'HomeError';
    this.code = code;
    this.address = address;
  }
}
