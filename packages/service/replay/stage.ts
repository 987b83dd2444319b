import { Replay } from '@hearth/backends/replay/backend.ts';
import { ReplayedPrograms } from '@hearth/backends/replay/programs.ts';
import type { Score } from '@hearth/backends/replay/score.ts';
import { replayedTools } from '@hearth/backends/replay/tools.ts';
import { HomeStore } from '@hearth/conversations/home-store.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { LocalLease } from '@hearth/conversations/local-lease.ts';
import { MemoryBus } from '@hearth/conversations/memory-bus.ts';
import { Conversations } from '@hearth/conversations/registry.ts';
import type { Bot, Plan } from '@hearth/engine/bot.ts';
import { isModelNode } from '@hearth/engine/runnable.ts';
import { NO_SECRETS } from '@hearth/engine/secret-source.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { MessageId } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';

/*
 * What a recording is played on: one conversation in a home of its own, whose backends, tools and programs give what the
 * score holds. It reaches nothing outside of that home.
 */

/** What a stage is made of. The same home opened again is the same conversation, as after a restart. */
export interface StageOptions {
  readonly bot: Bot;
  /** Hearth's own tools, by their names alone. */
  readonly tools: readonly Tool[];
  readonly home: string;
  readonly disk: Disk;
  readonly ids: Ids;
  /** The time of the conversation. */
  readonly time: Clock;
}

/** An open stage; whoever opened it closes the conversations. */
export interface Stage {
  readonly conversations: Conversations;
  readonly store: HomeStore;
  readonly lane: Lane;
}

/** Opens the conversation of a home, and makes it the first time. `messages` are those that were sent, in order. */
export async function openStage(
  { bot, tools, home, disk, ids, time }: StageOptions,
  score: Score,
  messages: () => readonly MessageId[],
): Promise<Stage> {
  const programs = Object.values(bot.plan.nodes).filter(node => node.kind === 'tool');
  const nodes = new Set(programs.map(node => node.name));
  const replayed = (all: readonly Tool[]) => replayedTools(all, score, nodes);
  const plan = ungated(bot.plan);
  // The conversation that is opened anew finds the plan by what it says.
  const digest = sha256(canonicalJson(plan));
  const backend = new Replay(score, messages);
  const store = new HomeStore({ disk, clock: time, home });
  const conversations = new Conversations({
    home,
    disk,
    store,
    blobs: store.blobs,
    lease: new LocalLease(),
    bus: new MemoryBus(),
    bots: {
      load: () => Promise.resolve({ ...bot, plan, digest, tools: replayed(bot.tools) }),
      names: () => Promise.resolve([bot.name]),
    },
    choose: () =>
      Promise.resolve({ backend, model: { model: 'auto', provider: null, effort: null }, why: 'replay' }),
    tools: replayed(tools),
    surroundings: {
      expand: text => text,
      programs: new ReplayedPrograms(score),
      servers: { connect: () => Promise.reject(new Error('A replay connects to no tool server.')) },
      secrets: { missing: () => Promise.resolve([]), give: () => Promise.resolve(NO_SECRETS) },
    },
    clock: time,
    ids,
    fallbackWorkspace: home,
  });
  await conversations.initialise();
  const lane = await conversations.lane(await conversations.default());
  return { conversations, store, lane };
}

/** What was asked about and denied is in the recording; the calls that it has were let through. */
function ungated(plan: Plan): Plan {
  const nodes = Object.entries(plan.nodes).map(([name, node]) => {
    if (!isModelNode(node)) return [name, node] as const;
    const { permission: _gate, ...open } = node;
    return [name, open] as const;
  });
  return { ...plan, nodes: Object.fromEntries(nodes) };
}
