/**
 * Scenarios: what a source means at run time, through the real lane, driver and store, and that a crash changes nothing.
 *
 * To add one: write `scenario({ source, world, says, answers })` in a `<theme>.test.ts` beside this file, of the parts in
 * `parts.ts` where they do, and assert on what it returns, which is the plain run's ending. The scenario is run again with a
 * crash between every two commits, at both ends of what lies between them (at one of them where there are many), is
 * opened anew on what the disk kept, and goes on with the same person; every one of those runs must end alike.
 *
 * - `source` is a bot. It must compile and be one that the engine can run.
 * - `world` makes what is outside: the backend's script and the tools. It outlives the crashes of its run. What it does to
 *   the outside it writes into `log`: after a crash a line may be there again only where the person said "again" to it.
 * - `says` are the person's messages, each sent when nothing else is open. A message that was not acknowledged before a
 *   crash is sent again under the same id.
 * - `answers` is how the person decides at any other pause, as often as one is shown; it is told of all that are open and
 *   asked about each, oldest first. `null` leaves it open for now. A recovery that only the crash brought is answered with
 *   "again" without being asked about.
 * - `operate` is what the person does besides, in order and each once: see `operating.ts`.
 */
import { settled } from '@hearth/conversations/testing/settling.ts';
import {
  ada,
  HOME,
  type Sample,
  SampleBots,
  sample,
  type Script,
  session,
} from '@hearth/conversations/testing/sample-home.ts';
import { HomeStore } from '@hearth/conversations/home-store.ts';
import { apply } from '@hearth/engine/machine.ts';
import type { Plan } from '@hearth/engine/runnable.ts';
import type { RunState, State } from '@hearth/engine/state.ts';
import { planOf } from '@hearth/engine/testing/plan-of.ts';
import type { Surroundings } from '@hearth/engine/surroundings.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { mimeOf } from '@hearth/protocol/mime.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Decide } from '@hearth/protocol/command.ts';
import type { Act, Decision } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect } from 'vitest';
import { type Death, MortalStore } from './mortal-store.ts';
import { type Operation, Operator } from './operating.ts';

/** What is outside a conversation. */
export interface World {
  readonly script?: Script;
  readonly tools?: readonly Tool[];
  /** What programs do. */
  readonly surroundings?: Surroundings;
  /** What was done to the outside. */
  readonly log: string[];
}

/** A message with files, each as its text. `as` names the attachment of the bot that one is. */
export interface Said {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly text: string; readonly as?: string }[];
}

export interface Scenario {
  /** A bot's source, or its plan. */
  readonly source: string | Plan;
  readonly world?: () => World;
  readonly says?: readonly (string | Said)[];
  readonly answers?: (pause: Pause, open: readonly Pause[]) => Act | null;
  readonly operate?: readonly Operation[];
  /** Outputs of these nodes tell of attempts, so that those of runs with a crash are not compared. */
  readonly ignores?: readonly string[];
  /** One branch's trouble stops others wherever they are, so that what they do need not be done in every run. */
  readonly cuts?: true;
  /** After a crash leave is asked for again, whose answer starts the backend once more. */
  readonly leaves?: true;
}

/** How a scenario ended. */
export interface Ending {
  readonly run: Pick<RunState, 'status' | 'reason' | 'code'>;
  /** Where its tokens stand. */
  readonly at: readonly string[];
  /** The last outputs that are kept. */
  readonly outputs: Record<string, Values>;
  readonly loops: Record<string, number>;
  /** What is open, as `kind at node`. */
  readonly open: readonly string[];
  /** The bot's replies, in order. */
  readonly replies: readonly string[];
  /** Each time a backend was started: `node: what it was asked`. */
  readonly asked: readonly string[];
  readonly log: readonly string[];
  readonly state: State;
}

/** Runs a scenario plainly and with every crash; resolves to how the plain run ended. */
export async function scenario(given: Scenario): Promise<Ending> {
  const plan = typeof given.source === 'string' ? planOf(given.source) : given.source;
  const plain = await once(given, plan, null);
  for (let commit = 1; commit <= plain.commits; commit += 1) {
    for (const side of sidesOf(commit, plain.commits)) {
      const struck = await once(given, plan, { commit, side });
      const where = `a crash ${side} commit ${commit} of ${plain.commits}`;
      expect({ where, ...comparable(struck.ending, given) }).toEqual({
        where,
        ...comparable(plain.ending, given),
      });
      for (const what of ['asked', 'log'] as const) {
        const [all, done] = [plain.ending[what], struck.ending[what]];
        if (given.cuts === undefined)
          expect({ where, left: missing(all, done) }).toEqual({ where, left: [] });
        const starts = given.leaves === true && what === 'asked' ? 2 : 1;
        expectOnce(where, all, done, struck.agains * starts);
      }
    }
  }
  return plain.ending;
}

