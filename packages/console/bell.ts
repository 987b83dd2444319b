import type { Pause } from '@hearth/protocol/pause.ts';

/*
 * When to ring: once for each pause that opens while the console is there and that waits for its person. What was open when
 * a conversation was opened is seen at once and rings nothing.
 */
export class Bell {
  #seen: ReadonlySet<string> = new Set();

  /** A conversation was opened, or opened anew. */
  open(pauses: readonly Pause[]): void {
    this.#seen = idsOf(pauses);
  }

  /** Whether one has opened since. */
  rings(pauses: readonly Pause[]): boolean {
    const ids = idsOf(pauses);
    const fresh = [...ids].some(id => !this.#seen.has(id));
    this.#seen = ids;
    return fresh;
  }
}

function idsOf(pauses: readonly Pause[]): ReadonlySet<string> {
  return new Set(pauses.flatMap(pause => (pause.kind === 'chat' ? [] : [nameOf(pause)])));
}

/** Another version of a card is another thing to look at. */
function nameOf(pause: Pause): string {
  return pause.kind === 'card' ? `${pause.id} ${pause.shown.version}` : pause.id;
}
