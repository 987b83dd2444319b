import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { laneOf } from '@hearth/conversations/testing/lanes.ts';
import {
  ada,
  message,
  type Sample,
  SampleBots,
  sample,
  session,
} from '@hearth/conversations/testing/sample-home.ts';
import { settled } from '@hearth/conversations/testing/settling.ts';
import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { type Plan, runnable } from '@hearth/engine/runnable.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { CardPause, InputPause, Pause } from '@hearth/protocol/pause.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';

/*
 * A conversation with confirm-first through the real lane and store, on a simulated disk, with a model that says what a test
 * lets it say. A person's acts name the version that is on their screen: the one that the view shows.
 */

const ROOT = join(import.meta.dirname, '..', '..', 'bots', 'confirm-first');

/** The plan of the bundle, as the engine runs it. */
export function confirmFirst(): Plan {
  const prompts = Object.fromEntries(
    readdirSync(join(ROOT, 'prompts')).map(file => [
      file.replace(/\.md$/, ''),
      readFileSync(join(ROOT, 'prompts', file), 'utf8'),
    ]),
  );
  const { plan } = compileBundle({ main: readFileSync(join(ROOT, 'main.bot'), 'utf8'), prompts });
  const narrowed = plan === null ? null : runnable(plan);
  if (narrowed?.plan == null) throw new Error(`confirm-first does not run: ${narrowed?.missing.join(', ')}`);
  return narrowed.plan;
}

/** What the model gives at a node: fields over the usual ones, or events of its own; a promise holds it that long. */
export type Model = Readonly<Record<string, ((turn: BackendTurn, number: number) => Given) | undefined>>;
type Given = JsonObject | readonly BackendEvent[] | Promise<JsonObject>;

/** What each node gives when a test says nothing of it. `number` counts the calls of a node, from 1. */
const USUAL: Record<string, (turn: BackendTurn, number: number) => JsonObject> = {
  draft_interpretation: (_turn, number) => ({
    route: 'interpret',
    reply: '',
    prompt_body: `DO the task as asked ${number}`,
    carries: false,
  }),
  revise_interpretation: (_turn, number) => ({
    prompt_body: `DO the task as changed ${number}`,
    carries: false,
  }),
  draft_approach: (_turn, number) => ({ plan_body: `FOLLOW the first way ${number}` }),
  revise_approach: (_turn, number) => ({ plan_body: `FOLLOW the other way ${number}` }),
  read_message: () => ({ kind: 'unclear', task: [], approach: [], progression: false }),
  answer_protocol: () => ({ reply: 'ENDIF ends an IF.' }),
  execute: (_turn, number) => ({ status: 'result', body: `The result ${number}.`, message: '' }),
};

/** What a node gives at its first call when a test says nothing of it. */
export function usual(turn: BackendTurn): JsonObject {
  return USUAL[turn.node]?.(turn, 1) ?? {};
}

let sent = 0;

/** A conversation under way. */
export class Talk {
  readonly home: Sample;
  readonly turns: BackendTurn[] = [];
  readonly #counts = new Map<string, number>();

  constructor(model: Model, disk?: SimDisk) {
    const turns = this.turns;
    const counts = this.#counts;
    this.home = sample({
      bots: new SampleBots(confirmFirst()),
      ...(disk === undefined ? {} : { disk }),
      async *script(turn) {
        turns.push(turn);
        const number = (counts.get(turn.node) ?? 0) + 1;
        counts.set(turn.node, number);
        const usual = USUAL[turn.node]?.(turn, number) ?? {};
        yield session;
        const made = await (model[turn.node]?.(turn, number) ?? {});
        if (isEvents(made)) yield* made;
        else yield { type: 'done', output: { ...usual, ...made }, text: '' };
      },
    });
  }

  /** Begins one; with `disk`, on what is there. */
  static async begin(model: Model = {}, disk?: SimDisk): Promise<Talk> {
    const talk = new Talk(model, disk);
    await talk.home.conversations.initialise();
    await talk.home.conversations.resume();
    await talk.rest();
    return talk;
  }