/** So many commits are tried from both sides; of more, every second one from each side. */
const FEW = 12;

function sidesOf(commit: number, commits: number): readonly ('before' | 'after')[] {
  if (commits <= FEW) return ['before', 'after'];
  return [commit % 2 === 0 ? 'before' : 'after'];
}

/** What the person and the outside remember over a crash. */
interface Memory {
  readonly world: World;
  readonly asked: string[];
  /** How many messages were acknowledged. */
  said: number;
  decided: number;
  /** What was sent and not acknowledged; after a crash it is sent again under the same id. */
  sent: Decide | null;
  agains: number;
  crashed: boolean;
  readonly operator: Operator;
}

async function once(
  given: Scenario,
  plan: Plan,
  death: Death | null,
): Promise<{ ending: Ending; commits: number; agains: number }> {
  const memory: Memory = {
    world: given.world?.() ?? { log: [] },
    asked: [],
    said: 0,
    decided: 0,
    sent: null,
    agains: 0,
    crashed: false,
    operator: new Operator(given.operate),
  };
  const first = boot(new SimDisk(), plan, memory, death);
  let dead = false;
  void first.store.died.promise.then(() => {
    dead = true;
  });
  const life = live(first.home, given, memory, () => dead);
  const lived = await Promise.race([life, first.store.died.promise]);
  const disk = lived === 'died' ? first.home.disk.crash({ seed: 1 }) : first.home.disk;
  if (lived !== 'died') {
    expect(memory.operator.left).toEqual([]);
    await first.home.conversations.closeAll();
    return { ending: await endingOf(disk, plan, memory), commits: first.store.commits, agains: 0 };
  }
  memory.crashed = true;
  const second = boot(disk, plan, memory, null);
  await live(second.home, given, memory);
  await second.home.conversations.closeAll();
  return { ending: await endingOf(disk, plan, memory), commits: 0, agains: memory.agains };
}

function boot(disk: SimDisk, plan: Plan, memory: Memory, death: Death | null) {
  const clock = new SimClock();
  const store = new MortalStore({ disk, clock, home: HOME }, disk, death);
  const script = memory.world.script ?? silent;
  const home: Sample = sample({
    disk,
    clock,
    bots: new SampleBots(plan),
    tools: memory.world.tools ?? [],
    ...(memory.world.surroundings === undefined ? {} : { surroundings: memory.world.surroundings }),
    async *script(turn, host, inbox) {
      // Every run has a conversation of its own.
      memory.asked.push(`${turn.node}: ${turn.prompt.user.replaceAll(/c_[0-9a-z]{26}/g, 'c_')}`);
      const operation = memory.operator.next(turn.node);
      if (operation !== null) {
        yield session;
        const lane = await home.conversations.lane(await home.conversations.default());
        const { replayed } = await memory.operator.do(lane, operation);
        // What is stopped does no more; what was stopped before the crash already goes on.
        const stops = operation.does === 'interrupt' || operation.does === 'cancel';
        if (stops && !replayed) await new Promise(() => undefined);
      }
      yield* script(turn, host, inbox);
    },
    wrap: () => ({ store, blobs: store.blobs }),
  });
  return { home, store };
}

async function* silent(): ReturnType<Script> {
  yield { type: 'failed', code: 'missing', message: 'This scenario has no backend.', began: false };
}

/** The person: answers what is open, then says the next thing, until nothing is left to do. */
async function live(
  home: Sample,
  given: Scenario,
  memory: Memory,
  dead: () => boolean = () => false,
): Promise<'rests'> {
  const { conversations, clock } = home;
  await conversations.initialise();
  await conversations.resume();
  const lane = await conversations.lane(await conversations.default());
  await settled(lane, clock);
  if (memory.crashed) await memory.operator.again(lane);
  if (memory.sent !== null) await sendDecision(lane, memory, memory.sent);
  for (;;) {
    await settled(lane, clock);
    // What a process that is dead shows is seen by nobody.
    if (dead()) return new Promise(() => undefined);
    const { pauses, turn } = lane.view();
    const operation = memory.operator.next();
    if (operation !== null && pauses.some(({ kind }) => kind === 'recovery') && !ofCrash(pauses, memory)) {
      await memory.operator.do(lane, operation);
      continue;
    }
    const decision = decisionAt(pauses, given, memory);
    if (decision !== null) {
      memory.decided += 1;
      const commandId = idOf('decision', memory.decided);
      await sendDecision(lane, memory, { commandId, actor: ada, ...decision });
      continue;
    }
    const said = given.says?.[memory.said];
    if (said === undefined || turn !== null) return 'rests';
    const { text, files } = typeof said === 'string' ? { text: said, files: [] } : said;
    const commandId = idOf('message', memory.said);
    const attachments = await Promise.all(files.map(file => attached(lane, file)));
    await lane.send({ commandId, actor: ada, text, delivery: 'queue', attachments });
    memory.said += 1;
  }
}

