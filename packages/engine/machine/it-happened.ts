import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import { conform } from '../envelope.ts';
import { outputName } from '../routes.ts';
import type { Plan } from '../runnable.ts';
import type { State } from '../state.ts';

/** "It happened" must say what happened where the node's output has a schema; refuses it otherwise. */
export function misfitOutput(plan: Plan, state: State, pause: Pause, act: Act): Refusal | null {
  if (pause.kind !== 'recovery' || act.do !== 'answer' || act.option !== 'it_happened') return null;
  const token = state.machine.run?.tokens.find(
    ({ stage }) => stage.is === 'held' && stage.pause === pause.id,
  );
  const fitted = conform(plan, outputName(plan, token?.node ?? ''), act.fields ?? {});
  if (fitted.ok) return null;
  return {
    code: 'invalid_choice',
    message: `"It happened" needs the output of "${token?.node ?? pause.node}" as fields: ${fitted.why}.`,
  };
}
