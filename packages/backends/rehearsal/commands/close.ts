import { destroys } from '../grammar.ts';
import type { Act } from '../memory.ts';
import { areTargets, each, meant, only, type Planner, reasonIn } from '../plan.ts';
import { ofKind } from '../targets.ts';
import { findObsolete } from '../sweep.ts';
import type { Scene } from '../scene.ts';

/** "close HB-4", "ferme les obsolètes". What a sweep found is closed with its evidence as the comment. */
export const close: Planner = async function* (scene, clause) {
  const destroying = destroys.test(clause.ordered);
  const sweeping = /\b(?:obsolete|outdated|stale|already|deja|perime)/.test(clause.plainRest);
  if (sweeping && scene.memory.obsolete.length === 0 && !/\bhb \d|# ?\d/.test(clause.plainRest)) {
    const swept = yield* findObsolete(scene);
    if ('why' in swept) return only(swept.why);
    if (swept.ok.length === 0) return only(scene.words.noSuchTickets);
  }
  const whole = /^(?:clear|empty|vide)/.test(clause.ordered) && clause.plainRest === '';
  const told = whole ? yield* scene.board() : null;
  const all = told !== null && 'ok' in told ? ofKind('', told.ok.tickets).map(ticket => ticket.id) : null;
  const found = all === null ? yield* meant(scene, clause) : { how: 'all' as const, ids: all };
  if (found === null || !areTargets(found)) return found;
  const reason = reasonIn(clause.rest);
  const plan = each(found, ticket => closing(scene, ticket, reason));
  return { ...plan, explicit: plan.explicit && !destroying, say: destroying ? [scene.words.noDeletion] : [] };
};

/** Closing a ticket, with the reason that was given or the evidence that the last sweep found. */
export function closing(scene: Scene, ticket: string, reason: string | null): Act {
  const comment = reason ?? scene.memory.obsolete.find(one => one.ticket === ticket)?.comment;
  return { do: 'close', ticket, ...(comment === undefined ? {} : { comment }) };
}
