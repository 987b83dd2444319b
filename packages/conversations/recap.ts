/**
 * The latest turns as a fresh session can be told of them. They are read once and kept up from then on, since every turn
 * asks for them and hardly any needs them.
 */
import type { Recap } from '@hearth/engine/backend.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { TurnId } from '@hearth/protocol/ids.ts';
import { headOf } from '@hearth/protocol/text.ts';

/** Turns of a recap at most; the engine takes what fits. */
export const RECAP_TURNS = 40;
/** Longer words than this, in all, are not kept: they are read again when they are asked for. */
const KEPT_LENGTH = 128 * 1024;

type Spoken = Recap['turns'][number] & { readonly turn: TurnId | null };

/** What `BackendTurn` hands on for sessions that begin in the middle of a conversation. */
export class Recaps {
  readonly #read: () => Promise<readonly TranscriptLine[]>;
  #kept: { readonly spoken: readonly Spoken[]; readonly last: number } | null = null;
  /** How many commits with words were taken. */
  #taken = 0;

  /** `read` gives the lines of the latest turns of what is durable. */
  constructor(read: () => Promise<readonly TranscriptLine[]>) {
    this.#read = read;
  }

  /** Takes up the words of a durable commit. */
  take(words: readonly TranscriptLine[]): void {
    if (words.length === 0) return;
    this.#taken += 1;
    if (this.#kept === null) return;
    const { spoken, last } = this.#kept;
    // What was read may hold already what is told only now.
    const fresh = words.filter(line => line.seq > last);
    if (fresh.length > 0) this.#keep([...spoken, ...spokenIn(fresh)], fresh.at(-1)?.seq ?? last);
  }

  /** What was said and replied, oldest first. The turn under way is the prompt's business and is left out. */
  async before(current: TurnId | null): Promise<Recap> {
    const spoken = this.#kept?.spoken ?? (await this.#load());
    const turns = spoken.filter(({ turn }) => turn === null || turn !== current);
    return { turns: turns.map(({ who, text }) => ({ who, text })) };
  }

  async #load(): Promise<readonly Spoken[]> {
    const taken = this.#taken;
    const lines = await this.#read();
    const spoken = spokenIn(lines);
    // Words that came meanwhile may be in what was read, or not.
    if (taken === this.#taken) this.#keep(spoken, lines.at(-1)?.seq ?? 0);
    return spoken;
  }

  #keep(spoken: readonly Spoken[], last: number): void {
    const latest = latestOf(spoken);
    const length = latest.reduce((sum, { text }) => sum + text.length, 0);
    this.#kept = length > KEPT_LENGTH ? null : { spoken: latest, last };
  }
}

function spokenIn(lines: readonly TranscriptLine[]): readonly Spoken[] {
  return lines.flatMap((line): readonly Spoken[] => {
    const { turn } = line;
    if (line.is === 'said') return [{ who: 'person', text: headOf(line.text), turn }];
    if (line.is === 'replied') return [{ who: 'bot', text: headOf(line.text), turn }];
    return [];
  });
}

/** From the first words of the latest turns on. */
function latestOf(spoken: readonly Spoken[]): readonly Spoken[] {
  let turns = 0;
  for (let at = spoken.length - 1; at >= 0; at -= 1) {
    if (spoken[at]?.who !== 'person') continue;
    turns += 1;
    if (turns === RECAP_TURNS) return spoken.slice(at);
  }
  return spoken;
}
