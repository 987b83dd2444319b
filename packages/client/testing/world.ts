import { createHash } from 'node:crypto';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import { CURSOR_ZERO } from '@hearth/protocol/cursor.ts';
import type { Event, EventBody } from '@hearth/protocol/event.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, MessageId, PauseId, TurnId } from '@hearth/protocol/ids.ts';
import { blocks, type Pause } from '@hearth/protocol/pause.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { wordsOf } from './words.ts';

/*
 * For tests: a conversation that keeps its own state and tells of it in events, as the service does, with none of the
 * view model's code. Each method is one commit.
 */

export const CONVERSATION: ConversationId = 'c_01jz0000000000000000000000';
export const PERSON: Actor = { kind: 'person', name: 'ada', surface: 'console' };
export const BOT: Actor = { kind: 'bot', name: 'Nexie', surface: 'service' };
const PLAN = `sha256:${'0'.repeat(64)}` as const;
const AT = '2026-01-01T00:00:00.000Z';

export type Placed = { cursor: Cursor; event: Event };
type Queued = { message: MessageId; turn: TurnId; text: string; delivery: 'steer' | 'queue' };

export class World {
  readonly log: Placed[] = [];
  /** The transcript, each line with its epoch. */
  readonly words: { readonly epoch: number; readonly line: TranscriptLine }[] = [];
  /** The state after each commit, the first being that of an empty conversation. */
  readonly views: ConversationView[] = [];
  onEvent: (placed: Placed) => void = () => {};
  #counts = { m: 0, t: 0, p: 0, call: 0 };
  #retained: Cursor = CURSOR_ZERO;
  #title = 'Main';
  #revision = 0;
  #run = false;
  #epoch = 1;
  #turn: { id: TurnId; message: MessageId; status: 'running' | 'waiting' } | null = null;
  #pauses: Pause[] = [];
  #queue: Queued[] = [];
  #call: { call: string; name: string } | null = null;

  constructor() {
    this.views.push(this.view());
  }

  get head(): Cursor {
    return this.log.at(-1)?.cursor ?? this.#retained;
  }
  get retained(): Cursor {
    return this.#retained;
  }
  get turn(): TurnId | null {
    return this.#turn?.id ?? null;
  }
  get open(): readonly Pause[] {
    return this.#pauses;
  }

