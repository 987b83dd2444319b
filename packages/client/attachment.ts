import type { HearthClient } from './http.ts';
import { Finder, type FinderOptions } from './finder.ts';
import { asProblem, type HearthProblem } from './problem.ts';
import { hydrate, Watch } from './recover.ts';
import { rest } from './timers.ts';
import type { Input, Model } from './view.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { CommandId, ConversationId, MessageId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Spoken } from './unanswered.ts';
import { Unanswered } from './unanswered.ts';

/*
 * A surface's hold on one conversation: it reads it, follows it and speaks into it, and finds the service again when
 * that has died. A command that got no answer keeps its id, so that the same words or the same decision made again are
 * one command however often they were sent. Letting go changes nothing in the conversation.
 */

/** Where the service is, and who hears what changes. */
export interface AttachmentOptions extends FinderOptions {
  /** The checkout root of this surface, for one that has any. */
  readonly workspace?: string;
  /** After every change; `input` is `null` when another conversation was opened. */
  readonly onChange: (model: Model, input: Input | null) => void;
  /** Whether somebody answers, while no conversation is open yet. */
  readonly onReachable: (reachable: boolean) => void;
  /** The conversation cannot be followed any longer. */
  readonly onGone: (problem: HearthProblem) => void;
  /** A message that was thought lost has arrived after all, with the files that came with it. */
  readonly onArrived: (text: string, files: readonly Attached[]) => void;
}

/** Milliseconds before a service that did not answer is asked again for a conversation. */
const AGAIN = 1000;

/** One surface's hold on the conversation that it shows. It shows one at a time; opening another lets the first go. */
export class Attachment {
  readonly #options: AttachmentOptions;
  readonly #finder: Finder;
  #watch: Watch | null = null;
  #over = new AbortController();
  /** Ends everything that an older `open` still does. */
  #opening = new AbortController();
  readonly #unanswered = new Unanswered();

  constructor(options: AttachmentOptions) {
    this.#options = options;
    this.#finder = new Finder(options);
  }

  get model(): Model | null {
    return this.#watch?.model ?? null;
  }

  get client(): HearthClient {
    return this.#finder.client;
  }

