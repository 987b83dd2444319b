import type { TicketState } from '@hearth/protocol/ticket.ts';
import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { stateWords } from '../targets.ts';
import { closing } from './close.ts';

const verbs: readonly (readonly [RegExp, TicketState])[] = [
  [/^(?:re ?open|rouvr|reouvr)/, 'backlog'],
  [/^(?:unblock|debloque)/, 'ready'],
  [/^(?:block|bloque)/, 'blocked'],
];

/** "move HB-4 to review", "passe le premier en cours", "reopen HB-4". A move to done is a close. */
export const move: Planner = async function* (scene, clause) {
  const [head = ''] = clause.plainRest.split(' : ');
  const named = stateIn(head);
  const to = named?.state ?? verbs.find(([verb]) => verb.test(clause.ordered))?.[1];
  const plain =
    named === null
      ? head
      : head.slice(0, named.at).replace(/ (?:to|in|into|as|en|a|au|dans|comme|l etat)( the| la| le)? $/, '');
  // The state may stand before the ticket: "mets en cours HB-4".
  const ticketsSaid = /\d/.test(plain) || !/\d/.test(head) ? plain : head;
  const found = yield* meant(scene, clause, { plain: ticketsSaid.trim() });
  if (found === null || !areTargets(found)) return found;
  if (to === undefined) return only(scene.words.needState);
  if (to === 'done') return each(found, ticket => closing(scene, ticket, null));
  return each(found, ticket => ({ do: 'move', ticket, to }));
};

/** The state that the words lead to: the first after "to" or "en", else the last that is named. */
function stateIn(plain: string): { readonly state: TicketState; readonly at: number } | null {
  const all = stateWords
    .flatMap(([state, words]) =>
      [...plain.matchAll(new RegExp(words, 'g'))].map(match => ({ state, at: match.index })),
    )
    .sort((a, b) => a.at - b.at);
  const led = /(?:^| )(?:to|in|into|as|en|a|au|dans|vers|comme|l etat)(?: the| la| le| l)? $/;
  return all.find(({ at }) => led.test(plain.slice(0, at))) ?? all.at(-1) ?? null;
}
