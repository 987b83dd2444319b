/** Whether a run that is to begin would lack a secret of its bot. */
import type { Bot } from '@hearth/engine/bot.ts';
import type { SecretSource } from '@hearth/engine/secret-source.ts';
import type { State } from '@hearth/engine/state.ts';

/** The sentences that say what is missing; `null` when nothing is, or no run would begin. */
export async function missingSecrets(
  bot: Bot | null,
  { machine }: State,
  source: SecretSource | undefined,
): Promise<string | null> {
  const secrets = bot?.plan.secrets ?? [];
  if (secrets.length === 0 || machine.run?.status === 'active' || source === undefined) return null;
  const missing = await source.missing(secrets);
  return missing.length === 0 ? null : missing.map(({ why }) => why).join(' ');
}