  /**
   * Opens a conversation (`null` = the default) in place of the one that is open, and greets it when nothing was ever
   * said in it. Waits for a service that does not answer; rejects with a `HearthProblem` on anything else, with the old
   * conversation still open.
   */
  async open(conversation: ConversationId | null): Promise<void> {
    this.#opening.abort();
    const opening = new AbortController();
    this.#opening = opening;
    const model = await this.#read(conversation, opening.signal);
    if (model === null) return;
    this.#over.abort();
    this.#over = new AbortController();
    const { onChange } = this.#options;
    const watch: Watch = new Watch(model, {
      onChange: (next, input) => {
        if (this.#watch !== watch) return;
        this.#noteArrival(input);
        onChange(next, input);
      },
      renew: () => this.#finder.find('reconnect'),
    });
    this.#watch = watch;
    onChange(model, null);
    void this.#follow(watch, this.#over.signal);
    void this.#greet(model);
  }

  /** Stops listening for now. What happens meanwhile is caught up with by `resume`. */
  suspend(): void {
    this.#over.abort();
  }

  /** Listens again, after `suspend`. */
  resume(): void {
    if (this.#watch === null || !this.#over.signal.aborted) return;
    this.#over = new AbortController();
    void this.#follow(this.#watch, this.#over.signal);
  }

  /** Listens again at once, whatever ended it. */
  retry(): void {
    this.#over.abort();
    this.resume();
  }

  /** A message of an earlier life of this surface that got no answer: the same words with the same files keep its id. */
  remember(
    conversation: ConversationId,
    commandId: CommandId,
    text: string,
    files: readonly Attached[] = [],
  ): void {
    this.#unanswered.add({ commandId, conversation, what: { text, files } });
  }

  /** Takes a queued message back. Rejects with a `HearthProblem`, `already_taken` among them. */
  async unsend(message: MessageId): Promise<void> {
    const watch = this.#open();
    const commandId = this.client.newCommandId();
    const reply = await this.call(client => client.unsend(watch.model.id, message, { commandId }));
    watch.dispatch({ frame: 'view', view: reply.view });
  }

  /** Lets go of the conversation. */
  close(): void {
    this.#opening.abort();
    this.#over.abort();
  }

  /**
   * Reads back what lies before what is known, at least one thing that is drawn, or up to the beginning. Whoever asks
   * while it is being read gets the same. Rejects with a `HearthProblem`.
   */
  earlier(): Promise<void> {
    return this.#open().readBack((id, before, turns) => this.call(one => one.history(id, before, turns)));
  }

  /** Calls the service, and once more when it had to be found again. Rejects with a `HearthProblem`. */
  call<T>(make: (client: HearthClient) => Promise<T>): Promise<T> {
    return this.#finder.call('reconnect', false, make);
  }

  /** Calls the service for something that a person does: one that was stopped is started for it. As `call` otherwise. */
  act<T>(make: (client: HearthClient) => Promise<T>): Promise<T> {
    return this.#finder.call('start', this.model?.link.is === 'stopped', make);
  }

  /**
   * Sends a message, with files that were uploaded to the conversation. Rejects with a `HearthProblem`; the words are then
   * their writer's again.
   */
  async send(text: string, files: readonly Attached[] = []): Promise<void> {
    const watch = this.#open();
    const c = watch.model.id;
    const what = { text, files };
    const commandId = this.#idFor(c, what);
    watch.dispatch({ frame: 'sending', sending: { commandId, text, files } });
    const brought = files.length === 0 ? {} : { attachments: files };
    try {
      const reply = await this.#command(watch, { commandId, conversation: c, what }, client =>
        client.send(c, { text, delivery: 'steer', ...brought, ...this.#where(), commandId }),
      );
      const at = reply.receipt === null ? null : parseCursor(reply.receipt.at);
      if (at !== null && at.seq <= watch.model.seq) watch.dispatch({ frame: 'unsent', commandId });
    } catch (error) {
      watch.dispatch({ frame: 'unsent', commandId });
      throw error;
    }
  }

  /** Answers a pause, naming the version that is shown. Rejects with a `HearthProblem`. */
  async decide(pause: Pause, act: Act): Promise<void> {
    const watch = this.#open();
    const c = watch.model.id;
    const shown = pause.kind === 'card' ? { shown: pause.shown } : {};
    const what = { pause: pause.id, act, ...shown };
    const commandId = this.#idFor(c, what);
    await this.#command(watch, { commandId, conversation: c, what }, client =>
      client.decide(c, pause.id, act, { ...shown.shown, commandId }),
    );
  }

  /** Interrupts the turn that runs; `false` when none does. Rejects with a `HearthProblem`. */
  async interrupt(): Promise<boolean> {
    const watch = this.#open();
    const turn = watch.model.now.turn;
    if (turn === null) return false;
    const commandId = this.client.newCommandId();
    const reply = await this.call(client => client.interrupt(watch.model.id, turn.id, { commandId }));
    watch.dispatch({ frame: 'view', view: reply.view });
    return true;
  }

  async #read(conversation: ConversationId | null, signal: AbortSignal): Promise<Model | null> {
    while (!signal.aborted) {
      try {
        const id = conversation ?? (await this.client.default({ signal })).id;
        const model = await hydrate(this.client, id, { signal });
        this.#options.onReachable(true);
        return signal.aborted ? null : model;
      } catch (error) {
        if (signal.aborted) return null;
        const problem = asProblem(error);
        if (problem.code !== 'unreachable') throw problem;
        this.#options.onReachable(false);
        // Opening is something that a person does.
        const found = await this.#finder.find('start').catch(() => null);
        if (found === null || this.#options.reconnect === undefined)
          await rest(this.client.timers, AGAIN, signal);
      }
    }
    return null;
  }

  async #follow(watch: Watch, signal: AbortSignal): Promise<void> {
    try {
      await watch.run(this.client, signal);
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      watch.dispatch({ frame: 'link', link: { is: 'lost', why: problem.detail, final: true } });
      this.#options.onGone(problem);
    }
  }

  /** An empty message asks the bot to speak first. Of several surfaces that ask at once, one is heard. */
  async #greet(model: Model): Promise<void> {
    if (model.now.run !== null || model.items.length > 0) return;
    try {
      const expects = model.revision;
      await this.client.send(model.id, { text: '', delivery: 'queue', ...this.#where(), expects });
    } catch {
      // Somebody else has begun, or this bot waits to be spoken to; either shows by itself.
    }
  }

  #where(): { readonly workspace?: string } {
    const { workspace } = this.#options;
    return workspace === undefined ? {} : { workspace };
  }

  #open(): Watch {
    if (this.#watch === null) throw asProblem(new Error('No conversation is open.'));
    return this.#watch;
  }

  #idFor(conversation: ConversationId, what: Spoken['what']): CommandId {
    return this.#unanswered.idOf(conversation, what) ?? this.client.newCommandId();
  }

  async #command(
    watch: Watch,
    command: Spoken,
    make: (client: HearthClient) => Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await this.act(make);
      this.#unanswered.settle(command.commandId);
      watch.dispatch({ frame: 'view', view: reply.view });
      return reply;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'unreachable') this.#unanswered.add(command);
      else this.#unanswered.settle(command.commandId);
      if (problem.view !== null && problem.view.id === watch.model.id)
        watch.dispatch({ frame: 'view', view: problem.view });
      throw problem;
    }
  }

  #noteArrival(input: Input): void {
    if (input.frame !== 'event' || input.event.type !== 'message') return;
    const { commandId } = input.event;
    const lost = commandId === undefined ? null : this.#unanswered.settle(commandId);
    if (lost !== null && 'text' in lost.what) this.#options.onArrived(lost.what.text, lost.what.files ?? []);
  }
}
