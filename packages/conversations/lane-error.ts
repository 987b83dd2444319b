/** Why a lane could not do what was asked, other than a refusal by the judge. */
import { BotError, type BotErrorCode } from '@hearth/engine/bot.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { DiskError, type DiskErrorCode } from '@hearth/store/disk.ts';

/**
 * - A disk's code: what was asked is not saved and did not happen; ask again when the disk is well.
 * - `conflict`, `fenced`: somebody else wrote meanwhile; ask again.
 * - `closed`: the service is stopping, or the conversation was just closed.
 * - `damaged_file`: something stored cannot be read.
 * - A bot's code: the bot cannot be loaded, and no plan of an earlier run can take its place.
 * - `failed`: a fault of the program's own.
 */
export type LaneErrorCode =
  | DiskErrorCode
  | BotErrorCode
  | 'conflict'
  | 'fenced'
  | 'closed'
  | 'damaged_file'
  | 'failed';

/** `message` is one sentence for a person. */
export class LaneError extends Error {
  readonly code: LaneErrorCode;
  constructor(code: LaneErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LaneError';
    this.code = code;
  }
}

/** The `LaneError` for anything that was thrown below a lane. */
export function laneErrorFrom(thrown: unknown): LaneError {
  if (thrown instanceof LaneError) return thrown;
  const known = thrown instanceof DiskError || thrown instanceof DamagedFile || thrown instanceof BotError;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return known
    ? new LaneError(thrown.code, message, { cause: thrown })
    : new LaneError('failed', `The conversation stopped on a fault of the program (${message}); try again.`, {
        cause: thrown,
      });
}

/** What fails below a lane fails with a `LaneError`. */
export function known<T>(work: Promise<T>): Promise<T> {
  return work.catch((thrown: unknown) => {
    throw laneErrorFrom(thrown);
  });
}
