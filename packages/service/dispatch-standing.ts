import type { Failure, Standing } from '@hearth/board/dispatch.ts';
import type { Lane } from '@hearth/conversations/lane.ts';
import { RegistryError } from '@hearth/conversations/registry-error.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId, TurnId } from '@hearth/protocol/ids.ts';
import { blocks, owes, type Pause } from '@hearth/protocol/pause.ts';
import { headOf, type Text } from '@hearth/protocol/text.ts';

/*
 * How a conversation that was dispatched stands: read from its state and its log, never remembered, so that it does not
 * matter who moved it on meanwhile.
 */

/** How it stands now. Never rejects: what cannot be looked at is `unknown`. */
export async function standingIn(
  conversations: Pick<Conversations, 'lane'>,
  c: ConversationId,
): Promise<Standing> {
  try {
    return await standingOf(await conversations.lane(c));
  } catch (thrown) {
    const gone = thrown instanceof RegistryError && thrown.code === 'unknown_conversation';
    return gone ? { is: 'gone' } : { is: 'unknown' };
  }
}

async function standingOf(lane: Lane): Promise<Standing> {
  const { trouble, turn, pauses, state } = lane.view();
  if (trouble !== undefined) return { is: 'unknown' };
  if (turn?.status === 'running') return { is: 'working' };
  // A turn may wait for answers to questions that hold nothing else up.
  const waiting = waitingAt(pauses.filter(turn?.status === 'waiting' ? owes : blocks));
  if (waiting !== null) return waiting;
  if (lane.active || state === 'working') return { is: 'working' };
  return ended(lane, await eventsOf(lane));
}

/** A failure that may be tried again is one only when nothing else is asked of the person. */
function waitingAt(open: readonly Pause[]): Standing | null {
  const [first] = open;
  if (first === undefined) return null;
  const asked = open.find(pause => failureAt(pause) === null) ?? first;
  return { is: 'waiting', pause: asked.id, text: headOf(asked.text), failure: failureAt(asked) };
}

function failureAt(pause: Pause): Failure | null {
  if (pause.kind !== 'recovery' || pause.cause !== 'failed') return null;
  if (!pause.choices.some(choice => choice.id === 'again')) return null;
  const { id, code, detail: text, retryAt } = pause;
  return { id, code, text, ...(retryAt === undefined ? {} : { retryAt }) };
}

/** How the last turn ended. */
async function ended(lane: Lane, events: readonly Event[]): Promise<Standing> {
  const turn = events.findLast(
    event => event.type === 'turn' && ['completed', 'failed', 'cancelled'].includes(event.change),
  );
  if (turn?.type !== 'turn') return { is: 'fresh' };
  if (turn.change === 'cancelled' || stoppedIn(events, turn.turn)) return { is: 'stopped' };
  const said = events.findLast(
    event => event.type === 'message' && event.by.kind === 'bot' && event.turn === turn.turn,
  );
  const text = said?.type === 'message' ? await wordsOf(lane, said.text) : '';
  if (turn.change === 'completed') return { is: 'completed', text };
  const { code = 'failed', summary = '' } = turn;
  return { is: 'failed', failure: { id: turn.turn, code, text: summary === '' ? text : summary } };
}

/** Whether somebody chose to give the turn up; a run without a home base then ends as failed. */
function stoppedIn(events: readonly Event[], turn: TurnId): boolean {
  return events.some(
    event => event.type === 'pause.closed' && event.turn === turn && event.option === 'stop',
  );
}

async function eventsOf(lane: Lane): Promise<readonly Event[]> {
  const events: Event[] = [];
  let after = null;
  for (;;) {
    const page = await lane.page(after, 500);
    if ('code' in page) return events;
    events.push(...page.events.map(({ event }) => event));
    if (page.events.length === 0 || page.next === page.head) return events;
    after = page.next;
  }
}

async function wordsOf(lane: Lane, text: Text): Promise<string> {
  if (typeof text === 'string') return text;
  const bytes = await lane.blob(text.blob);
  return bytes === null ? headOf(text) : new TextDecoder().decode(bytes);
}
