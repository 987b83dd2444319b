import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { drafted, reading, result, reviewPlan } from '@hearth/engine/testing/review-plan.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { CardPause, Pause } from '@hearth/protocol/pause.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import type { Lane } from '../lane.ts';
import { laneOf } from './lanes.ts';
import { ada, message, type Sample, SampleBots, session, started } from './sample-home.ts';

/* A home whose bot proposes a task and a plan and acts on both, for the tests of what a person confirms. */

/** What the agents of that bot do, by their nodes; without one they propose, agree to nothing, and are done. */
export type Doing = (turn: BackendTurn, nth: number) => AsyncGenerator<BackendEvent> | BackendEvent | null;

export interface ReviewHome {
  readonly home: Sample;
  readonly lane: Lane;
  /** The nodes whose agents were started, in order. */
  readonly ran: string[];
}

/** A home of that bot, made or opened anew. */
export async function reviewHome(
  options: { readonly disk?: SimDisk; readonly doing?: Doing; readonly ran?: string[] } = {},
): Promise<ReviewHome> {
  const { doing = () => null, ran = [] } = options;
  async function* script(turn: BackendTurn): AsyncGenerator<BackendEvent> {
    yield session;
    ran.push(turn.node);
    const nth = ran.filter(node => node === turn.node).length;
    const done = doing(turn, nth);
    if (done !== null && 'type' in done) yield done;
    else if (done !== null) yield* done;
    else yield given(turn.node, nth);
  }
  const { disk } = options;
  const home = await started({
    bots: new SampleBots(reviewPlan()),
    script,
    ...(disk === undefined ? {} : { disk }),
  });
  const lane = await laneOf(home);
  await lane.settled();
  return { home, lane, ran };
}

function given(node: string, nth: number): BackendEvent {
  const output =
    node === 'execute'
      ? result('It is done.')
      : node === 'read_words'
        ? reading()
        : drafted(`DO ${node} ${nth}`);
  return { type: 'done', output, text: '' };
}

export function cardOf(lane: Lane): CardPause {
  const card = lane.view().pauses.find((pause): pause is CardPause => pause.kind === 'card');
  if (card === undefined) throw new Error(`no card is open, but ${openIn(lane).join()}`);
  return card;
}

/** What is open, by its kind. */
export function openIn(lane: Lane): Pause['kind'][] {
  return lane.view().pauses.map(({ kind }) => kind);
}

/** Decides at a pause; at a card on the version that it shows, unless another is named. */
export async function decide(
  lane: Lane,
  pause: Pause,
  act: Act,
  more: { readonly version?: number; readonly commandId?: string } = {},
): Promise<Reply> {
  const shown = pause.kind === 'card' ? { artifact: pause.shown.artifact, version: pause.shown.version } : {};
  const { commandId } = message('');
  const reply = await lane.decide({ commandId, actor: ada, pause: pause.id, act, ...shown, ...more });
  await lane.settled();
  return reply;
}

/** Acts at the open card. */
export function act(lane: Lane, action: string, feedback?: string): Promise<Reply> {
  return decide(lane, cardOf(lane), { do: 'act', action, ...(feedback === undefined ? {} : { feedback }) });
}

/** To the first card, or with the task confirmed to the second. */
export async function toCard(lane: Lane, which: 'task' | 'plan' = 'task'): Promise<CardPause> {
  await lane.send(message('please'));
  await lane.settled();
  if (which === 'plan') await act(lane, 'confirm');
  return cardOf(lane);
}

/** Where artifacts stand, as `task@1 confirmed`. */
export function standing(lane: Lane): string[] {
  return lane.view().artifacts.map(({ ref, status }) => `${ref.artifact}@${ref.version} ${status}`);
}
