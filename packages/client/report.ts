import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId, MessageId, TurnId } from '@hearth/protocol/ids.ts';
import { type CardPause, GRANTS, type InputPause, type Pause } from '@hearth/protocol/pause.ts';
import { headOf, type Text } from '@hearth/protocol/text.ts';
import type { ReportAction, ReportCard, ReportQuestion, TurnReport } from '@hearth/protocol/turn-report.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { actionsNow } from './card-actions.ts';
import { titleOf } from './card-words.ts';
import type { HearthClient } from './http.ts';
import { nowFrom } from './now.ts';
import { asProblem, HearthProblem } from './problem.ts';
import { readLog } from './recover.ts';
import { follow } from './stream.ts';
import { rest } from './timers.ts';
import type { Verdict } from './verdict.ts';
import { judge, TurnLog } from './verdict.ts';
import type { Model } from './view.ts';
import { modelFrom, reduce } from './view.ts';

/*
 * Waiting for a turn: resolves when it is settled, waits for a person or has failed, and never by a timer of its own.
 * Rejects when what happens there cannot be saved any more.
 * A verdict that the events suggest counts only once the service's state confirms it, at a moment up to which every
 * event is known, since one commit's events arrive one by one.
 */

/** Which turn is waited for, and how long: until it has settled, waits for somebody, or `signal` aborts. */
export interface ReportOptions {
  readonly client: HearthClient;
  readonly conversation: ConversationId;
  /** The turn to wait for, as the receipt names it; `null` = whatever runs now. */
  readonly turn: TurnId | null;
  /** The message that asks for it, as the receipt names it; `null` for an answer. */
  readonly message?: MessageId | null;
  readonly signal: AbortSignal;
  /** Finds the service when it does not answer; see `FollowOptions`. */
  readonly renew?: () => Promise<HearthClient>;
  /** Somebody stopped the service; the wait goes on until somebody has started it again. */
  readonly onStopped?: () => void;
}

/** Nothing can be saved there now, so the turn was stopped and nobody knows when it goes on. */
function unsaved({ code, detail }: { readonly code: string; readonly detail: string }): HearthProblem {
  const words = `${detail} The turn was stopped; what was accepted is kept, and it can be taken up again.`;
  return new HearthProblem({ code, status: 507, detail: words });
}

/** How long to wait before a state that could not be fetched is asked for again, in milliseconds. */
const AGAIN = 500;
/** How far back a reply is looked for that the log no longer holds, in turns. */
const TURNS = 20;

function seqOf(view: ConversationView): number {
  return parseCursor(view.head)?.seq ?? 0;
}

class Waiting {
  readonly #options: ReportOptions;
  readonly #turns = new TurnLog();
  #client: HearthClient;
  #model: Model;
  #turn: TurnId | null;
  #changes = 0;
  #wake: () => void = () => {};
  #broken: { readonly error: unknown } | null = null;

  static async start(options: ReportOptions): Promise<Waiting> {
    const log = await readLog(options.client, options.conversation, { signal: options.signal });
    const waiting = new Waiting(options, modelFrom(log.view, log.events, log.from));
    waiting.#model = { ...waiting.#model, cursor: log.next };
    for (const { event } of log.events) waiting.#turns.take(event);
    return waiting;
  }

  private constructor(options: ReportOptions, model: Model) {
    this.#options = options;
    this.#client = options.client;
    this.#model = model;
    this.#turn = options.turn ?? model.now.turn?.id ?? null;
  }

  async run(): Promise<TurnReport> {
    const { signal, conversation, renew, onStopped } = this.#options;
    const over = new AbortController();
    const following = follow(this.#client, conversation, {
      after: this.#model.cursor,
      onFrame: frame => {
        if (frame.frame === 'event') this.#turns.take(frame.event);
        if (frame.frame === 'cut' && frame.problem !== undefined)
          this.#broken ??= { error: unsaved(frame.problem) };
        this.#model = reduce(this.#model, frame);
        this.#changed();
      },
      onState: link => {
        if (link.is === 'stopped') onStopped?.();
        if (link.is === 'connected') void this.#look();
      },
      signal: AbortSignal.any([signal, over.signal]),
      clock: this.#client.timers,
      ...(renew === undefined ? {} : { renew: async () => (this.#client = await renew()) }),
    }).catch((error: unknown) => {
      this.#broken = { error };
      this.#changed();
    });
    const stop = (): void => this.#changed();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#settle();
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort();
      await following;
    }
  }

  async #settle(): Promise<TurnReport> {
    for (;;) {
      this.#check();
      const seen = this.#changes;
      if (this.#judge(this.#model.now) !== null) {
        const view = await this.#state();
        const verdict = view === null ? null : this.#judge(nowFrom(view));
        if (view !== null && verdict !== null) return this.#report(view, verdict);
      }
      await this.#change(seen);
    }
  }

