import { ModelApi } from '@hearth/backends/model-api/backend.ts';
import type { BackendEvent, BackendRun, BackendTurn, Host, SessionStart } from '@hearth/engine/backend.ts';
import type { ToolCall, ToolGrant, ToolResult } from '@hearth/engine/tool.ts';
import type { JsonSchema } from '@hearth/protocol/json.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';

/*
 * A stage for turns on model-api: a host whose tools answer as a test says, and a conversation that carries its session
 * from turn to turn. A new stage on the same disk is a restart.
 */

/** The output of a chat turn. */
export const ENVELOPE: JsonSchema = {
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

export function grant(name: string): ToolGrant {
  const input = { type: 'object', properties: { id: { type: 'string' } } };
  return { name, description: name, input, mutates: false, origin: 'hearth' };
}

/** The home, and where a turn's files are in it. */
const HOME = '/epochs';
export const DIRECTORY = `${HOME}/1/backend/nexie`;

export class ModelStage implements Host {
  readonly disk: Disk;
  readonly backend: ModelApi;
  readonly calls: ToolCall[] = [];
  /** What a tool answers. */
  tool: (call: ToolCall) => ToolResult | Promise<ToolResult> = call => ({ content: { did: call.name } });
  session: SessionStart = { mode: 'fresh' };
  turns = 0;
  readonly #abort = new AbortController();

  constructor(
    env: Readonly<Record<string, string>>,
    {
      disk = new SimDisk(),
      clock = systemClock,
      seed = 0,
    }: { disk?: Disk; clock?: Clock; seed?: number } = {},
  ) {
    this.disk = disk;
    const ids = countedIds();
    for (let skipped = 0; skipped < seed; skipped += 1) ids.session();
    this.backend = new ModelApi({ disk, clock, ids, env, home: HOME });
  }

  call(call: ToolCall): Promise<ToolResult> {
    this.calls.push(call);
    return Promise.resolve(this.tool(call));
  }

  permit(): Promise<'allow'> {
    return Promise.resolve('allow');
  }

  turn(user: string, more: Partial<BackendTurn> = {}): BackendTurn {
    this.turns += 1;
    return {
      effect: `e${this.turns}`,
      attempt: 1,
      node: 'nexie',
      directory: DIRECTORY,
      workspace: '/project',
      session: this.session,
      prompt: { system: `You are Nexie. Turn ${this.turns}.`, user, attachments: [] },
      answers: [],
      tools: [grant('list_issues'), grant('close_issue')],
      mayAsk: true,
      permission: { mode: 'off', allow: [], ask: [], deny: [] },
      output: ENVELOPE,
      model: { model: 'auto', provider: null, effort: null },
      maxSteps: 80,
      quietMs: 20_000,
      ...more,
    };
  }

  start(turn: BackendTurn): BackendRun {
    return this.backend.start(turn, this, this.#abort.signal);
  }

  /** Plays a turn to its end. */
  async say(user: string, more: Partial<BackendTurn> = {}): Promise<BackendEvent[]> {
    return await this.play(this.start(this.turn(user, more)));
  }

  /** Follows a started turn to its end, and keeps its session for the next. */
  async play(run: AsyncIterable<BackendEvent>, each: (event: BackendEvent) => void = () => undefined) {
    const events: BackendEvent[] = [];
    for await (const event of run) {
      events.push(event);
      each(event);
      if (event.type === 'session') {
        const { id, fingerprint } = event;
        this.session = { mode: 'resume', id, fingerprint, strict: false, recap: { turns: [] } };
      }
    }
    return events;
  }

  abort(): void {
    this.#abort.abort();
  }
}
