import type { Attachment } from '@hearth/client/attachment.ts';
import { withFile, withoutFile } from '@hearth/client/handed-files.ts';
import { asProblem, type HearthProblem } from '@hearth/client/problem.ts';
import type { Input, Model } from '@hearth/client/view.ts';
import type { CommandId, ConversationId, MessageId } from '@hearth/protocol/ids.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Drafts } from './drafts.ts';

/**
 * Messages on their way, and what became of them. Words that were not taken are typed again in the drafts of their
 * conversation, also in the next life of the page; words that arrived are nowhere but in the transcript.
 */
export class Outbox {
  readonly #attachment: Attachment;
  readonly #drafts: Drafts;
  /** Conversations whose words of an earlier life of this page are back. */
  readonly #restored = new Set<ConversationId>();

  constructor(attachment: Attachment, drafts: Drafts) {
    this.#attachment = attachment;
    this.#drafts = drafts;
  }

  /** Sends a message to the open conversation, with the files that are attached; resolves to why it was not taken, `null` when it was. */
  async send(conversation: ConversationId, text: string): Promise<HearthProblem | null> {
    const files = this.#drafts.files(conversation);
    const commandId = (): CommandId =>
      this.#drafts.sent(conversation).findLast(one => one.text === text)?.commandId ?? '';
    try {
      this.#drafts.attach(conversation, []);
      await this.#attachment.send(text, files);
      this.#drafts.settle(conversation, commandId());
      return null;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'unreachable') this.#drafts.giveBack(conversation, commandId());
      else this.#drafts.settle(conversation, commandId());
      this.giveBack(conversation, text, files);
      return problem;
    }
  }

  /** Takes a queued message back; its words and its files are in the composer again. Rejects with a `HearthProblem`. */
  async unsend({ id, items }: Model, message: MessageId): Promise<void> {
    const said = items.findLast(item => item.is === 'said' && item.message === message);
    const { text = '', files = [] } = said?.is === 'said' ? said : {};
    const words =
      typeof text === 'string' ? text : await this.#attachment.call(client => client.blob(id, text.blob));
    await this.#attachment.unsend(message);
    this.giveBack(id, words, files);
  }

  /** Puts words before what is typed for a conversation, and files before those that are attached. */
  giveBack(conversation: ConversationId, text: string, files: readonly Attached[] = []): void {
    this.#drafts.attach(conversation, this.#drafts.files(conversation).reduce(withFile, files));
    const typed = this.#drafts.typed(conversation);
    this.#drafts.type(conversation, typed.trim() === '' ? text : `${text}\n${typed}`);
  }

  /** Notes what leaves and what has arrived. */
  note({ id }: Model, input: Input): void {
    if (input.frame === 'sending') {
      const { commandId, text, files } = input.sending;
      this.#drafts.send(id, commandId, text, files);
    }
    if (input.frame === 'event' && input.event.type === 'message' && input.event.commandId !== undefined)
      this.#drafts.settle(id, input.event.commandId);
  }

  /** Finds out what became of messages that got no answer: words that did not arrive are typed again. */
  restore({ id, items }: Model): void {
    const first = !this.#restored.has(id);
    this.#restored.add(id);
    for (const { commandId, text, files, back } of this.#drafts.sent(id)) {
      if (items.some(item => item.is === 'said' && item.commandId === commandId)) {
        this.#drafts.settle(id, commandId);
        if (back && this.#drafts.typed(id) === text) this.clear(id, files);
      } else if (first) {
        this.#attachment.remember(id, commandId, text, files);
        if (!back) this.giveBack(id, text, files);
        this.#drafts.giveBack(id, commandId);
      }
    }
  }

  /** Takes out of the composer what has arrived. */
  clear(conversation: ConversationId, files: readonly Attached[]): void {
    this.#drafts.type(conversation, '');
    this.#drafts.attach(conversation, files.reduce(withoutFile, this.#drafts.files(conversation)));
  }
}
