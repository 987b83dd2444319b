import type { Attachment } from '@hearth/client/attachment.ts';
import { fileWords } from '@hearth/client/file-words.ts';
import { whyNotAttached, withFile, withoutFile } from '@hearth/client/handed-files.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Notice } from './transcript.ts';

/** A file of the person's, read. */
export interface FileRead {
  readonly name: string;
  /** The attachment of the bot that it is; `null` for none. */
  readonly as: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What handing over files needs of the console. */
export interface HandingOptions {
  readonly attachment: Pick<Attachment, 'model' | 'act'>;
  /** Reads the file that `[NAME=]FILE` names. Rejects in words for a person. `undefined` where files cannot be read. */
  readonly readFile: ((given: string) => Promise<FileRead>) | undefined;
  readonly tell: (severity: Notice['severity'], text: string) => void;
  readonly draw: () => void;
}

/** `/attach` and `/detach`: the files that go with the next message. Failures are thrown, in words for a person. */
export class Handing {
  readonly #options: HandingOptions;
  readonly #files = new Map<ConversationId, readonly Attached[]>();
  #upload: Promise<unknown> = Promise.resolve();

  constructor(options: HandingOptions) {
    this.#options = options;
  }

  /** Those of the open conversation. */
  get files(): readonly Attached[] {
    const { model } = this.#options.attachment;
    return model === null ? [] : (this.#files.get(model.id) ?? []);
  }

  /** What stands at the composer while there are any. */
  get label(): string | null {
    return this.files.length === 0 ? null : fileWords(this.files);
  }

  /** Resolves when what is being attached is, or could not be. */
  async settled(): Promise<void> {
    await this.#upload.catch(() => undefined);
  }

  /** One after the other, as they were named. */
  async attach(given: string): Promise<void> {
    const attached = this.settled().then(() => this.#attach(given));
    this.#upload = attached;
    await attached;
  }

  async #attach(given: string): Promise<void> {
    const { attachment, readFile, tell } = this.#options;
    if (given === '') return this.#list();
    const conversation = this.#open();
    if (readFile === undefined)
      throw new Error('Files cannot be attached from here; "hearth send --attach FILE" sends one.');
    const { as, name, bytes } = await readFile(given);
    const why = whyNotAttached(name, bytes.length, this.files.length);
    if (why !== null) throw new Error(why);
    const kept = await attachment.act(client => client.upload(conversation, { name, bytes }));
    const file = as === null ? kept : { ...kept, as };
    this.#set(conversation, withFile(this.#files.get(conversation) ?? [], file));
    tell('info', `${fileWords([file])}. It goes with your next message; /detach leaves it out.`);
  }

  /** Leaves out the file of that number, or all. */
  detach(argument: string): void {
    const conversation = this.#open();
    const { files } = this;
    const file = files[Number(argument) - 1];
    if (files.length === 0) throw new Error('No file is attached.');
    if (argument !== '' && file === undefined)
      throw new Error(`There is no file ${argument} attached; /attach lists them.`);
    this.#set(conversation, file === undefined ? [] : withoutFile(files, file));
    this.#list();
  }

  /** They leave with a message. */
  leave(): void {
    this.#set(this.#open(), []);
  }

  /** A message was not taken: its files are here again, before those that were chosen meanwhile. */
  giveBack(files: readonly Attached[]): void {
    if (files.length > 0) this.#set(this.#open(), this.files.reduce(withFile, files));
  }

  #list(): void {
    const lines = this.files.map((file, at) => `${at + 1}. ${fileWords([file])}`);
    const how = 'leave one out with /detach and its number';
    this.#options.tell(
      'info',
      lines.length === 0
        ? 'No file is attached; /attach FILE attaches one to your next message.'
        : `${lines.join('\n')}\n${how}`,
    );
  }

  #set(conversation: ConversationId, files: readonly Attached[]): void {
    this.#files.set(conversation, files);
    this.#options.draw();
  }

  #open(): ConversationId {
    const { model } = this.#options.attachment;
    if (model === null) throw new Error('No conversation is open.');
    return model.id;
  }
}
