import { matchesKey, ScrollView, type TuiAltScreen, VStack } from '@earendil-works/pi-tui';
import { Attachment } from '@hearth/client/attachment.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem, type HearthProblem } from '@hearth/client/problem.ts';
import type { Input, Model } from '@hearth/client/view.ts';
import { openPauses, quickReplies, shownPause } from '@hearth/client/view.ts';
import type { Way } from '@hearth/client/ways.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { Choices, type Pressed } from './choices.ts';
import { readLine } from './commands.ts';
import { Composer } from './composer.ts';
import { isPrinted, pressedKey } from './keys.ts';
import { LongTexts } from './long-texts.ts';
import { Operator } from './operator.ts';
import { QuickReplies } from './quick-replies.ts';
import { speaker } from './speaker.ts';
import { StatusLine } from './status-line.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';
import { type Notice, Transcript } from './transcript.ts';

/*
 * The console on one conversation: transcript, what can be chosen, composer, status. It draws what the view model says
 * and sends what a person asks for; Esc, Ctrl-C, a resize or an end decide nothing. What was typed is in the composer
 * until the service has taken it.
 */

export interface AppOptions {
  readonly tui: TuiAltScreen;
  readonly theme: Theme;
  readonly client: HearthClient;
  readonly workspace: string;
  /** The person's home directory, shown as `~`. */
  readonly home: string | null;
  readonly reconnect?: () => Promise<HearthClient>;
  readonly onQuit: () => void;
}

/** Words that are being typed for a pause, as it was when the person chose to. */
interface Answering {
  readonly pause: Pause;
  readonly way: Extract<Way, { is: 'type' }>;
}

export class App {
  readonly #options: AppOptions;
  readonly #attachment: Attachment;
  readonly #texts: LongTexts;
  readonly #transcript: Transcript;
  readonly #choices: Choices;
  readonly #quick: QuickReplies;
  readonly #composer: Composer;
  readonly #operator: Operator;
  #notices: readonly Notice[] = [];
  #backend: { name: string; why: string } | null = null;
  #answering: Answering | null = null;
  /** Digits that moved in the list, in case they turn out to be the beginning of words. */
  #digits = '';
  #quitting = false;
  #reachable = true;
  #untick: () => void = () => {};

