import type { Clause } from './clauses.ts';
import { doubtOf } from './doubts.ts';
import { fold } from './words.ts';

/*
 * Which parts of a message no command carries out, so that the person is told. Titles, comments and reasons belong to
 * their command whole, and mere politeness is nothing to carry out.
 */

const polite =
  /^(?:please|pls|thanks|thank|you|very|much|a|lot|so|many|merci|beaucoup|stp|svp|s|il|te|vous|plait|ok|okay|great|good|cool|perfect|parfait|super|bien|hi|hello|hey|nexie|bonjour|salut|bonsoir|oui|yes|yep|sure|now|maintenant|then|and|et|puis|alors|donc|also|too|aussi|d|accord|for|me|us|pour|moi|nous|bye|sorry|i|m|im|am|we|re|done|that|this|is|it|all|c|est|tout|bon|the|first|finally|just|well|job|work|morning|day|evening|weekend|here|ici|ca|va|que|tu|peux|can|could|would|will|je|veux|voudrais|want|need|to|hm+|right|fine|nice|hope|soon)$/;
const reasoned = /:\s|(?:^|\s)(?:because|since|as it|car|parce qu|puisque|vu que|reason)(?:\s|['’e])/i;
/** How a later part goes on with what the command before it told: more tickets, a state, a name, a reason. */
const goesOn =
  /^(?:(?:the |le |la |les |l )?(?:hb|\d|ticket|issue|first|second|third|last|premier|deuxieme|troisieme|dernier|other|autre|one|both|it|them)|(?:to|with|using|as|in|into|en|a|au|dans|avec|vers|comme|by|par|except|but|sauf|not|pas|all|tous|only)\b)/;
/** How many parts are told; a long message is not repeated. */
const TOLD = 3;
const named = /\bHB[-_ ]?\d+|#\d+/i;

/** The parts that were not carried out, as they were written. `failed` are the clauses that came to nothing. */
export function leftovers(given: readonly Clause[], failed: readonly Clause[]): string[] {
  const [opening] = given;
  const said = given.every(({ command }) => command === 'end') ? [] : sentences(opening?.before ?? '');
  // What binds the order, such as "once HB-1 is done," was heard: it is why the order is asked about.
  const bound = opening !== undefined && !['asked', null].includes(doubtOf(opening));
  const before = bound && !/[.!?;\n]\s*$/.test(opening.before) ? said.slice(0, -1) : said;
  const parts = given.flatMap(clause => {
    if (failed.includes(clause)) return [clause.written];
    if (clause.command === 'create' || clause.command === 'comment' || clause.command === 'end') return [];
    if (reasoned.test(clause.rest)) return [];
    const [first = '', ...rest] = sentences(clause.rest);
    return [...(clause.command === 'label' ? [] : behind(first)), ...rest];
  });
  return [...before, ...parts]
    .map(part => part.trim())
    .filter(part => !isPolite(part))
    .slice(0, TOLD);
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?;])\s+|\n+/).filter(part => part.trim() !== '');
}

/** What stands behind "and", "then" or a comma after named tickets and does not go on with them. */
function behind(sentence: string): string[] {
  const [head = '', ...rest] = sentence.split(/\s*,\s+(?:and |then |et |puis )?|\s+(?:and|then|et|puis)\s+/i);
  return named.test(head) ? rest.filter(part => !goesOn.test(plainly(part))) : [];
}

function isPolite(text: string): boolean {
  return plainly(text)
    .split(' ')
    .every(word => word === '' || polite.test(word));
}

function plainly(text: string): string {
  return fold(text.normalize('NFC'))
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
