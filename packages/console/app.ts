import type { TuiAltScreen } from '@earendil-works/pi-tui';
import { Attachment } from '@hearth/client/attachment.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import type { Input, Model } from '@hearth/client/view.ts';
import { openPauses, quickReplies, shownPause, waitingPauses } from '@hearth/client/view.ts';
import type { Way } from '@hearth/client/ways.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { Choices } from './choices.ts';
import { Bell } from './bell.ts';
import { Composer } from './composer.ts';
import { type FileRead, Handing } from './handing.ts';
import { Keyboard } from './keyboard.ts';
import { type LinesOptions, takeLine } from './lines.ts';
import { LookBack } from './look-back.ts';
import { LongTexts } from './long-texts.ts';
import { Operator } from './operator.ts';
import { Outbox } from './outbox.ts';
import { panes } from './panes.ts';
import { QuickReplies } from './quick-replies.ts';
import { Review } from './review.ts';
import { LOST, StatusLine } from './status-line.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';
import { Ticker } from './ticker.ts';
import { type Notice, Transcript } from './transcript.ts';
import { TypedAnswer } from './typed-answer.ts';
import { Versions } from './versions.ts';

/*
 * The console on one conversation: transcript, what can be chosen, composer, status. It draws what the view model says
 * and sends what a person asks for; Esc, Ctrl-C, a resize or an end decide nothing. What was typed is in the composer
 * until the service has taken it.
 */

/** What the console shows, where, and for whom. */
export interface AppOptions {
  readonly tui: TuiAltScreen;
  readonly theme: Theme;
  readonly client: HearthClient;
  readonly workspace: string;
  /** As in `ConsoleOptions`. */
  readonly botNamed?: (text: string) => string;
  /** As in `ConsoleOptions`. */
  readonly readFile?: ((given: string) => Promise<FileRead>) | undefined;
  /** The person's home directory, shown as `~`. */
  readonly home: string | null;
  /** As in `AttachmentOptions`. */
  readonly reconnect?: () => Promise<HearthClient>;
  readonly start?: () => Promise<HearthClient>;
  readonly onQuit: () => void;
}

/** What makes a terminal call its person. */
const BELL = '\u0007';

/** The console while it is open. It ends by `onQuit` and leaves the conversation as it is. */
export class App {
  readonly #options: AppOptions;
  readonly #attachment: Attachment;
  readonly #texts: LongTexts;
  readonly #versions: Versions;
  readonly #transcript: Transcript;
  readonly #choices: Choices;
  readonly #quick: QuickReplies;
  readonly #composer: Composer;
  readonly #outbox: Outbox;
  readonly #handing: Handing;
  readonly #answer: TypedAnswer;
  readonly #review: Review;
  readonly #keyboard: Keyboard;
  readonly #bell = new Bell();
  readonly #ticker: Ticker;
  #notices: readonly Notice[] = [];
  #backend: { name: string; why: string } | null = null;
  #reachable = true;

