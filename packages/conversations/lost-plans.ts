/**
 * Plans that a conversation needs and that cannot be read any more. A plan is made from its bundle, so one that is damaged
 * is kept anew as long as the bundle still gives the very same.
 */
import type { Bots } from '@hearth/engine/bot.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { OpenedConversation, Store } from './ports.ts';

/** Keeps anew what the bot as it is now gives. Resolves to whether anything was mended. */
export async function mendPlans(store: Store, bots: Bots, opened: OpenedConversation): Promise<boolean> {
  const { id, bot: name } = opened.record;
  const bot = await bots.load(name).catch(() => null);
  if (bot === null || !plansNeeded(opened).includes(bot.digest)) return false;
  const kept = await store.plan(id, bot.digest).catch(() => null);
  if (kept !== null) return false;
  const { digest, plan, sources } = bot;
  return store.keepPlan(id, digest, { plan, sources }).then(
    () => true,
    () => false,
  );
}

/** The plans that reading a conversation back meets. */
export function plansNeeded({
  snapshot,
  commits,
}: Pick<OpenedConversation, 'snapshot' | 'commits'>): readonly Digest[] {
  const run = snapshot.machine.run?.plan;
  const named = commits
    .flatMap(commit => commit.entries)
    .flatMap(entry => (entry.is === 'accepted' || entry.is === 'replanned' ? [entry.plan] : []));
  return [...(run === undefined ? [] : [run]), ...named];
}
