import { Attachment } from '@hearth/client/attachment.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem, type HearthProblem } from '@hearth/client/problem.ts';
import type { Input, Model } from '@hearth/client/view.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { ConversationId, MessageId, PauseId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import { AnsweringService } from './answering-service.ts';
import type { Drafts } from './drafts.ts';
import { Handing } from './handing.ts';
import { HomeList } from './home-list.ts';
import { Operating } from './operating.ts';
import { Outbox } from './outbox.ts';
import { Notices } from './notices.ts';
import { EMPTY, type Notice, type Sheet } from './sheet.ts';
import { Reviewing, untakenWords } from './reviewing.ts';
import { unsentWords } from './words.ts';

/*
 * What the page shows and what it can do, outside React: components draw a `Sheet` and call these methods. Nothing here
 * decides by itself. What was typed is in the composer until the service has taken it, whatever happens to the page.
 */

/** Milliseconds after which a hidden page stops listening to its conversation. */
const HIDDEN = 5000;

/** Which service, and who hears when the page has to change. */
export interface DeskOptions {
  readonly client: HearthClient;
  /** Where messages from here work in a global conversation; `null`: where it last worked. */
  readonly workspace: string | null;
  readonly drafts: Drafts;
  /** Another conversation was opened from within. */
  readonly onOpened: (conversation: ConversationId) => void;
  /** The browser has a session again, after its own had ended. */
  readonly onSignedIn: () => void;
}

/** What one tab holds. `stop` lets the conversation and the list go. */
export class Desk {
  /** Files that go with the next message. */
  readonly handing: Handing;
  /** What is looked up, and done to the run and to what was allowed. */
  readonly operating: Operating;
  readonly #options: DeskOptions;
  readonly #attachment: Attachment;
  readonly #list: HomeList;
  readonly #over = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #outbox: Outbox;
  readonly #reviewing: Reviewing;
  readonly #notices = new Notices(notices => this.#draw({ notices }));
  readonly #service: AnsweringService;
  #sheet: Sheet = EMPTY;
  #cancelSuspend: () => void = () => {};

