import type { BackendEvent, BackendTurn, Host, InboxMessage, SessionStart } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonObject, JsonSchema } from '@hearth/protocol/json.ts';
import { TicketState } from '@hearth/protocol/ticket.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { z } from 'zod';
import { Rehearsal } from '../rehearsal/backend.ts';

/*
 * A stage for tests of the rehearsal: a board and a history in memory, answering as the real tools do, and a
 * conversation that keeps its session from turn to turn.
 */

export interface StageTicket {
  id: string;
  title: string;
  state: TicketState;
  body: string;
  labels: string[];
  owner: string | null;
  bot: string | null;
  comments: { author: string; body: string; at: string }[];
}

export interface StageCommit {
  readonly hash: string;
  readonly short: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
}

/** A ticket with what matters to a test. */
export function ticket(number: number, title: string, more: Partial<StageTicket> = {}): StageTicket {
  return {
    id: `HB-${number}`,
    title,
    state: 'backlog',
    body: '',
    labels: [],
    owner: null,
    bot: null,
    comments: [],
    ...more,
  };
}

/** A commit with what matters to a test; `number` makes its hash. */
export function commit(number: number, subject: string, body = ''): StageCommit {
  const hash = number.toString(16).padStart(7, 'c').padEnd(40, '0');
  return { hash, short: hash.slice(0, 7), date: '2026-05-04T10:00:00+02:00', author: 'Ada', subject, body };
}

const mutating = [
  'create_issue',
  'transition_issue',
  'close_issue',
  'assign_issue',
  'set_bot',
  'set_labels',
  'comment_issue',
];
const reading = ['list_issues', 'get_issue', 'list_labels', 'git_log'];

/** The grants of the board's assistant. */
export function grants(without: readonly string[] = []): ToolGrant[] {
  return [...reading, ...mutating]
    .filter(name => !without.includes(name))
    .map(name => ({
      name,
      description: name,
      input: {},
      mutates: mutating.includes(name),
      origin: 'hearth',
    }));
}

/** The output schema of a chat turn. */
export const envelopeSchema: JsonSchema = {
  type: 'object',
  properties: {
    reply: { type: 'string' },
    close: { type: 'boolean' },
    quick_replies: {},
    dispatched_ids: {},
  },
  required: ['reply', 'close', 'quick_replies', 'dispatched_ids'],
  additionalProperties: false,
};

const Envelope = z.object({
  reply: z.string(),
  close: z.boolean(),
  quick_replies: z.array(z.string()),
  dispatched_ids: z.array(z.string()),
});

/** What came of one turn. */
export interface Scene {
  readonly events: readonly BackendEvent[];
  readonly last: BackendEvent;
  /** The envelope's fields; `reply` is empty when the turn parked. */
  readonly reply: string;
  readonly close: boolean;
  readonly chips: readonly string[];
  readonly dispatched: readonly string[];
  /** The question, when the turn parked. */
  readonly asked: Extract<BackendEvent, { type: 'parked' }>['asks'][number] | null;
  /** Calls that change something, made in this turn: `close_issue HB-4`. */
  readonly changes: readonly string[];
  readonly calls: readonly ToolCall[];
}

export class Stage implements Host {
  readonly tickets: StageTicket[];
  readonly commits: readonly StageCommit[];
  readonly disk = new SimDisk();
  readonly backend = new Rehearsal({ disk: this.disk, ids: countedIds() });
  grants: readonly ToolGrant[] = grants();
  output: JsonSchema | null = envelopeSchema;
  mayAsk = true;
  damaged: readonly { file: string; why: string }[] = [];
  /** Set to make git_log refuse. */
  gitError: string | null = null;
  /** Called before each tool runs. */
  beforeCall: (call: ToolCall) => void = () => {};
  session: SessionStart = { mode: 'fresh' };
  #calls: ToolCall[] = [];
  #turns = 0;
  #asked: Scene['asked'] = null;
  #said = '';

  constructor(tickets: readonly StageTicket[] = [], commits: readonly StageCommit[] = []) {
    this.tickets = tickets.map(one => ({ ...one, comments: [...one.comments] }));
    this.commits = commits;
  }

  find(id: string): StageTicket {
    const found = this.tickets.find(one => one.id === id);
    if (found === undefined) throw new Error(`no ${id} on the stage`);
    return found;
  }

  /** Plays one message. */
  async say(user: string, more: Partial<BackendTurn> = {}): Promise<Scene> {
    this.#said = user;
    return await this.play({ ...this.turn(user), ...more });
  }

