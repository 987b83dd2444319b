import type { Attachment } from '@hearth/client/attachment.ts';
import { oneLine } from './text.ts';
import type { Notice } from './transcript.ts';

/** What the commands that name, keep and end conversations need of the console. */
export interface KeepingOptions {
  readonly attachment: Pick<Attachment, 'model' | 'client' | 'act' | 'call' | 'open' | 'suspend' | 'resume'>;
  readonly tell: (severity: Notice['severity'], text: string) => void;
  /** The bot that a word means. */
  readonly botNamed: (text: string) => string;
}

/**
 * Renames, gives another bot, pins, lists and takes back rules, resets, closes and restores: each is done by the service, and done once however often it is sent. Their
 * failures are thrown, in words for a person.
 */
export class Keeping {
  readonly #options: KeepingOptions;

  constructor(options: KeepingOptions) {
    this.#options = options;
  }

  /** The new title is shown when its event arrives, as in every other surface. */
  async rename(title: string): Promise<void> {
    if (title === '') throw new Error('/rename takes the new title.');
    const { id } = this.#open();
    const commandId = this.#options.attachment.client.newCommandId();
    await this.#options.attachment.act(client => client.patch(id, { title, commandId }));
  }

  /** Gives the open conversation another bot. */
  async bot(wanted: string): Promise<void> {
    const { attachment, tell, botNamed } = this.#options;
    if (wanted === '') throw new Error('/bot takes the name of a bot, or the path of a bundle.');
    const { id } = this.#open();
    const commandId = attachment.client.newCommandId();
    const { view } = await attachment.act(client => client.patch(id, { bot: botNamed(wanted), commandId }));
    tell('info', `The bot ${oneLine(view.bot)} runs here now.`);
  }

  /** Pins what is not pinned, and takes it back. */
  async pin(): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id, now } = this.#open();
    const commandId = attachment.client.newCommandId();
    const { view } = await attachment.act(client => client.patch(id, { pinned: !now.pinned, commandId }));
    tell('info', view.pinned ? 'Pinned: it is kept until you unpin or close it.' : 'Not pinned any more.');
  }

  /** Lists what was allowed or denied for good, with numbers; takes back the one of that number. */
  async rules(argument: string): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id, now } = this.#open();
    if (argument === '') {
      const lines = now.rules.map(
        ({ rule, grant }, at) => `${at + 1}. ${grant === 'always' ? 'allowed' : 'denied'}: ${oneLine(rule)}`,
      );
      const how = 'take one back with /rules and its number';
      tell(
        'info',
        lines.length === 0 ? 'Nothing is allowed or denied for good here.' : `${lines.join('\n')}\n${how}`,
      );
      return;
    }
    const kept = now.rules[Number(argument) - 1];
    if (kept === undefined) throw new Error(`There is no rule ${argument}; /rules lists them.`);
    const commandId = attachment.client.newCommandId();
    await attachment.act(client => client.revokeRule(id, kept.rule, { commandId }));
  }

  /** Begins anew and shows it, so that the bot greets again. */
  async reset(): Promise<void> {
    const { attachment } = this.#options;
    const { id } = this.#open();
    const commandId = attachment.client.newCommandId();
    await attachment.act(client => client.reset(id, { commandId }));
    await attachment.open(id);
  }

  /** Closes the open conversation and goes to the default one. */
  async close(): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id, now } = this.#open();
    const commandId = attachment.client.newCommandId();
    // Whoever listened on would be told that there is no such conversation.
    attachment.suspend();
    try {
      await attachment.act(client => client.close(id, { commandId }));
    } catch (error) {
      attachment.resume();
      throw error;
    }
    await attachment.open(null);
    tell('info', `"${oneLine(now.title)}" is in the trash; /restore brings it back.`);
  }

  /** Brings back the conversation that is named, or the latest in the trash, and opens it. */
  async restore(name: string): Promise<void> {
    const { attachment, tell } = this.#options;
    const found = name === '' ? (await attachment.call(client => client.trash())).trash[0]?.name : name;
    if (found === undefined) {
      tell('info', 'The trash is empty.');
      return;
    }
    const commandId = attachment.client.newCommandId();
    const { view } = await attachment.act(client => client.restore(found, { commandId }));
    await attachment.open(view.id);
  }

  #open(): NonNullable<Attachment['model']> {
    const { model } = this.#options.attachment;
    if (model === null) throw new Error('No conversation is open.');
    return model;
  }
}