async function attached(lane: Lane, { name, text, as }: Said['files'][number]): Promise<Attached> {
  const bytes = new TextEncoder().encode(text);
  const file = { blob: await lane.upload(bytes), bytes: bytes.length, name, mime: mimeOf(name) };
  return as === undefined ? file : { ...file, as };
}

async function sendDecision(lane: Lane, memory: Memory, decision: Decide): Promise<void> {
  memory.sent = decision;
  const reply = await lane.decide(decision);
  if (reply.refused) throw new Error(`${reply.refused.code}: ${reply.refused.message}`);
  memory.sent = null;
}

function decisionAt(
  pauses: readonly Pause[],
  given: Scenario,
  memory: Memory,
): Pick<Decision, 'pause' | 'act' | 'artifact' | 'version'> | null {
  for (const pause of pauses) {
    if (pause.kind === 'chat') continue;
    const again = ofCrash([pause], memory);
    if (again) memory.agains += 1;
    const act: Act | null = again
      ? { do: 'answer', option: 'again' }
      : (given.answers?.(pause, pauses) ?? null);
    const { artifact, version } = pause.kind === 'card' ? pause.shown : {};
    const shown = artifact === undefined || version === undefined ? {} : { artifact, version };
    if (act !== null) return { pause: pause.id, act, ...shown };
  }
  return null;
}

/** Whether one of them may be there only because of the crash. */
function ofCrash(pauses: readonly Pause[], { crashed }: Memory): boolean {
  const causes = pauses.map(pause => (pause.kind === 'recovery' ? pause.cause : null));
  return crashed && (causes.includes('interrupted') || causes.includes('uncertain'));
}

function idOf(kind: string, n: number): string {
  return `${kind}-${String(n).padStart(16, '0')}`;
}

async function endingOf(disk: SimDisk, plan: Plan, memory: Memory): Promise<Ending> {
  const store = new HomeStore({ disk, clock: new SimClock(), home: HOME });
  const [row] = await store.list({});
  const opened = row === undefined ? null : await store.open(row.id);
  if (row === undefined || opened === null) throw new Error('there is no conversation');
  const state = opened.commits
    .flatMap(commit => commit.entries)
    .reduce<State>((folded, entry) => apply(plan, folded, entry), opened.snapshot);
  const { items } = await store.history(row.id, null, 1000);
  await store.release(row.id);
  const { run, pauses } = state.machine;
  if (run === null) throw new Error('no run began');
  return {
    run: { status: run.status, reason: run.reason, code: run.code },
    at: run.tokens
      .map(token => `${token.node}${token.branch === null ? '' : ` in ${token.branch}`}`)
      .toSorted(),
    outputs: run.outputs,
    loops: Object.fromEntries(Object.entries(run.loops).map(([name, { count }]) => [name, count])),
    open: pauses.map(pause => `${pause.kind} at ${pause.node}`).toSorted(),
    replies: items.flatMap(line =>
      line.is === 'replied' && typeof line.text === 'string' ? [line.text] : [],
    ),
    asked: memory.asked,
    log: memory.world.log,
    state,
  };
}

/** What must be the same whether or not there was a crash. */
function comparable({ run, at, outputs, loops, open, replies }: Ending, { ignores }: Scenario) {
  const kept = Object.entries(outputs).filter(([node]) => ignores?.includes(node) !== true);
  return { run, at, outputs: Object.fromEntries(kept), loops, open, replies };
}

/** What was done plainly and is missing here. */
function missing(plain: readonly string[], struck: readonly string[]): readonly string[] {
  return plain.filter(line => !struck.includes(line));
}

/** Something was done more often only where a person said "again". */
function expectOnce(
  where: string,
  plain: readonly string[],
  struck: readonly string[],
  agains: number,
): void {
  for (const line of new Set(struck)) {
    const count = (lines: readonly string[]): number => lines.filter(other => other === line).length;
    const most = count(struck) <= count(plain) + agains;
    expect({ where, line, most, agains }).toEqual({ where, line, most: true, agains });
  }
}