  /** Answers the question that the last turn parked with: an option's id, or `null` to cancel it. */
  async answer(option: string | null, more: Partial<BackendTurn> = {}): Promise<Scene> {
    const asked = this.#asked;
    if (asked === null) throw new Error('nothing was asked');
    const result = option === null ? ('cancelled' as const) : { option };
    const answers = [{ ask: asked.text, options: asked.options, result }];
    return await this.play({ ...this.turn(this.#said), answers, ...more });
  }

  turn(user: string): BackendTurn {
    this.#turns += 1;
    return {
      effect: `e${this.#turns}`,
      attempt: 1,
      node: 'nexie',
      directory: '/epochs/1/backend/nexie',
      workspace: '/project',
      session: this.session,
      prompt: { system: '', user, attachments: [] },
      answers: [],
      tools: this.grants,
      mayAsk: this.mayAsk,
      permission: { mode: 'off', allow: [], ask: [], deny: [] },
      output: this.output,
      model: { model: 'auto', provider: null, effort: null },
      maxSteps: 80,
      quietMs: 60_000,
    };
  }

  async play(turn: BackendTurn): Promise<Scene> {
    this.#calls = [];
    const events: BackendEvent[] = [];
    for await (const event of this.backend.start(turn, this, new AbortController().signal))
      events.push(event);
    const last = events.at(-1);
    if (last === undefined) throw new Error('the turn said nothing');
    const [first] = events;
    if (first?.type === 'session') {
      const { id, fingerprint } = first;
      this.session = { mode: 'resume', id, fingerprint, strict: false, recap: { turns: [] } };
    }
    const envelope = last.type === 'done' ? Envelope.safeParse(last.output).data : undefined;
    this.#asked = last.type === 'parked' ? (last.asks[0] ?? null) : null;
    return {
      events,
      last,
      reply: envelope?.reply ?? '',
      close: envelope?.close ?? false,
      chips: envelope?.quick_replies ?? [],
      dispatched: envelope?.dispatched_ids ?? [],
      asked: this.#asked,
      calls: this.#calls,
      changes: this.#calls
        .filter(call => mutating.includes(call.name))
        .map(call => `${call.name} ${text(call.args['id'] ?? call.args['title'])}`),
    };
  }

  async call(call: ToolCall): Promise<ToolResult> {
    this.beforeCall(call);
    this.#calls.push(call);
    return await Promise.resolve(this.serve(call));
  }

  /** What the board answers to a call. */
  serve({ name, args }: ToolCall): ToolResult {
    return this.#run(name, args);
  }

  permit(): Promise<'allow'> {
    return Promise.resolve('allow');
  }

  #run(name: string, args: JsonObject): ToolResult {
    if (name === 'git_log') {
      return this.gitError === null
        ? { content: { commits: this.commits.map(one => ({ ...one })) } }
        : { content: null, error: this.gitError };
    }
    if (name === 'list_issues') return { content: this.#list(args) };
    if (name === 'create_issue') return { content: summary(this.#create(args)) };
    const found = this.tickets.find(one => one.id === args['id']);
    if (found === undefined) return { content: null, error: `There is no ticket ${text(args['id'])}.` };
    if (name === 'get_issue') return { content: { ...found, comments: [...found.comments], history: [] } };
    if (name === 'transition_issue') found.state = TicketState.parse(args['to']);
    if (name === 'close_issue') {
      if (typeof args['comment'] === 'string') found.comments.push(remark(args['comment']));
      found.state = 'done';
    }
    if (name === 'assign_issue') found.owner = text(args['assignee']) || null;
    if (name === 'set_bot') found.bot = text(args['bot']) || null;
    if (name === 'set_labels') found.labels = z.array(z.string()).parse(args['labels']);
    if (name === 'comment_issue') found.comments.push(remark(text(args['body'])));
    return { content: summary(found) };
  }

  #list(args: JsonObject): JsonObject {
    const tickets = this.tickets.filter(one => args['state'] === undefined || one.state === args['state']);
    return {
      total: tickets.length,
      tickets: tickets.slice(0, 100).map(summary),
      ...(this.damaged.length === 0 ? {} : { damaged: this.damaged.map(one => ({ ...one })) }),
    };
  }

  #create(args: JsonObject): StageTicket {
    const made = ticket(
      Math.max(0, ...this.tickets.map(one => Number(one.id.slice(3)))) + 1,
      text(args['title']),
      {
        body: typeof args['body'] === 'string' ? args['body'] : '',
        state: TicketState.parse(args['state'] ?? 'inbox'),
        labels: z.array(z.string()).catch([]).parse(args['labels']),
      },
    );
    this.tickets.push(made);
    return made;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function remark(body: string): StageTicket['comments'][number] {
  return { author: 'Nexie', body, at: '2026-05-05T10:00:00.000Z' };
}

/** As the board lists it: the beginning of the body, and only the number of comments. */
function summary(one: StageTicket): JsonObject {
  const { id, title, state, labels, bot, owner } = one;
  return {
    id,
    title,
    state,
    labels: [...labels],
    bot,
    owner,
    comments: one.comments.length,
    updatedAt: '2026-05-05T10:00:00.000Z',
    ...(one.body === '' ? {} : { body: one.body.length > 240 ? `${one.body.slice(0, 240)} …` : one.body }),
  };
}

/** A message that a broken attempt took. */
export function unseen(number: number, text: string): InboxMessage {
  return { id: `m${number}`, text };
}
