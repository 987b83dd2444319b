import type { EffectId } from '@hearth/protocol/ids.ts';
import type { EntryOf } from '../entry.ts';
import { withoutGrant } from '../permission.ts';
import type { Stage, Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { unguarded } from './guard.ts';
import { linesSeen, linesTaken } from './telling.ts';

/*
 * What is noted while an effect runs. A note about an effect that is not running (it was restarted, or its run was
 * reset) changes nothing.
 */

/** A token whose effect runs. */
export type Running = Token & { stage: Extract<Stage, { is: 'running' }> };

/** The token that an effect runs for. */
export function runningToken(draft: Draft, effect: EffectId): Running | undefined {
  return draft.run?.tokens.find(
    (token): token is Running => token.stage.is === 'running' && token.stage.effect === effect,
  );
}

/** An effect was intended: its token runs from now on. */
export function intended(draft: Draft, entry: EntryOf<'intended'>): void {
  const { effect } = entry;
  const token = draft.run?.tokens.find(
    candidate => candidate.branch === effect.branch && candidate.node === effect.node,
  );
  if (token === undefined || token.stage.is !== 'ready' || unguarded(draft, token) !== null) return;
  draft.state.counters.effect = Math.max(draft.state.counters.effect, Number(effect.id.slice(1)));
  const { resume, joined, asking, tries, findings } = token.stage;
  token.stage = {
    is: 'running',
    effect: effect.id,
    attempt: effect.attempt,
    startedAt: draft.at,
    session: resume?.session ?? null,
    toolsStarted: [...(resume?.interrupted?.toolsStarted ?? [])],
    open: [],
    joined,
    taken: [],
    seen: [],
    interrupted: false,
    answers: resume?.answers ?? [],
    ...(resume?.modelAnswers === undefined ? {} : { modelAnswers: resume.modelAnswers }),
    ...(asking === undefined ? {} : { asking }),
    ...(tries === undefined ? {} : { tries }),
    ...(findings === undefined ? {} : { findings }),
  };
  draft.emit({ type: 'node', node: effect.node, iteration: token.iteration, change: 'started' }, token);
}

/** A backend's session is known. */
export function sessionKnown(draft: Draft, entry: EntryOf<'session'>): void {
  const token = runningToken(draft, entry.effect);
  if (token === undefined) return;
  const { session: before } = token.stage;
  const degraded = entry.degraded !== undefined || (before?.id === entry.id && before.degraded === true);
  const { id, fingerprint } = entry;
  token.stage.session = { id, fingerprint, ...(degraded ? { degraded: true } : {}) };
  draft.machine.session = { backend: entry.backend, degraded };
  const about = { type: 'session', node: token.node, backend: entry.backend } as const;
  draft.emit({ ...about, change: entry.how }, token);
  if (entry.degraded !== undefined)
    draft.emit({ ...about, change: 'degraded', reason: entry.degraded }, token);
}

/** A native tool of the backend's began; whether it took effect cannot be known if the process dies. */
export function began(draft: Draft, entry: EntryOf<'began'>): void {
  const { call, name } = entry;
  const stage = runningToken(draft, entry.effect)?.stage;
  stage?.toolsStarted.push(name);
  if (stage !== undefined && call !== undefined) stage.native = [...(stage.native ?? []), { call, name }];
}

/** It was heard how a native tool ended. */
export function ceased(draft: Draft, entry: EntryOf<'ceased'>): void {
  const stage = runningToken(draft, entry.effect)?.stage;
  if (stage?.native !== undefined) stage.native = stage.native.filter(({ call }) => call !== entry.call);
}

/** Tells of the tools that were cut off with their effect, so that nobody is shown one that works for ever. */
export function tellCutOff(draft: Draft, token: Running): void {
  const cut = [...(token.stage.native ?? []), ...token.stage.open];
  for (const { call, name } of cut)
    draft.emit({ type: 'tool', call, name, change: 'failed', detail: CUT_OFF }, token);
}

const CUT_OFF = 'It was cut off. Whether it took effect is not known.';

/** A call is made that a person allowed this once. */
export function grantUsed(draft: Draft, entry: EntryOf<'permitted'>): void {
  const token = runningToken(draft, entry.effect);
  if (token === undefined) return;
  const { call: id, tool, digest } = entry;
  token.stage.answers = withoutGrant(token.stage.answers, { id, tool, digest });
}

/** A tool call was intended. */
export function called(draft: Draft, entry: EntryOf<'called'>): void {
  const token = runningToken(draft, entry.effect);
  if (token === undefined) return;
  const { call, name, digest, idempotent } = entry;
  token.stage.open.push({ call, name, digest, idempotent });
  token.stage.toolsStarted.push(name);
  draft.emit({ type: 'tool', call, name, change: 'started', title: entry.title }, token);
}

/** A tool call has its outcome. */
export function returned(draft: Draft, entry: EntryOf<'returned'>): void {
  const token = runningToken(draft, entry.effect);
  const index = token?.stage.open.findIndex(open => open.call === entry.call) ?? -1;
  const [open] = index < 0 ? [] : (token?.stage.open.splice(index, 1) ?? []);
  if (token === undefined || open === undefined) return;
  const detail = entry.detail === undefined ? {} : { detail: draft.text(entry.detail) };
  draft.emit(
    {
      type: 'tool',
      call: entry.call,
      name: open.name,
      change: entry.failed ? 'failed' : 'completed',
      ...detail,
    },
    token,
  );
}

/** A running agent's program acknowledged messages: they leave the queue. */
export function taken(draft: Draft, entry: EntryOf<'taken'>): void {
  const token = runningToken(draft, entry.effect);
  if (token === undefined) return;
  const messages = draft.state.inbox.filter(queued => entry.messages.includes(queued.id));
  draft.state.inbox = draft.state.inbox.filter(queued => !entry.messages.includes(queued.id));
  token.stage.taken.push(...messages);
  for (const message of messages) draft.emit({ type: 'message.moved', message: message.id, to: 'delivered' });
  linesTaken(draft, entry.effect, entry.messages);
}

/** A later step of the model showed that it has the messages. */
export function seen(draft: Draft, entry: EntryOf<'seen'>): void {
  const token = runningToken(draft, entry.effect);
  if (token === undefined) return;
  linesSeen(draft, entry.effect, entry.messages);
  for (const message of [...token.stage.joined, ...token.stage.taken]) {
    if (!entry.messages.includes(message.id) || token.stage.seen.includes(message.id)) continue;
    token.stage.seen.push(message.id);
    draft.emit({ type: 'message.moved', message: message.id, to: 'consumed' });
  }
}
