import type {
  Answer,
  BackendEvent,
  BackendRun,
  BackendTurn,
  Host,
  InboxMessage,
  Recap,
  SessionStart,
} from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonSchema } from '@hearth/protocol/json.ts';
import type { Play, Scene, Stage } from './subject.ts';

/*
 * A conversation of the kit's with a backend: it carries the session and the questions from turn to turn as the engine
 * does, and keeps every event.
 */

const ENVELOPE: JsonSchema = {
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

/** Tools that the kit grants: two of the board's, by the names that the rehearsal knows too. */
export const GRANTED: readonly ToolGrant[] = [
  'list_issues',
  'get_issue',
  'close_issue',
  'transition_issue',
  'comment_issue',
].map(name => ({
  name,
  description: `The tool ${name}.`,
  input: { type: 'object', properties: { id: { type: 'string' } } },
  mutates: name.includes('_issue') && name !== 'get_issue',
  origin: 'hearth',
}));

export const RECAP: Recap = {
  turns: [
    { who: 'person', text: 'The password of the barn is heliotrope.' },
    { who: 'bot', text: 'I keep it in mind.' },
  ],
};

/** What came of one turn. */
export interface Told {
  readonly events: readonly BackendEvent[];
  readonly last: BackendEvent;
}

/** A turn that is under way. */
export interface Started {
  readonly run: BackendRun;
  /** Resolves with the whole turn. */
  readonly told: Promise<Told>;
  /** Resolves when such an event has come; rejects when the turn ends without one. */
  until(found: (event: BackendEvent) => boolean): Promise<BackendEvent>;
}

export class Talk {
  readonly stage: Stage;
  readonly calls: ToolCall[] = [];
  /** What the host says of native tools. */
  permit: (call: ToolCall) => 'allow' | 'deny' | 'park' = () => 'deny';
  /** Held back before a tool answers. */
  hold: Promise<unknown> | null = null;
  session: SessionStart = { mode: 'fresh' };
  #turns = 0;
  #said = '';
  #asked: Extract<BackendEvent, { type: 'parked' }>['asks'] = [];
  #abort = new AbortController();

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Arranges a turn; throws when the backend can never do it. */
  arranged(scene: Scene, plays: readonly Play[]): string {
    const words = this.stage.arrange(scene, plays);
    if (words === null) throw new Error(`${this.stage.backend.name} cannot play "${scene}"`);
    return words;
  }

  /** Plays a whole turn. */
  async say(scene: Scene, plays: readonly Play[], more: Partial<BackendTurn> = {}): Promise<Told> {
    return await this.start(this.turn(this.arranged(scene, plays), more)).told;
  }

  turn(user: string, more: Partial<BackendTurn> = {}): BackendTurn {
    this.#turns += 1;
    this.#said = user;
    return {
      effect: `e${this.#turns}`,
      attempt: 1,
      node: 'nexie',
      directory: this.stage.directory,
      workspace: this.stage.workspace,
      session: this.session,
      prompt: { system: `You are Nexie, in turn ${this.#turns}.`, user, attachments: [] },
      answers: [],
      tools: GRANTED,
      mayAsk: true,
      permission: { mode: 'off', allow: [], ask: [], deny: [] },
      output: ENVELOPE,
      model: { model: 'auto', provider: null, effort: null },
      maxSteps: 20,
      quietMs: 300_000,
      ...more,
    };
  }

  /** Goes on with the turn that asked; answers are given in the order of `results`, by the question's place. */
  answering(
    results: readonly { readonly place: number; readonly result: Answer | 'cancelled' }[],
  ): BackendTurn {
    const answers = results.map(({ place, result }) => {
      const ask = this.#asked[place];
      if (ask === undefined) throw new Error(`there is no question ${place}`);
      const { call, text, options } = ask;
      return { ask: text, options, result, ...(call === undefined ? {} : { call }) };
    });
    return this.turn(this.#said, { answers });
  }

  start(turn: BackendTurn): Started {
    const abort = new AbortController();
    this.#abort = abort;
    const run = this.stage.backend.start(turn, this.#host(abort.signal), abort.signal);
    const events: BackendEvent[] = [];
    const waits: { found: (event: BackendEvent) => boolean; come: PromiseWithResolvers<BackendEvent> }[] = [];
    const told = (async () => {
      for await (const event of run) {
        events.push(event);
        this.#note(event);
        for (const wait of waits) if (wait.found(event)) wait.come.resolve(event);
      }
      const last = events.at(-1);
      if (last === undefined) throw new Error('the turn said nothing');
      return { events, last };
    })();
    const until = (found: (event: BackendEvent) => boolean): Promise<BackendEvent> => {
      const known = events.find(found);
      if (known !== undefined) return Promise.resolve(known);
      const come = Promise.withResolvers<BackendEvent>();
      waits.push({ found, come });
      void told.then(
        ({ last }) => come.reject(new Error(`the turn ended with ${JSON.stringify(last)}`)),
        (error: unknown) => come.reject(error),
      );
      return come.promise;
    };
    return { run, told, until };
  }

  /** The service goes down without a word. */
  abort(): void {
    this.#abort.abort();
  }

  /** Lets time pass, a second whenever the machine is idle, from the provider's next request to the turn's end. */
  async inTime(told: Promise<Told>): Promise<Told> {
    let over = false;
    const asked = this.stage.heard()?.length ?? -1;
    void told.then(
      () => (over = true),
      () => (over = true),
    );
    while (!over) {
      await new Promise(resolve => setTimeout(resolve, 2));
      if ((this.stage.heard()?.length ?? 0) > asked) this.stage.clock.advance(1000);
    }
    return await told;
  }

  #note(event: BackendEvent): void {
    if (event.type === 'session') {
      const { id, fingerprint } = event;
      this.session = { mode: 'resume', id, fingerprint, strict: false, recap: RECAP };
    }
    if (event.type === 'parked') this.#asked = event.asks;
  }

  #host(signal: AbortSignal): Host {
    return {
      call: async (call): Promise<ToolResult> => {
        if (!GRANTED.some(tool => tool.name === call.name)) {
          return { content: null, error: `There is no tool "${call.name}" here.` };
        }
        this.calls.push(call);
        await this.hold;
        signal.throwIfAborted();
        return this.stage.tool(call);
      },
      permit: call => Promise.resolve(this.permit(call)),
    };
  }
}

/** How often a text stands in another. */
export function times(text: string, within: string): number {
  return within.split(text).length - 1;
}

/** A message of the person's, offered while a turn works. */
export function message(number: number, text: string): InboxMessage {
  return { id: `m${number}`, text };
}
