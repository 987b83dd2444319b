import type { TicketState } from '@hearth/protocol/ticket.ts';
import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { stateWords } from '../targets.ts';
import { closing } from './close.ts';

interface Verb {
  readonly words: RegExp;
  readonly to: TicketState;
  /** The state that the verb itself moves out of: only tickets in it can be meant. */
  readonly from?: TicketState;
}

const verbs: readonly Verb[] = [
  { words: /^(?:re ?open|rouvr|reouvr)/, to: 'backlog', from: 'done' },
  { words: /^(?:unblock|debloque)/, to: 'ready', from: 'blocked' },
  { words: /^(?:block|bloque)/, to: 'blocked' },
];

/** "move HB-4 to review", "passe le premier en cours", "reopen HB-4". A move to done is a close. */
export const move: Planner = async function* (scene, clause) {
  const [head = ''] = clause.plainRest.split(' : ');
  const verb = verbs.find(({ words }) => words.test(clause.ordered));
  const { to, plain } = destination(head, verb);
  const from = verb?.from;
  const found = yield* meant(scene, clause, { plain, ...(from === undefined ? {} : { from }) });
  if (found === null || !areTargets(found)) return found;
  if (to === null) return only(scene.words.needState);
  if (to === 'done') return each(found, ticket => closing(scene, ticket, null));
  if (from === undefined) return each(found, ticket => ({ do: 'move', ticket, to }));
  const board = yield* scene.board();
  const elsewhere =
    'ok' in board ? board.ok.tickets.filter(({ state }) => state !== from && state !== to) : [];
  const left = elsewhere.filter(({ id }) => found.ids.includes(id));
  const moved = found.ids.filter(id => !left.some(one => one.id === id));
  return {
    ...each({ ...found, ids: moved }, ticket => ({ do: 'move', ticket, to })),
    say: left.map(ticket => scene.words.notFrom(ticket, ticket.state, from)),
  };
};

/** Where the words lead, and the words that name the tickets. What a verb moves out of is no destination. */
function destination(head: string, verb: Verb | undefined): { to: TicketState | null; plain: string } {
  const named = stateIn(head, verb?.from);
  if (named === null) return { to: verb?.to ?? null, plain: head };
  if (verb !== undefined && !named.led) return { to: verb.to, plain: head };
  const plain = head
    .slice(0, named.at)
    .replace(/ (?:to|in|into|as|en|a|au|dans|comme|l etat)( the| la| le)? $/, '');
  // The state may stand before the ticket: "mets en cours HB-4".
  return { to: named.state, plain: (/\d/.test(plain) || !/\d/.test(head) ? plain : head).trim() };
}

interface NamedState {
  readonly state: TicketState;
  readonly at: number;
  /** Whether a word such as "to" or "en" leads to it. */
  readonly led: boolean;
}

/** The state that the words lead to: the first after "to" or "en", else the last that is named. */
function stateIn(plain: string, from: TicketState | undefined): NamedState | null {
  const ledTo = /(?:^| )(?:to|in|into|as|en|a|au|dans|vers|comme|l etat)(?: the| la| le| l)? $/;
  const all = stateWords
    .filter(([state]) => state !== from)
    .flatMap(([state, words]) =>
      [...plain.matchAll(new RegExp(words, 'g'))].map(match => ({
        state,
        at: match.index,
        led: ledTo.test(plain.slice(0, match.index)),
      })),
    )
    .sort((a, b) => a.at - b.at);
  return all.find(({ led }) => led) ?? all.at(-1) ?? null;
}
