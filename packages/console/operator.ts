import type { OverlayHandle, TUI } from '@earendil-works/pi-tui';
import type { Attachment } from '@hearth/client/attachment.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { type Commander, helpText } from './commands.ts';
import { Keeping, type KeepingOptions } from './keeping.ts';
import { Picker } from './picker.ts';
import { Running } from './running.ts';
import type { Theme } from './theme.ts';

/** What the commands need of the console. */
export interface OperatorOptions extends KeepingOptions {
  readonly attachment: Attachment;
  readonly tui: TUI;
  readonly theme: Theme;
  /** Gives the keys back to the composer. */
  readonly focus: () => void;
  /** Does something later and tells of its failure. */
  readonly attempt: (work: () => Promise<void>) => void;
  readonly quit: () => void;
  readonly review: Commander['review'];
  readonly handing: Commander['handing'];
}

/** Carries out the commands of the composer. Their failures are thrown, in words for a person. */
export class Operator implements Commander {
  readonly keeping: Keeping;
  readonly review: Commander['review'];
  readonly running: Running;
  readonly handing: Commander['handing'];
  readonly #options: OperatorOptions;
  #picker: OverlayHandle | null = null;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.keeping = new Keeping(options);
    this.review = options.review;
    this.handing = options.handing;
    this.running = new Running(options);
  }

  /** Makes a conversation in the scope of the open one. */
  async create(title: string | null): Promise<void> {
    const { attachment } = this.#options;
    const scope = attachment.model?.now.scope ?? { kind: 'global' as const };
    const commandId = attachment.client.newCommandId();
    const named = title === null ? {} : { title };
    const reply = await attachment.act(client => client.create({ ...named, scope, commandId }));
    await attachment.open(reply.view.id);
  }

  async pick(): Promise<void> {
    const { attachment, tui, theme, attempt } = this.#options;
    const rows = await this.#rows();
    const current = attachment.model?.id ?? null;
    this.#picker?.hide();
    const picker = new Picker(rows, current, theme, chosen => {
      this.#closePicker();
      if (chosen !== null && chosen !== current) attempt(() => attachment.open(chosen));
    });
    this.#picker = tui.showOverlay(picker, { width: '90%', minWidth: 30, maxHeight: '80%' });
  }

  async open(name: string): Promise<void> {
    await this.#options.attachment.open(named(await this.#rows(), name));
  }

  async interrupt(): Promise<void> {
    const { attachment, tell } = this.#options;
    if (!(await attachment.interrupt())) tell('info', 'No turn is running.');
  }

  help(): void {
    this.#options.tell('info', helpText());
  }

  quit(): void {
    this.#options.quit();
  }

  #closePicker(): void {
    this.#picker?.hide();
    this.#picker = null;
    this.#options.focus();
  }

  async #rows(): Promise<readonly ConversationRow[]> {
    const { attachment, tell } = this.#options;
    const { conversations, damaged } = await attachment.call(client => client.list());
    for (const { why } of damaged) tell('warning', why);
    return conversations;
  }
}

/** The one conversation that a name means: an id, the beginning of one, or a whole title. */
function named(rows: readonly ConversationRow[], name: string): ConversationId {
  const exact = rows.filter(row => row.id === name);
  const near = rows.filter(row => row.id.startsWith(name) || row.title.toLowerCase() === name.toLowerCase());
  const [found, other] = exact.length > 0 ? exact : near;
  if (found === undefined)
    throw new Error(`There is no conversation "${name}"; /conversation shows them all.`);
  if (other !== undefined) {
    throw new Error(`"${name}" names more than one conversation; /conversation shows them all.`);
  }
  return found.id;
}