  constructor(options: DeskOptions) {
    this.#options = options;
    const { client, workspace } = options;
    this.#service = new AnsweringService(client);
    this.#attachment = new Attachment({
      client,
      ...(workspace === null ? {} : { workspace }),
      onChange: (model, input) => this.#changed(model, input),
      onReachable: reachable => this.#draw({ reachable }),
      onGone: problem => this.#gone(problem),
      onArrived: (text, files) => this.#arrived(text, files),
    });
    this.#reviewing = new Reviewing({
      drafts: options.drafts,
      onBeside: beside => this.#draw({ beside }),
    });
    this.#outbox = new Outbox(this.#attachment, options.drafts);
    const attempt = (work: () => Promise<void>): Promise<void> => this.#attempt(work);
    this.operating = new Operating(this.#attachment, attempt);
    this.handing = new Handing({
      attachment: this.#attachment,
      drafts: options.drafts,
      attempt,
      tell: text => this.#tell('info', text),
      draw: uploading => {
        this.#draw({ uploading });
        this.#drawComposed();
      },
    });
    this.#list = new HomeList({
      client,
      onRows: rows => this.#draw({ rows }),
      onSignedOut: why => this.#signOut(why),
    });
  }

  get client(): HearthClient {
    return this.#options.client;
  }

  get workspace(): string | null {
    return this.#options.workspace;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly sheet = (): Sheet => this.#sheet;

  /** Begins with a conversation, `null` for the default one. */
  start(conversation: ConversationId | null): void {
    this.#list.start(this.#over.signal);
    void this.#learnService();
    void this.open(conversation);
  }

  /** Lets go of everything; nothing in the conversation changes. */
  stop(): void {
    this.#cancelSuspend();
    this.#over.abort();
    this.#attachment.close();
  }

  async open(conversation: ConversationId | null): Promise<void> {
    if (conversation !== null && conversation === this.#sheet.model?.id) return;
    await this.#attempt(() => this.#attachment.open(conversation));
  }

  /** Makes a conversation in the scope of the open one, and opens it. */
  async create(): Promise<void> {
    await this.#attempt(async () => {
      const { client } = this;
      const scope = this.#sheet.model?.now.scope ?? { kind: 'global' as const };
      const reply = await client.create({ scope, commandId: client.newCommandId() });
      await this.#attachment.open(reply.view.id);
    });
  }

  compose(text: string): void {
    const { model, composed } = this.#sheet;
    if (model === null) return;
    this.#reviewing.compose(model, composed, text);
    this.#options.drafts.type(model.id, text);
    this.#drawComposed();
  }

  /** Sends what is composed: at a card as what it means there, else as a message. */
  async submit(): Promise<void> {
    const text = this.#sheet.composed;
    if (text.trim() === '' || this.handing.isBusy()) return;
    const line = this.#reviewing.read(text);
    if (line.is === 'notice') return this.#tell('warning', line.why);
    this.compose('');
    if (line.is === 'message') return this.say(text);
    const problem = await this.#decided(line.pause, line.act);
    if (problem === null || this.#sheet.model === null) return;
    if (problem.code === 'kind_required' && line.act.do === 'act')
      return this.note(line.pause.id, line.act.feedback ?? '');
    this.#outbox.giveBack(this.#sheet.model.id, text);
    this.#drawComposed();
  }

  /** Keeps what is typed beside a card or an input. */
  note(pause: PauseId, words: string): void {
    if (this.#sheet.model !== null) this.#reviewing.note(this.#sheet.model, pause, words);
  }

  /** Sends a message; one that was not taken is back in the composer. */
  async say(text: string): Promise<void> {
    const conversation = this.#sheet.model?.id;
    if (conversation === undefined || this.handing.isBusy()) return;
    const sent = this.#outbox.send(conversation, text);
    // Its files have left with it.
    this.#drawComposed();
    const problem = await sent;
    if (problem === null) return this.#notices.taken();
    this.#drawComposed();
    this.#fault(problem, { words: unsentWords, unsent: true });
  }

  /** Answers a pause as it was drawn. Resolves to whether that was taken. */
  async decide(pause: Pause, act: Act): Promise<boolean> {
    if (this.#sheet.deciding !== null) return false;
    return (await this.#decided(pause, act)) === null;
  }

  /** Resolves to why it was not taken, which has been told; `null` when it was. Words beside the pause stay until then. */
  async #decided(pause: Pause, act: Act): Promise<HearthProblem | null> {
    this.#draw({ deciding: pause.id });
    try {
      await this.#attachment.decide(pause, act);
      this.note(pause.id, '');
      return null;
    } catch (error) {
      this.#fault(error, { words: problem => untakenWords(pause, problem) });
      return asProblem(error);
    } finally {
      this.#draw({ deciding: null });
    }
  }

  /** Reads back what lies before what is shown. */
  async earlier(): Promise<void> {
    if (this.#sheet.readingBack) return;
    this.#draw({ readingBack: true });
    await this.#attempt(() => this.#attachment.earlier());
    this.#draw({ readingBack: false });
  }

  /** Takes a queued message back and puts its words into the composer. */
  async unsend(message: MessageId): Promise<void> {
    await this.#attempt(async () => {
      const { model } = this.#sheet;
      if (model === null) return;
      await this.#outbox.unsend(model, message);
      this.#drawComposed();
    });
  }

  /** Looks once more for a service that was stopped, or for a session that has ended, and goes on with it. */
  async tryAgain(): Promise<void> {
    try {
      await this.client.session();
    } catch (error) {
      const problem = asProblem(error);
      const signedOut = problem.status === 401 ? 'This browser is still not signed in.' : problem.detail;
      return this.#tell(
        'error',
        problem.code === 'unreachable' ? 'The service still does not answer.' : signedOut,
      );
    }
    if (this.#sheet.signedOut === null) this.#attachment.retry();
    else this.#options.onSignedIn();
  }

  dismiss(notice: number): void {
    this.#notices.dismiss(notice);
  }

  /** A page that nobody sees leaves its connection to others; it catches up when it is seen again. */
  setHidden(hidden: boolean): void {
    this.#cancelSuspend();
    this.#cancelSuspend = () => {};
    if (this.#over.signal.aborted) return;
    if (hidden) this.#cancelSuspend = this.client.timers.after(HIDDEN, () => this.#attachment.suspend());
    else this.#attachment.resume();
  }

  #draw(change: Partial<Sheet>): void {
    this.#sheet = { ...this.#sheet, ...change };
    for (const listener of this.#listeners) listener();
  }

  #changed(model: Model, input: Input | null): void {
    if (input === null) return this.#opened(model);
    this.#outbox.note(model, input);
    if (input.frame === 'link' && input.link.is === 'connected') void this.#learnService();
    this.#draw({ model });
    this.#keepWords(model);
  }

  /** Words beside a pause that somebody else has closed are typed again in the composer. */
  #keepWords(model: Model): void {
    for (const { pause, words } of this.#reviewing.orphans(model, this.#sheet.deciding)) {
      this.#outbox.giveBack(model.id, words);
      this.#reviewing.forget();
      this.#drawComposed();
      this.#tell(
        'warning',
        `${pause} was closed while you were typing; your words are in the composer and were not sent.`,
      );
    }
  }

  #opened(model: Model): void {
    this.#outbox.restore(model);
    const composed = this.#options.drafts.typed(model.id);
    const files = this.#options.drafts.files(model.id);
    // What was typed in an earlier life of the page was meant for what stood there then.
    this.#reviewing.forget();
    const beside = this.#options.drafts.beside(model.id);
    this.#notices.clear();
    this.#draw({ model, composed, files, beside, deciding: null });
    this.#keepWords(model);
    this.#options.onOpened(model.id);
  }

  #gone(problem: HearthProblem): void {
    // Of anything else the link tells.
    if (problem.status === 401) this.#signOut(problem.detail);
  }

  #signOut(why: string): void {
    this.stop();
    this.#draw({ signedOut: why });
  }

  async #learnService(): Promise<void> {
    const found = await this.#service.look();
    if (found === null) return;
    this.#draw({ backend: found.backend });
    if (found.update !== null) this.#tell('info', found.update);
  }

  #drawComposed(): void {
    const { model } = this.#sheet;
    if (model === null) return;
    const { drafts } = this.#options;
    this.#draw({ composed: drafts.typed(model.id), files: drafts.files(model.id) });
  }

  #arrived(text: string, files: readonly Attached[]): void {
    const { model, composed } = this.#sheet;
    if (model === null || composed !== text) return;
    this.#outbox.clear(model.id, files);
    this.#drawComposed();
    this.#notices.taken();
    this.#tell('info', 'Your message had arrived after all, so it was taken out of the composer.');
  }

  #tell(severity: Notice['severity'], text: string): void {
    this.#notices.tell(severity, text);
  }

  #fault(error: unknown, { words = (problem: HearthProblem) => problem.detail, unsent = false } = {}): void {
    const problem = asProblem(error);
    if (problem.status === 401) this.#signOut(problem.detail);
    else this.#notices.tell('error', words(problem), { unsent });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fault(error);
    }
  }
}
