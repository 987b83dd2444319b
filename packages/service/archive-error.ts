/** Why a packed bundle is refused: not readable, unsafe, ambiguous or too large. Nothing of it was used. */
export type ArchiveFault = 'H204' | 'H205' | 'H206' | 'H207';

/** An error whose message is one sentence for whoever made the archive. */
export class ArchiveError extends Error {
  readonly code: ArchiveFault;
  constructor(code: ArchiveFault, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
  }
}
