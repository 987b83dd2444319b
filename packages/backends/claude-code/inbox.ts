import type { BackendTurn, InboxMessage } from '@hearth/engine/backend.ts';
import type { MessageId } from '@hearth/protocol/ids.ts';
import { messageId, plain, type Words } from '../agent-programs/opening.ts';

/*
 * Words of the person's while the turn works. The program says of each that it holds it, and when it begins to be read; it
 * is taken at the first and seen at the step after the second. What an earlier attempt has read is not said again.
 */

type State = 'sent' | 'held' | 'reading' | 'seen';

/** What became of messages. */
export interface Moved {
  readonly type: 'taken' | 'seen';
  readonly messages: readonly MessageId[];
}

/** The messages of one turn, by the ids under which the program was told of them. */
export class Inbox {
  readonly #turn: Pick<BackendTurn, 'directory'>;
  readonly #holds: (id: string) => boolean;
  readonly #messages = new Map<string, { readonly id: MessageId; state: State }>();

  constructor(turn: Pick<BackendTurn, 'directory'>, holds: (id: string) => boolean) {
    this.#turn = turn;
    this.#holds = holds;
  }

  /** Takes a message in; gives what is to be sent, or what became of one that the session holds already. */
  offer({ id, text }: InboxMessage): Words | readonly Moved[] {
    const own = messageId(this.#turn, id);
    if (this.#messages.has(own)) return [];
    const known = this.#holds(own);
    this.#messages.set(own, { id, state: known ? 'seen' : 'sent' });
    if (!known) return { id: own, text: plain(text) };
    return [
      { type: 'taken', messages: [id] },
      { type: 'seen', messages: [id] },
    ];
  }

  /** The program said what became of words. */
  moved(words: string, state: string): readonly Moved[] {
    const message = this.#messages.get(words);
    if (message === undefined) return [];
    const fresh = message.state === 'sent';
    if (state === 'started' || state === 'completed')
      message.state = message.state === 'seen' ? 'seen' : 'reading';
    else if (fresh) message.state = 'held';
    return fresh ? [{ type: 'taken', messages: [message.id] }] : [];
  }

  /** A step of the model began: whatever was being read is seen. */
  stepped(): readonly Moved[] {
    const reading = [...this.#messages.values()].filter(message => message.state === 'reading');
    for (const message of reading) message.state = 'seen';
    return reading.length === 0 ? [] : [{ type: 'seen', messages: reading.map(message => message.id) }];
  }

  /** Messages that the program has not said anything of yet. */
  get unheard(): boolean {
    return this.#has('sent');
  }

  /** Messages that the program still has to answer. */
  get waiting(): boolean {
    return this.#has('held') || this.#has('reading');
  }

  #has(state: State): boolean {
    return [...this.#messages.values()].some(message => message.state === state);
  }
}
