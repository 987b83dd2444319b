import type { Attachment } from '@hearth/client/attachment.ts';
import { whyNotAttached, withFile, withoutFile } from '@hearth/client/handed-files.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Drafts } from './drafts.ts';

/** What handing over files needs of the page. */
export interface HandingOptions {
  readonly attachment: Pick<Attachment, 'model' | 'act'>;
  readonly drafts: Drafts;
  /** Does something and tells of its failure. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  readonly tell: (text: string) => void;
  /** Draws the files, and whether another is on its way. */
  readonly draw: (uploading: boolean) => void;
}

/** The part of the browser's `File` that is used. */
export type Chosen = Pick<File, 'name' | 'size' | 'type' | 'arrayBuffer'>;

/** Files that a person chooses for the next message of the open conversation. */
export class Handing {
  readonly #options: HandingOptions;
  #under = 0;

  constructor(options: HandingOptions) {
    this.#options = options;
  }

  /** Uploads the files, one after the other; what cannot be attached is told. */
  async attach(chosen: readonly Chosen[]): Promise<void> {
    this.#count(1);
    for (const file of chosen) await this.#options.attempt(() => this.#attach(file));
    this.#count(-1);
  }

  /** Whether a file is on its way that is to go with the message. Then it says so, and the words should stay. */
  isBusy(): boolean {
    if (this.#under > 0)
      this.#options.tell('A file is still on its way: send your message when it is attached.');
    return this.#under > 0;
  }

  /** Leaves a file out again. */
  detach(file: Attached): void {
    const { attachment, drafts } = this.#options;
    const id = attachment.model?.id;
    if (id === undefined) return;
    drafts.attach(id, withoutFile(drafts.files(id), file));
    this.#count(0);
  }

  async #attach(file: Chosen): Promise<void> {
    const { attachment, drafts } = this.#options;
    const id = attachment.model?.id;
    if (id === undefined) return;
    const why = whyNotAttached(file.name, file.size, drafts.files(id).length);
    if (why !== null) throw new Error(why);
    const bytes = new Uint8Array(await file.arrayBuffer());
    // What the browser says of its kind may hold more than a kind.
    const mime = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? { mime: file.type } : {};
    const kept = await attachment.act(client => client.upload(id, { name: file.name, ...mime, bytes }));
    drafts.attach(id, withFile(drafts.files(id), kept));
    this.#count(0);
  }

  #count(more: 1 | 0 | -1): void {
    this.#under += more;
    this.#options.draw(this.#under > 0);
  }
}