  view(): ConversationView {
    return {
      id: CONVERSATION,
      title: this.#title,
      scope: { kind: 'global' },
      bot: 'whats-next',
      isDefault: true,
      pinned: false,
      revision: this.#revision,
      state: this.#pauses.some(p => p.kind !== 'chat') ? 'waiting' : this.#turn === null ? 'idle' : 'working',
      run: this.#run ? { id: 'r1', plan: PLAN, nodes: ['chat'] } : null,
      turn: this.#turnView(),
      pauses: [...this.#pauses],
      queue: this.#queue.map(row => ({ message: row.message, head: row.text, delivery: row.delivery })),
      artifacts: [],
      budget: { burst: NO_SPEND, lifetime: NO_SPEND, limits: {} },
      session: this.#run ? { backend: 'rehearsal', degraded: false } : null,
      retained: this.#retained,
      head: this.head,
    };
  }

  /** The turn under way, else the first that waits in the queue. */
  #turnView(): ConversationView['turn'] {
    const [queued] = this.#queue;
    const about = { startedAt: AT, activeMs: 0 };
    if (this.#turn !== null) return { id: this.#turn.id, status: this.#turn.status, ...about };
    return queued === undefined ? null : { id: queued.turn, status: 'queued', ...about };
  }

  /** Forgets all but the last `keep` events. */
  trim(keep: number): void {
    const dropped = this.log.splice(0, Math.max(0, this.log.length - keep));
    this.#retained = dropped.at(-1)?.cursor ?? this.#retained;
  }

  send(
    text: string,
    options: { by?: Actor; commandId?: CommandId; delivery?: 'steer' | 'queue' } = {},
  ): { message: MessageId; turn: TurnId } {
    const message: MessageId = `m${++this.#counts.m}`;
    const turn: TurnId = `t${++this.#counts.t}`;
    const { by = PERSON, delivery = 'queue' } = options;
    const commandId = options.commandId === undefined ? {} : { commandId: options.commandId };
    this.#emit({ type: 'message', message, by, text, delivery, attachments: [], turn, ...commandId });
    if (!this.#run) {
      this.#run = true;
      this.#emit({ type: 'run', run: 'r1', change: 'started', plan: PLAN });
      this.#emit({ type: 'session', node: 'chat', backend: 'rehearsal', change: 'opened' });
    }
    const waits = this.#turn !== null || this.#pauses.some(pause => pause.kind !== 'chat');
    if (waits) {
      this.#queue.push({ message, turn, text, delivery });
      this.#emit({ type: 'turn', turn, change: 'queued', message });
      this.#emit({ type: 'message.moved', message, to: 'queued' });
    } else {
      this.#start(message, turn);
    }
    this.#commit();
    return { message, turn };
  }

  narrate(text: string): void {
    if (this.#turn?.status !== 'running') return;
    this.#emit({ type: 'narration', node: 'chat', text, turn: this.#turn.id });
    this.#commit();
  }

  tool(name: string): void {
    if (this.#turn?.status !== 'running') return;
    const about = { turn: this.#turn.id };
    if (this.#call === null) {
      this.#call = { call: `call${++this.#counts.call}`, name };
      this.#emit({ type: 'tool', ...this.#call, change: 'started', title: `${name} it`, ...about });
    } else {
      this.#emit({ type: 'tool', ...this.#call, change: 'completed', ms: 5, ...about });
      this.#call = null;
    }
    this.#commit();
  }

  /** Opens a pause of the running turn and lets the turn wait. */
  ask(
    shape: { readonly [K in Pause['kind']]: Partial<Extract<Pause, { kind: K }>> }[Exclude<
      Pause['kind'],
      'chat'
    >] = {},
  ): PauseId | null {
    if (this.#turn?.status !== 'running') return null;
    const pause = this.#pause({
      kind: 'question',
      asker: 'agent',
      blocking: true,
      options: [{ id: 'yes', label: 'Yes' }],
      allowFreeText: false,
      text: 'Sure?',
      ...shape,
    } as Partial<Pause>);
    // A question that holds nothing up leaves its turn at work.
    if (blocks(pause)) {
      this.#turn = { ...this.#turn, status: 'waiting' };
      this.#emit({ type: 'turn', turn: this.#turn.id, change: 'waiting', message: this.#turn.message });
    }
    this.#commit();
    return pause.id;
  }

  /** Answers the oldest open question, or the one named. */
  answer(option: string, id?: PauseId, by: Actor = PERSON): void {
    const pause = this.#pauses.find(open => open.kind !== 'chat' && (id === undefined || open.id === id));
    if (pause === undefined) return;
    this.#close(pause, { option, by });
    if (this.#turn?.status === 'waiting' && !this.#pauses.some(open => open.kind !== 'chat')) {
      this.#turn = { ...this.#turn, status: 'running' };
      this.#emit({ type: 'turn', turn: this.#turn.id, change: 'resumed', message: this.#turn.message });
    }
    this.#commit();
  }

  /** Changes the oldest open pause that asks for something, as a card that shows its next version. */
  redraft(change: object): void {
    const at = this.#pauses.findIndex(open => open.kind !== 'chat');
    const pause = { ...this.#pauses[at], ...change } as Pause;
    this.#pauses = this.#pauses.with(at, pause);
    this.#emit({ type: 'pause.changed', pause, why: 'new_version' });
    this.#commit();
  }

  /** Ends a turn that waits as interrupted, with a recovery in place of its question. */
  interrupt(): void {
    const asked = this.#pauses.find(open => open.kind !== 'chat');
    if (this.#turn?.status !== 'waiting' || asked === undefined) return;
    const { id, message } = this.#turn;
    this.#close(asked, { by: PERSON });
    this.#pause({
      kind: 'recovery',
      cause: 'interrupted',
      code: 'interrupted',
      detail: 'It was interrupted.',
      text: '',
      choices: [{ id: 'again', label: 'Try again' }],
      unseen: [],
    });
    this.#emit({ type: 'turn', turn: id, change: 'cancelled', message });
    this.#turn = null;
    this.#commit();
  }

  /** Lets the running turn take the oldest queued message that steers. */
  absorb(): void {
    const row = this.#queue.find(queued => queued.delivery === 'steer');
    if (row === undefined || this.#turn?.status !== 'running') return;
    this.#queue = this.#queue.filter(queued => queued !== row);
    this.#emit({ type: 'message.moved', message: row.message, to: 'absorbed', into: this.#turn.id });
    this.#emit({
      type: 'turn',
      turn: row.turn,
      change: 'absorbed',
      message: row.message,
      into: this.#turn.id,
    });
    this.#commit();
  }

  /** Ends the running turn with a reply and delivers a queued message; all of it is one commit. */
  reply(text: string, quickReplies: string[] = [], order: 'words first' | 'end first' = 'words first'): void {
    if (this.#turn?.status !== 'running') return;
    const ended = this.#turn;
    this.#call = null;
    const about = { turn: ended.id, message: ended.message };
    const end = (): void => this.#emit({ type: 'turn', ...about, change: 'completed', spend: NO_SPEND });
    if (order === 'end first') end();
    const message: MessageId = `m${++this.#counts.m}`;
    this.#emit({ type: 'message', message, by: BOT, text, attachments: [], turn: ended.id });
    this.#pause({ kind: 'chat', quickReplies, text });
    if (order === 'words first') end();
    this.#turn = null;
    const next = this.#queue.shift();
    if (next !== undefined) {
      this.#emit({ type: 'message.moved', message: next.message, to: 'consumed', into: next.turn });
      this.#start(next.message, next.turn);
    }
    this.#commit();
  }

  /** Begins anew at home base: another epoch, whose log does not tell of what was. */
  reset(): void {
    this.#run = false;
    this.#turn = null;
    this.#call = null;
    this.#pauses = [];
    this.#queue = [];
    this.#retained = this.head.replace(/^\d+/, String(++this.#epoch)) as Cursor;
    this.log.splice(0);
    this.#emit({
      type: 'conversation',
      change: 'reset',
      title: this.#title,
      bot: 'whats-next',
      scope: { kind: 'global' },
    });
    this.#commit();
  }

  rename(title: string): void {
    this.#title = title;
    this.#emit({
      type: 'conversation',
      change: 'renamed',
      title,
      bot: 'whats-next',
      scope: { kind: 'global' },
    });
    this.#commit();
  }

  notice(text: string): void {
    this.#emit({ type: 'notice', code: 'note', severity: 'info', text });
    this.#commit();
  }

  #start(message: MessageId, turn: TurnId): void {
    const home = this.#pauses.find(pause => pause.kind === 'chat');
    if (home !== undefined) this.#close(home, { by: PERSON });
    this.#turn = { id: turn, message, status: 'running' };
    this.#emit({ type: 'turn', turn, change: 'started', message });
  }

  #pause(shape: Partial<Pause>): Pause {
    const base = {
      id: `p${++this.#counts.p}`,
      run: 'r1',
      turn: this.#turn?.id ?? null,
      node: 'chat',
      branch: null,
      openedAt: AT,
    };
    const pause = { ...base, ...shape } as Pause;
    this.#pauses.push(pause);
    this.#emit({ type: 'pause.opened', pause, ...(this.#turn === null ? {} : { turn: this.#turn.id }) });
    return pause;
  }

  #close(pause: Pause, more: { option?: string; by: Actor }): void {
    this.#pauses = this.#pauses.filter(open => open !== pause);
    this.#emit({ type: 'pause.closed', pause: pause.id, how: 'answered', ...more });
  }

  #emit(body: EventBody): void {
    const seq = Number(this.head.split('.')[1]) + 1;
    const event = { v: 1, seq, at: AT, ...body } as Event;
    const check = createHash('sha256').update(JSON.stringify(event)).digest('hex').slice(0, 6);
    const placed = { cursor: `${this.#epoch}.${seq}.${check}`, event };
    this.log.push(placed);
    this.#pending.push(placed);
  }

  #pending: Placed[] = [];

  #commit(): void {
    this.#revision++;
    this.views.push(this.view());
    const seq = this.#pending.at(-1)?.event.seq ?? 0;
    for (const { event } of this.#pending)
      for (const line of wordsOf(event)) this.words.push({ epoch: this.#epoch, line: { ...line, seq } });
    for (const placed of this.#pending.splice(0)) this.onEvent(placed);
  }
}