  /** A new connection tells what happens from now on, and not that since before nothing can be saved. */
  async #look(): Promise<void> {
    const { conversation, signal } = this.#options;
    const view = await this.#client.get(conversation, { signal }).catch(() => null);
    if (view?.trouble === undefined) return;
    this.#broken ??= { error: unsaved(view.trouble) };
    this.#changed();
  }

  #judge(now: Parameters<typeof judge>[1]): Verdict | null {
    return judge(this.#turns, now, this.#turn, this.#options.message ?? null);
  }

  /** The state now, with every event up to it known; `null` when it could not be fetched and must be asked for again. */
  async #state(): Promise<ConversationView | null> {
    const { conversation, signal } = this.#options;
    let view: ConversationView;
    try {
      view = await this.#client.get(conversation, { signal });
    } catch (error) {
      this.#check();
      if (asProblem(error).code !== 'unreachable') throw error;
      await rest(this.#client.timers, AGAIN, signal);
      this.#changed();
      return null;
    }
    while (this.#model.seq < seqOf(view)) {
      this.#check();
      await this.#change(this.#changes);
    }
    return view;
  }

  #changed(): void {
    this.#changes++;
    this.#wake();
  }

  /** Resolves when something has changed since `seen`. */
  async #change(seen: number): Promise<void> {
    if (this.#changes !== seen) return;
    await new Promise<void>(resolve => {
      this.#wake = resolve;
    });
  }

  #check(): void {
    this.#options.signal.throwIfAborted();
    if (this.#broken !== null) throw this.#broken.error;
  }

  async #report(view: ConversationView, verdict: Verdict): Promise<TurnReport> {
    const turn = this.#turn === null ? null : this.#turns.following(this.#turn);
    const failed = verdict.is === 'failed' ? { error: { code: verdict.code, message: verdict.message } } : {};
    const questions = await Promise.all(view.pauses.map(pause => this.#question(pause)));
    const cards = await Promise.all(view.pauses.map(pause => this.#card(pause)));
    return {
      conversation: this.#options.conversation,
      turn,
      state: verdict.is,
      reply: turn === null ? '' : await this.#reply(turn),
      quickReplies: this.#proposed(view, turn),
      questions: questions.flat(),
      cards: cards.flat(),
      ...failed,
      cursor: view.head,
    };
  }

  /** What the bot proposed at the end of this very turn: home base may be that of a later one by now. */
  #proposed({ pauses }: ConversationView, turn: TurnId | null): string[] {
    const told = turn === null ? null : this.#turns.proposed(turn);
    if (told !== null) return [...told];
    const home = pauses.find(pause => pause.kind === 'chat');
    return home !== undefined && (turn === null || home.turn === turn) ? home.quickReplies : [];
  }

  async #reply(turn: TurnId): Promise<string> {
    let texts = this.#turns.replies(turn);
    if (texts.length === 0 && this.#turns.end(turn) === null) {
      const { items } = await this.#client.history(this.#options.conversation, null, TURNS, {
        signal: this.#options.signal,
      });
      texts = items.flatMap(line => (line.is === 'replied' && line.turn === turn ? [line.text] : []));
    }
    const whole = await Promise.all(texts.map(text => this.#whole(text)));
    return whole.filter(text => text !== '').join('\n\n');
  }

  async #whole(text: Text): Promise<string> {
    if (typeof text === 'string') return text;
    return this.#client.blob(this.#options.conversation, text.blob, { signal: this.#options.signal });
  }

  async #question(pause: Pause): Promise<ReportQuestion[]> {
    const asked = questionOf(pause);
    return asked === null ? [] : [{ ...asked, id: pause.id, text: await this.#whole(pause.text) }];
  }

  async #card(pause: Pause): Promise<ReportCard[]> {
    if (pause.kind !== 'card') return [];
    const { conversation, signal } = this.#options;
    const { body } = await this.#client.artifact(conversation, pause.shown, { signal });
    return [{ ...cardReport(pause), text: await this.#whole(pause.text), body }];
  }
}

/** A card as scripts see it, without the text that must be fetched. */
export function cardReport(pause: CardPause): ReportCard {
  const { id, shown, text, findings, from, earlier } = pause;
  const words = { title: titleOf(pause), text: headOf(text), body: null };
  return { id, ...shown, ...words, findings, from, earlier, actions: actionReports(pause) };
}

function actionReports(pause: CardPause | InputPause): ReportAction[] {
  return actionsNow(pause)
    .filter(action => action.button && action.enabled)
    .map(({ name, label, needs }) => ({ name, label, needs }));
}

function choices(options: readonly { id: string; label: string }[]): { id: string; label: string }[] {
  return options.map(({ id, label }) => ({ id, label }));
}

/** How a pause can be answered, as scripts see it; `null` for home base and cards. */
export function questionOf(pause: Pause): Omit<ReportQuestion, 'id' | 'text'> | null {
  switch (pause.kind) {
    case 'question':
      return { kind: 'question', options: choices(pause.options), allowFreeText: pause.allowFreeText };
    case 'recovery':
      return {
        kind: 'recovery',
        options: choices(pause.choices),
        allowFreeText: false,
        ...(pause.fields === undefined ? {} : { fields: pause.fields }),
        ...(pause.retryAt === undefined ? {} : { retryAt: pause.retryAt }),
      };
    case 'permission':
      return {
        kind: 'permission',
        options: choices(GRANTS),
        allowFreeText: false,
        call: pause.call,
        rule: pause.rule,
      };
    case 'input':
      return {
        kind: 'input',
        options: [],
        allowFreeText: false,
        fields: pause.fields,
        ...(pause.actions.length === 0 ? {} : { actions: actionReports(pause) }),
      };
    case 'chat':
    case 'card':
      return null;
  }
}

/**
 * Waits until a turn is settled, waits for a person or has failed, over any number of connections, and reports it. Rejects
 * with a `HearthProblem`, or with the signal's reason when that is aborted; the turn itself goes on.
 */
export async function turnReport(options: ReportOptions): Promise<TurnReport> {
  const waiting = await Waiting.start(options);
  return waiting.run();
}