  constructor(options: AppOptions) {
    this.#options = options;
    const { tui, theme, client, workspace, reconnect } = options;
    this.#attachment = new Attachment({
      client,
      workspace,
      ...(reconnect === undefined ? {} : { reconnect }),
      onChange: (model, input) => this.#changed(model, input),
      onReachable: reachable => this.#setReachable(reachable),
      onGone: problem => this.#tell('error', `${problem.detail} /conversation opens another one.`),
      onArrived: text => this.#arrived(text),
    });
    this.#texts = new LongTexts(
      digest => this.#attachment.call(one => one.blob(this.#id(), digest)),
      () => this.#redraw(),
    );
    this.#transcript = new Transcript({ theme, me: client.actor, whole: this.#texts.whole });
    this.#choices = new Choices(theme, () => Math.max(4, Math.floor(tui.terminal.rows / 2)));
    this.#quick = new QuickReplies(theme);
    this.#composer = new Composer(tui, theme);
    this.#composer.onKey = data => this.#key(data);
    this.#composer.onSubmit = text => this.#submitted(text);
    this.#operator = new Operator({
      attachment: this.#attachment,
      tui,
      theme,
      tell: (severity, text) => this.#tell(severity, text),
      focus: () => tui.setFocus(this.#composer),
      attempt: work => void this.#do(work),
      quit: options.onQuit,
    });
    const status = new StatusLine(theme, () => ({
      model: this.#attachment.model,
      backend: this.#backend,
      workspace,
      home: options.home,
      now: client.timers.now(),
      hint: this.#quitting ? 'Ctrl-C again quits; the work goes on' : null,
      link: this.#reachable ? null : 'connection lost, reconnecting…',
    }));
    const scroll = new ScrollView(this.#transcript, { follow: 'end', primary: true, scrollbar: 'hidden' });
    tui.setLayoutRoot(
      new VStack([
        { component: scroll, basis: 0, grow: 1, minSize: 1 },
        { component: this.#choices, basis: 'auto', shrink: 4 },
        { component: this.#quick, basis: 'auto', shrink: 4 },
        { component: this.#composer, basis: 'auto', shrink: 1, minSize: 3 },
        { component: status, basis: 'auto', shrink: 2, minSize: 1 },
      ]),
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
    this.#untick();
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
      this.#notices = [];
      this.#answering = null;
      this.#options.tui.terminal.setTitle(`${oneLine(model.now.title)} · Hearth`);
    }
    if (input?.frame === 'link' && input.link.is === 'connected' && this.#backend === null)
      void this.#learnBackend();
    this.#leaveClosed(model);
    this.#draw();
  }

  #draw(): void {
    const model = this.#attachment.model;
    this.#transcript.show(model, this.#notices);
    if (model !== null) {
      const shown = shownPause(model);
      this.#choices.show(shown, Math.max(0, openPauses(model).length - 1));
      this.#choices.setTyping(this.#answering !== null);
      this.#quick.show(shown === null ? quickReplies(model) : []);
      const { pause, way } = this.#answering ?? {};
      this.#composer.setLabel(
        pause === undefined || way === undefined ? null : `${way.hint}, for ${pause.id} (Esc goes back)`,
      );
      this.#tick(model);
    }
    this.#options.tui.requestRender();
  }

  #redraw(): void {
    this.#transcript.invalidate();
    this.#options.tui.requestRender();
  }

  /** A running turn's time goes on without any event. */
  #tick(model: Model): void {
    this.#untick();
    this.#untick = () => {};
    if (model.now.turn === null) return;
    this.#untick = this.#options.client.timers.after(1000, () => {
      this.#options.tui.requestRender();
      this.#tick(model);
    });
  }

  #setReachable(reachable: boolean): void {
    if (this.#reachable === reachable) return;
    this.#reachable = reachable;
    this.#options.tui.requestRender();
  }

  #tell(severity: Notice['severity'], text: string): void {
    this.#notices = [...this.#notices, { after: this.#attachment.model?.seq ?? 0, severity, text }];
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

  /** Sees every key before the composer does. */
  #key(data: string): boolean {
    if (matchesKey(data, 'ctrl+c')) return this.#cancel();
    this.#forgetQuit();
    if (matchesKey(data, 'escape') && this.#answering !== null) {
      this.#answering = null;
      this.#draw();
      return true;
    }
    if (!this.#composer.isEmpty) return false;
    if (matchesKey(data, 'ctrl+d')) {
      this.#options.onQuit();
      return true;
    }
    if (this.#answering !== null) return false;
    const pressed = pressedKey(data);
    const digits = this.#digits;
    this.#digits = '';
    if (this.#choices.pause !== null) {
      if (pressed !== null && (typeof pressed !== 'number' || pressed <= this.#choices.numbered)) {
        if (typeof pressed === 'number') this.#digits = `${digits}${pressed}`;
        return this.#choose(pressed);
      }
      if (digits !== '' && isPrinted(data)) this.#composer.insertTextAtCursor(digits);
      return false;
    }
    const reply = typeof pressed === 'number' ? this.#quick.at(pressed) : null;
    if (reply === null) return false;
    void this.#send(reply);
    return true;
  }

  #cancel(): true {
    if (!this.#composer.isEmpty) {
      this.#composer.setText('');
      this.#forgetQuit();
    } else if (this.#quitting) {
      this.#options.onQuit();
    } else {
      this.#answering = null;
      this.#digits = '';
      this.#quitting = true;
    }
    this.#draw();
    return true;
  }

  #forgetQuit(): void {
    if (!this.#quitting) return;
    this.#quitting = false;
    this.#options.tui.requestRender();
  }

  #choose(pressed: Pressed): true {
    const pause = this.#choices.pause;
    const way = this.#choices.press(pressed);
    if (pause !== null && way?.is === 'act') void this.#decide(pause, way.act, null);
    if (pause !== null && way?.is === 'type') {
      this.#answering = { pause, way };
    }
    this.#draw();
    return true;
  }

  #submitted(text: string): void {
    if (text.trim() === '') return;
    this.#composer.addToHistory(text);
    const answering = this.#answering;
    if (answering !== null) return this.#answer(answering, text);
    const line = readLine(text);
    if (line.is === 'wrong') {
      this.#composer.giveBack(text);
      this.#tell('warning', line.why);
    } else if (line.is === 'command') {
      void this.#do(() => line.command.run(this.#operator, line.argument));
    } else {
      void this.#send(line.text, text);
    }
  }

  #answer({ pause, way }: Answering, text: string): void {
    const act = way.make(text);
    if (typeof act === 'string') {
      this.#composer.giveBack(text);
      this.#tell('warning', act);
      return;
    }
    this.#answering = null;
    void this.#decide(pause, act, text);
  }

  /** `typed` is what was in the composer, when it was not exactly what is sent. */
  async #send(text: string, typed = text): Promise<void> {
    try {
      await this.#attachment.send(text);
    } catch (error) {
      const problem = asProblem(error);
      this.#composer.giveBack(typed);
      this.#tell('error', unsentWords(problem));
    }
  }

  async #decide(pause: Pause, act: Act, typed: string | null): Promise<void> {
    this.#choices.setBusy(true);
    this.#draw();
    try {
      await this.#attachment.decide(pause, act);
    } catch (error) {
      const problem = asProblem(error);
      if (typed !== null) this.#composer.giveBack(typed);
      this.#tell('error', `Your answer to ${pause.id} was not taken: ${problem.detail}`);
    } finally {
      if (this.#choices.pause?.id === pause.id) this.#choices.setBusy(false);
      this.#draw();
    }
  }

  /** An answer that is being typed may lose its pause: the words stay, and go nowhere by themselves. */
  #leaveClosed(model: Model): void {
    const pause = this.#answering?.pause.id;
    if (pause === undefined || model.now.pauses.some(open => open.id === pause)) return;
    this.#answering = null;
    const item = model.items.findLast(one => one.is === 'asked' && one.pause.id === pause);
    const by =
      item?.is === 'asked' && item.closed !== null
        ? speaker(item.closed.by, this.#options.client.actor)
        : 'someone';
    this.#tell(
      'warning',
      `${pause} was closed by ${by} while you were typing; your words are still here and were not sent.`,
    );
  }

  #arrived(text: string): void {
    if (this.#composer.getExpandedText() !== text) return;
    this.#composer.setText('');
    this.#tell('info', 'Your message had arrived after all, so it was taken out of the composer.');
  }
}

function unsentWords(problem: HearthProblem): string {
  const kept = 'Your words are back in the composer.';
  if (problem.code !== 'unreachable') return `That was not sent: ${problem.detail} ${kept}`;
  return `That may not have been sent: ${problem.detail} ${kept} Sending them again unchanged cannot double them.`;
}
