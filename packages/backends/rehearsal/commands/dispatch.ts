import { areTargets, each, meant, only, type Planner } from '../plan.ts';

const towards =
  /(?:^|\s)(?:to|with|using|via|à|au|avec|par)\s+(?:the\s+|le\s+)?(?:bot\s+)?@?([\p{L}\d][\p{L}\d._-]*)/iu;
const noBot = /^(?:the|le|bot|work|ready|it|hb|ticket|your|ton|a|travail)$/i;

/** "dispatch HB-4 to fixer", "lance le premier". Without a ticket, the pick of the last shortlist. */
export const dispatch: Planner = async function* (scene, clause) {
  const found = yield* meant(scene, clause);
  if (found !== null && !areTargets(found)) return found;
  const said = towards.exec(clause.rest)?.[1];
  const bot = said === undefined || noBot.test(said) ? undefined : said;
  if (found !== null)
    return each(found, ticket => ({ do: 'dispatch', ticket, ...(bot === undefined ? {} : { bot }) }));
  if (
    /[a-z]/.test(clause.plainRest.replaceAll(/\b(?:please|now|stp|svp|maintenant|work|le travail|ca)\b/g, ''))
  )
    return null;
  const { pick } = scene.memory;
  if (pick === null) return only(scene.words.needStart);
  return {
    acts: [{ do: 'dispatch', ticket: pick, ...(bot === undefined ? {} : { bot }) }],
    explicit: false,
    say: [],
  };
};
