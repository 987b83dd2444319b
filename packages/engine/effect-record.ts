import type { Digest } from '@hearth/protocol/ids.ts';
import type { Backend, BackendEvent } from './backend.ts';
import { type Ending, nativeTool, shortened } from './backend-events.ts';
import type { Drive } from './drive.ts';
import type { Made } from './entry.ts';
import type { Effect } from './machine.ts';
import type { Meter } from './meter.ts';

/** Whose work is kept, and where. */
export interface EffectRecordOptions {
  readonly drive: Drive;
  readonly meter: Meter;
  readonly effect: Effect;
  readonly node: string;
}

/** What a backend shows while it works, kept as it comes; and what of it the outcome will name. */
export class EffectRecord {
  /** Who did the work, as far as it is known. */
  made: Made = { backend: '', model: '' };
  /** Why the session is less than what the node asks for, unless the backend says itself. */
  degraded: string | undefined;
  /** Of what the backend was given. */
  projection: Digest | null = null;
  readonly #options: EffectRecordOptions;
  #drafts = 0;

  constructor(options: EffectRecordOptions) {
    this.#options = options;
  }

  /** Resolves once it is durable. Rejects when it cannot be kept. */
  async note(event: Exclude<BackendEvent, Ending>, { name: backend }: Backend): Promise<void> {
    const { drive, meter, node } = this.#options;
    const effect = this.#options.effect.id;
    switch (event.type) {
      case 'draft': {
        const turn = drive.state.machine.turn?.id;
        this.#drafts += 1;
        if (turn !== undefined) drive.draft({ turn, node, sequence: this.#drafts, text: event.text });
        return;
      }
      case 'usage':
        meter.note(event.spend, event.cumulative);
        return;
      case 'session': {
        if (event.model !== undefined) this.made = { ...this.made, model: event.model };
        const { id, fingerprint, how, degraded = this.degraded } = event;
        const more = {
          ...(degraded === undefined ? {} : { degraded }),
          ...(this.projection === null ? {} : { projection: this.projection }),
        };
        return drive.commit([{ is: 'session', effect, id, fingerprint, backend, how, ...more }]);
      }
      case 'taken':
      case 'seen':
        return drive.commit([{ is: event.type, effect, messages: event.messages }]);
      case 'narration':
        return drive.commit([], [{ type: 'narration', node, text: event.text }]);
      case 'context':
        this.made = { ...this.made, contextUsed: event.used, contextWindow: event.window };
        return drive.commit([], [{ type: 'context', node, used: event.used, window: event.window }]);
      case 'compacted':
        return drive.commit([], [{ type: 'session', node, backend, ...shortened(event) }]);
      case 'tool':
        return drive.commit(...nativeTool(effect, event));
    }
  }
}
