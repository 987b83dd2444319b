import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { fold } from '../words.ts';

const taking = /^(?:unassign|desassigne|remove|clear|enleve|retire)/;
const towards = /^(.*?)(?:^|\s)(?:to|à|a|au|aux)\s+((?!.*\s(?:to|à|au|aux)\s).+?)[\s.!?]*$/isu;
const nobody =
  /^(?:nobody|no one|noone|no ?body|none|nothing|anyone|no owner|personne|aucun|aucune|rien|personne d autre)$/;
const myself = /^(?:me|myself|us|moi|moi meme|nous)$/;
const ticketWords = /^(?:hb\b|#|\d+$|it$|them$|this$|that$)|\b(?:tickets?|issues?|tasks?|taches?|hb)\b/;

/** "assign HB-4 to Marie", "confie HB-4 au bot fixer", "assigne HB-4 à personne". */
export const assign: Planner = async function* (scene, clause) {
  const parts = taking.test(clause.ordered) ? null : towards.exec(clause.rest);
  const found = yield* meant(scene, clause, { text: parts?.[1] ?? clause.rest, titleWords: 'all' });
  if (found === null || !areTargets(found)) return found;
  const bot = /\bbot\b/.test(clause.ordered);
  const named = taking.test(clause.ordered) ? '' : nameIn(clause.rest);
  if (named === null) return only(scene.words.needOwner);
  return each(found, ticket =>
    bot ? { do: 'bot', ticket, bot: named } : { do: 'assign', ticket, owner: named },
  );
};

/**
 * The name after "to" or "à"; with a ticket there ("assign Marie to HB-4") the words before it. Empty when it is nobody's
 * name, `null` when the words are no name: an owner is never made of what is left over.
 */
export function nameIn(rest: string): string | null {
  const parts = towards.exec(rest);
  if (parts === null) return null;
  const [, before = '', after = ''] = parts;
  const told = ticketWords.test(plainName(after)) ? before : after;
  const name = told
    .replace(/\s*,?\s*(?:please|stp|svp|s['’]il (?:te|vous) pla[iî]t|thanks|merci)[\s.!?]*$/i, '')
    .replace(/^\s*(?:(?:the|le|la)\s+)?(?:bot\s+)?@?/i, '')
    .trim();
  const plain = plainName(name);
  if (nobody.test(plain)) return '';
  if (ticketWords.test(plain)) return null;
  if (myself.test(plain) || !isName.test(name) || noName.test(plain)) return null;
  return name;
}

/** One to three words. */
const isName = /^[\p{L}\d][\p{L}\d._@'’-]*(?: [\p{L}\d][\p{L}\d._@'’-]*){0,2}$/u;
const noName =
  /\b(?:and|or|et|ou|then|puis|for|pour|because|car|with|avec|when|if|si|quand|it|him|her|them|lui|elle|someone|somebody|quelqu un|ticket|tickets)\b/;

function plainName(text: string): string {
  return fold(text.normalize('NFC'))
    .replaceAll(/[^a-z0-9#]+/g, ' ')
    .trim();
}
