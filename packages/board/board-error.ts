/** Why the board refused; stable, for programs. */
export type BoardErrorCode =
  | 'unknown_workspace'
  | 'unknown_ticket'
  | 'unknown_state'
  | 'invalid_ticket'
  | 'invalid_import'
  | 'ticket_damaged'
  | 'claim_lost'
  | 'board_damaged';

/** What every method of a board rejects with, besides a `DiskError`. The message is one sentence for a person or a model. */
export class BoardError extends Error {
  readonly code: BoardErrorCode;
  constructor(code: BoardErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BoardError';
    this.code = code;
  }
}
