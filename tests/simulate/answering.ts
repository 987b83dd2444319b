import type { Attachment } from '@hearth/client/attachment.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { pick, type Random } from '@hearth/store/seeded-random.ts';

/** Some way to answer a pause; `null` when the simulation knows none. */
export function actFor(random: Random, pause: Pause): Parameters<Attachment['decide']>[1] | null {
  if (pause.kind === 'recovery') {
    const choices = pause.choices.filter(choice => choice.id !== 'it_happened');
    const option = choices[pick(random, Math.max(1, choices.length))]?.id;
    return option === undefined ? null : { do: 'answer', option };
  }
  if (pause.kind !== 'question') return null;
  return pick(random, 5) === 0
    ? { do: 'cancel' }
    : { do: 'answer', option: pick(random, 2) === 0 ? 'a' : 'b' };
}
