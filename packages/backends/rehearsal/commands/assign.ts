import { areTargets, each, meant, only, type Planner } from '../plan.ts';

const taking = /^(?:unassign|desassigne|remove|clear|enleve|retire)/;
const towards =
  /(?:^|\s)(?:to|à|a|au|aux|for|pour)\s+(?:the\s+|le\s+|la\s+)?(bot\s+)?@?([^\s,;:!?"][^,;:!?"\n]*?)\s*(?:please|stp|svp|s['’]il te pla[iî]t)?[\s.!?]*$/i;

/** "assign HB-4 to Marie", "confie HB-4 au bot fixer". */
export const assign: Planner = async function* (scene, clause) {
  const found = yield* meant(scene, clause, { titleWords: 2 });
  if (found === null || !areTargets(found)) return found;
  const bot = /\bbot\b/.test(clause.ordered);
  const named = taking.test(clause.ordered) ? '' : nameIn(clause.rest);
  if (named === null || /^(?:me|myself|moi|moi[- ]m[eê]me)$/i.test(named)) return only(scene.words.needOwner);
  return each(found, ticket =>
    bot ? { do: 'bot', ticket, bot: named } : { do: 'assign', ticket, owner: named },
  );
};

/** The name after "to" or "à"; with a ticket there ("assign Marie to HB-4") the words before it. */
export function nameIn(rest: string): string | null {
  const match = towards.exec(rest);
  const name = match?.[2]?.trim();
  if (match === null || name === undefined) return null;
  if (!/^(?:hb[-_ ]?\d|#\d|ticket|issue|it\b|them\b)/i.test(name)) return name.slice(0, 100);
  const before = rest
    .slice(0, match.index)
    .replace(/^\s*(?:the\s+|le\s+)?(?:bot\s+)?@?/i, '')
    .trim();
  return before === '' ? null : before.slice(0, 100);
}