  get lane() {
    return laneOf(this.home);
  }

  async rest(): Promise<void> {
    await settled(await this.lane, this.home.clock);
  }

  async view() {
    return (await this.lane).view();
  }

  /** Sends a message and waits for what comes of it. */
  async say(text: string): Promise<Reply> {
    const reply = await (await this.lane).send(message(text));
    await this.rest();
    return reply;
  }

  /** Takes an action at the open card or question, as its button does. */
  act(action: string, feedback?: string): Promise<Reply> {
    return this.decide({ do: 'act', action, ...(feedback === undefined ? {} : { feedback }) });
  }

  /** Types at the open card. */
  type(text: string): Promise<Reply> {
    return this.decide({ do: 'say', text });
  }

  /** Gives the data that is asked for. */
  supply(data: string): Promise<Reply> {
    return this.decide({ do: 'answer', fields: { data } });
  }

  /** Decides what is open; `more` may name another version than the one on the screen. */
  async decide(
    act: Act,
    more: { readonly version?: number; readonly commandId?: string } = {},
  ): Promise<Reply> {
    const pause = await this.open();
    sent += 1;
    const { shown } = pause.kind === 'card' ? pause : { shown: undefined };
    const reply = await (await this.lane).decide({
      commandId: `confirm-first-${String(sent).padStart(8, '0')}`,
      pause: pause.id,
      ...(shown === undefined ? {} : { artifact: shown.artifact, version: shown.version }),
      ...more,
      act,
      actor: ada,
    });
    await this.rest();
    return reply;
  }

  /** The pause that is open and owes something; the home when none does. */
  async open(): Promise<Pause> {
    const { pauses } = await this.view();
    const pause = pauses.find(one => one.kind !== 'chat') ?? pauses[0];
    if (pause === undefined) throw new Error('nothing is open');
    return pause;
  }

  async card(): Promise<CardPause> {
    const pause = await this.open();
    if (pause.kind !== 'card') throw new Error(`a ${pause.kind} pause is open at ${pause.node}`);
    return pause;
  }

  async input(): Promise<InputPause> {
    const pause = await this.open();
    if (pause.kind !== 'input') throw new Error(`a ${pause.kind} pause is open at ${pause.node}`);
    return pause;
  }

  /** Where the person is: `check_approach approach@2`, `wait_input`, `home`. */
  async at(): Promise<string> {
    const pause = await this.open();
    return pause.kind === 'card'
      ? `${pause.node} ${pause.shown.artifact}@${pause.shown.version}`
      : pause.node;
  }

  /** What became of the artifacts: `interpretation@2 confirmed`. */
  async artifacts(): Promise<readonly string[]> {
    const { artifacts } = await this.view();
    return artifacts.map(({ ref, status }) => `${ref.artifact}@${ref.version} ${status}`);
  }

  /** Everything that the bot said, in order. */
  async replies(): Promise<readonly string[]> {
    return (await this.lines()).flatMap(line =>
      line.is === 'replied' && typeof line.text === 'string' ? [line.text] : [],
    );
  }

  async lines(): Promise<readonly TranscriptLine[]> {
    const lane = await this.lane;
    return (await this.home.store.history(lane.id, null, 1000)).items;
  }

  /** The nodes that a model was asked for, in order. */
  get asked(): readonly string[] {
    return this.turns.map(({ node }) => node);
  }

  /** What a node was given the last time. */
  given(node: string): BackendTurn['prompt'] {
    const turn = this.turns.findLast(one => one.node === node);
    if (turn === undefined) throw new Error(`${node} was not asked`);
    return turn.prompt;
  }

  close(): Promise<void> {
    return this.home.conversations.closeAll();
  }
}

function isEvents(made: JsonObject | readonly BackendEvent[]): made is readonly BackendEvent[] {
  return Array.isArray(made);
}
