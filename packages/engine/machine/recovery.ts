import type { EffectId, Instant } from '@hearth/protocol/ids.ts';
import type { Option, RecoveryCause } from '@hearth/protocol/pause.ts';
import { BUDGET_EXCEEDED } from '../budget.ts';
import { documentOf, publishes } from '../document.ts';
import { outputSchema } from '../output-schema.ts';
import { outputName } from '../routes.ts';
import type { Again, RunState, Token } from '../state.ts';
import { FAILURES, mayFall } from './branch.ts';
import type { Draft } from './draft.ts';
import { turnWaits } from './turn.ts';

const AGAIN: Option = { id: 'again', label: 'Try again' };
const IT_HAPPENED: Option = {
  id: 'it_happened',
  label: 'It happened',
  detail: 'Go on with an output that you give.',
};
const STOP: Option = {
  id: 'stop',
  label: 'Stop',
  detail: 'Give this turn up and go back to the conversation.',
};

/** What a person may choose, by cause. */
const CHOICES: Record<RecoveryCause, readonly Option[]> = {
  paused: [{ id: 'again', label: 'Go on' }, STOP],
  interrupted: [AGAIN, IT_HAPPENED, STOP],
  failed: [AGAIN, STOP],
  draft_failed: [AGAIN, STOP],
  uncertain: [AGAIN, IT_HAPPENED, STOP],
  budget: [{ id: 'raise', label: 'Go on', detail: 'Allow as much again.' }, STOP],
  loop_exhausted: [
    { id: 'raise', label: 'Go on', detail: 'Allow as many rounds again.' },
    { id: 'close', label: 'End the run', detail: 'The next message starts a new one.' },
  ],
  plan_changed: [],
  session_lost: [AGAIN, STOP],
  guard: [{ id: 'again', label: 'Look again' }, STOP],
  damaged: [{ id: 'go_on', label: 'Go on', detail: 'Continue from what could be read.' }],
};

const WITHDRAW: Option = {
  id: 'withdraw',
  label: 'Withdraw the change',
  detail: 'Go back to the version before it, which wants a confirmation of its own.',
};
const LEAVE: Option = { id: 'stop', label: 'Leave it', detail: 'The card stays open as it is.' };

function choicesFor(draft: Draft, run: RunState, token: Token, cause: RecoveryCause): readonly Option[] {
  const choices = CHOICES[cause];
  // Beside the graph there is nothing that could be given up or made up for.
  if (token.beside !== undefined)
    return choices.filter(one => one !== IT_HAPPENED).map(one => (one === STOP ? LEAVE : one));
  // Whatever cut the making of another version short, the change that asked for it can be taken back.
  const name = publishes(draft.plan, token.node);
  const document = name === null ? undefined : documentOf(run, name);
  if (document?.change == null || document.current === null) return choices;
  return choices.flatMap(one => (one === STOP ? [WITHDRAW, STOP] : [one]));
}

/** What a recovery pause says. */
export interface Trouble {
  readonly cause: RecoveryCause;
  readonly code: string;
  /** A sentence for a person: what happened and what may already have been done. */
  readonly detail: string;
  readonly effect?: EffectId;
  readonly retryAt?: Instant;
}

/**
 * Holds a token at a recovery pause until a person decides. A failure in a branch that those who meet can do without is
 * not asked about: the branch falls. A budget that is used up stops all branches, whatever they wait for.
 */
export function hold(draft: Draft, token: Token, trouble: Trouble, again: Again | null): void {
  const { run } = draft;
  if (run === null) return;
  if (FAILURES.has(trouble.cause) && trouble.code !== BUDGET_EXCEEDED && mayFall(run, token)) {
    token.stage = { is: 'fallen', code: trouble.code, error: trouble.detail };
    return;
  }
  const id = draft.next('p');
  token.stage = { is: 'held', pause: id, again };
  const { turn } = draft.machine;
  const choices = choicesFor(draft, run, token, trouble.cause);
  const fields = choices.includes(IT_HAPPENED)
    ? outputSchema(draft.plan, outputName(draft.plan, token.node))
    : null;
  draft.openPause(
    {
      id,
      run: run.id,
      turn: turn?.id ?? null,
      node: token.node,
      branch: token.branch,
      openedAt: draft.at,
      kind: 'recovery',
      text: draft.text(trouble.detail),
      cause: trouble.cause,
      code: trouble.code,
      detail: trouble.detail.slice(0, 2000),
      ...(trouble.effect === undefined ? {} : { effect: trouble.effect }),
      choices: [...choices],
      ...(trouble.retryAt === undefined ? {} : { retryAt: trouble.retryAt }),
      ...(fields === null ? {} : { fields }),
      unseen: [...(again?.joined ?? []), ...(again?.unseen ?? [])].map(message => message.id),
    },
    token,
  );
  turnWaits(draft);
}
