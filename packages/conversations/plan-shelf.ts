/**
 * The plans that a lane needs, in memory: which one applies to an entry is a function of the state and the entry, so a
 * fold of the journal always meets the plans that wrote it.
 */
import type { Bot, Plan } from '@hearth/engine/bot.ts';
import type { EntryBody } from '@hearth/engine/entry.ts';
import type { State } from '@hearth/engine/state.ts';
import type { ConversationId, Digest } from '@hearth/protocol/ids.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import type { Store, StoredPlan } from './ports.ts';

/** The plan under which an entry is applied; `null` when nothing names one yet. */
export function planOf(state: State, entry: EntryBody | null): Digest | null {
  const { run } = state.machine;
  if (entry?.is === 'replanned') return entry.plan;
  if (entry?.is === 'accepted' && run?.status !== 'active') return entry.plan;
  return run?.plan ?? (entry?.is === 'revoked' ? entry.plan : null);
}

/** Plans of one conversation by their digest. `at` answers at once and only for what was fetched or kept before. */
export class PlanShelf {
  readonly #store: Store;
  readonly #c: ConversationId;
  readonly #plans = new Map<Digest, StoredPlan>();

  constructor(store: Store, c: ConversationId) {
    this.#store = store;
    this.#c = c;
  }

  /** A plan that was fetched or kept before. */
  at(digest: Digest | null): Plan | null {
    return digest === null ? null : (this.#plans.get(digest)?.plan ?? null);
  }

  /** The plan with its sources, from the store if need be. Rejects with `DamagedFile` when it is not there. */
  async fetch(digest: Digest): Promise<StoredPlan> {
    const held = this.#plans.get(digest);
    if (held) return held;
    const stored = await this.#store.plan(this.#c, digest);
    if (stored === null) throw new DamagedFile(`${this.#c}/plans`, `the plan ${digest} is missing`);
    this.#plans.set(digest, stored);
    return stored;
  }

  /** Keeps a bot's plan, so that a commit may name it. */
  async keep({ digest, plan, sources }: Bot): Promise<void> {
    if (this.#plans.has(digest)) return;
    await this.#store.keepPlan(this.#c, digest, { plan, sources });
    this.#plans.set(digest, { plan, sources });
  }
}