  constructor(options: AppOptions) {
    this.#options = options;
    const { tui, theme, client, workspace, reconnect, start } = options;
    this.#attachment = new Attachment({
      client,
      workspace,
      ...(reconnect === undefined ? {} : { reconnect }),
      ...(start === undefined ? {} : { start }),
      onChange: (model, input) => this.#changed(model, input),
      onReachable: reachable => this.#setReachable(reachable),
      onGone: problem => this.#tell('error', `${problem.detail} /conversation opens another one.`),
      onArrived: (text, files) => this.#outbox.arrived(text, files),
    });
    this.#ticker = new Ticker(client.timers, () => tui.requestRender());
    this.#texts = new LongTexts(
      digest => this.#attachment.call(one => one.blob(this.#id(), digest)),
      () => this.#redraw(),
    );
    this.#versions = new Versions(
      ref => this.#attachment.call(one => one.artifact(this.#id(), ref)),
      () => this.#redraw(),
    );
    this.#transcript = new Transcript({
      theme,
      me: client.actor,
      whole: this.#texts.whole,
      held: this.#versions.held,
    });
    const half = (): number => Math.max(4, Math.floor(tui.terminal.rows / 2));
    this.#choices = new Choices(theme, half, () => client.timers.now());
    this.#quick = new QuickReplies(theme, half);
    this.#composer = new Composer(tui, theme);
    this.#handing = new Handing({
      attachment: this.#attachment,
      readFile: options.readFile,
      tell: (severity, text) => this.#tell(severity, text),
      draw: () => this.#draw(),
    });
    this.#outbox = new Outbox({
      attachment: this.#attachment,
      composer: this.#composer,
      choices: this.#choices,
      handing: this.#handing,
      tell: (severity, text) => this.#tell(severity, text),
      draw: () => this.#draw(),
    });
    this.#answer = new TypedAnswer({
      me: client.actor,
      attachment: this.#attachment,
      composer: this.#composer,
      outbox: this.#outbox,
      tell: (severity, text) => this.#tell(severity, text),
      draw: () => this.#draw(),
    });
    this.#review = new Review({
      attachment: this.#attachment,
      composer: this.#composer,
      choices: this.#choices,
      outbox: this.#outbox,
      theme,
      tell: (severity, text, draw) => this.#tell(severity, text, draw),
      draw: () => this.#draw(),
    });
    this.#keyboard = new Keyboard({
      composer: this.#composer,
      choices: this.#choices,
      quick: this.#quick,
      answering: () => this.#answer.isOpen,
      leaveAnswer: () => this.#leaveAnswer(),
      leaveWhich: () => this.#review.leave(),
      choose: (pause, way) => this.#choose(pause, way),
      send: text => void this.#outbox.send(text),
      quit: options.onQuit,
      draw: () => this.#draw(),
    });
    this.#composer.onKey = this.#keyboard.key;
    this.#composer.onPaste = this.#keyboard.typeDigits;
    this.#composer.onBegin = () => this.#review.begin();
    const operator = new Operator({
      attachment: this.#attachment,
      tui,
      theme,
      tell: (severity, text) => this.#tell(severity, text),
      focus: () => tui.setFocus(this.#composer),
      attempt: work => void this.#do(work),
      quit: options.onQuit,
      review: this.#review,
      handing: this.#handing,
      botNamed: options.botNamed ?? (text => text),
    });
    const lines: LinesOptions = {
      composer: this.#composer,
      answer: this.#answer,
      review: this.#review,
      operator,
      outbox: this.#outbox,
      warn: text => this.#tell('warning', text),
      attempt: work => void this.#do(work),
    };
    this.#composer.onSubmit = text => takeLine(text, lines);
    const status = new StatusLine(theme, () => ({
      model: this.#attachment.model,
      backend: this.#backend,
      workspace,
      home: options.home,
      now: client.timers.now(),
      hint: this.#keyboard.quitting ? 'Ctrl-C again quits; the work goes on' : null,
      link: this.#reachable ? null : LOST,
    }));
    const scroll = new LookBack({
      transcript: this.#transcript,
      model: () => this.#attachment.model,
      earlier: () => this.#attachment.earlier(),
      draw: () => this.#draw(),
    });
    tui.setLayoutRoot(
      panes({
        transcript: scroll,
        choices: this.#choices,
        quick: this.#quick,
        composer: this.#composer,
        status,
      }),
    );
    tui.setFocus(this.#composer);
  }

  /** Opens the conversation, `null` for the default one, and says so when that is not possible. */
  async start(conversation: ConversationId | null): Promise<void> {
    void this.#learnBackend();
    try {
      await this.#attachment.open(conversation);
    } catch (error) {
      this.#fault(error);
    }
  }

  /** The title of the open conversation, for the words of goodbye. */
  get title(): string | null {
    const model = this.#attachment.model;
    return model === null ? null : oneLine(model.now.title);
  }

  /** Lets go of everything. */
  stop(): void {
    this.#ticker.stop();
    this.#attachment.close();
  }

  async #learnBackend(): Promise<void> {
    try {
      this.#backend = (await this.#attachment.client.status()).backend;
      this.#options.tui.requestRender();
    } catch {
      // The status line then names the session's backend, once there is one.
    }
  }

  #id(): ConversationId {
    const model = this.#attachment.model;
    if (model === null) throw new Error('No conversation is open.');
    return model.id;
  }

  #changed(model: Model, input: Input | null): void {
    if (input === null) {
      this.#bell.open(waitingPauses(model));
      this.#notices = [];
      this.#answer.leave();
      this.#review.leave();
      this.#options.tui.terminal.setTitle(`${oneLine(model.now.title)} · Hearth`);
    }
    if (this.#bell.rings(waitingPauses(model))) this.#options.tui.terminal.write(BELL);
    if (input?.frame === 'link' && input.link.is === 'connected') {
      this.#versions.retry();
      if (this.#backend === null) void this.#learnBackend();
    }
    this.#answer.follow(model);
    this.#review.follow(model);
    this.#draw();
  }

  #draw(): void {
    const model = this.#attachment.model;
    this.#transcript.show(model, this.#notices);
    if (model !== null) {
      const shown = shownPause(model);
      this.#choices.show(shown, Math.max(0, openPauses(model).length - 1));
      this.#choices.setTyping(this.#answer.isOpen);
      this.#quick.show(shown === null ? quickReplies(model) : []);
      this.#composer.setLabel(this.#answer.label ?? this.#handing.label);
      this.#ticker.follow(model.now.turn !== null);
    }
    this.#options.tui.requestRender();
  }

  #redraw(): void {
    this.#transcript.invalidate();
    this.#options.tui.requestRender();
  }

  #setReachable(reachable: boolean): void {
    if (this.#reachable === reachable) return;
    this.#reachable = reachable;
    this.#options.tui.requestRender();
  }

  #tell(severity: Notice['severity'], text: string, draw?: Notice['draw']): void {
    const notice = { after: this.#attachment.model?.seq ?? 0, severity, text };
    this.#notices = [...this.#notices, draw === undefined ? notice : { ...notice, draw }];
    this.#draw();
  }

  #fault(error: unknown): void {
    this.#tell('error', asProblem(error).detail);
  }

  async #do(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fault(error);
    }
  }

  #choose(pause: Pause, way: Way): void {
    if (way.is === 'act') void this.#review.decide(pause, way.act, null);
    else this.#answer.begin(pause, way);
  }

  #leaveAnswer(): void {
    this.#answer.leave();
    this.#draw();
  }
}
