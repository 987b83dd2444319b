import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { quotations } from '../reading.ts';

const saying =
  /(?:\b(?:saying|that says|which says|disant|qui dit|pour dire)(?:\s+that|\s+que|\s+qu['’])?\s*:?|:)\s*(.+)$/is;

/** "comment on HB-4: …", "ajoute un commentaire sur HB-4 disant que …". */
export const comment: Planner = async function* (scene, clause) {
  const [plain = ''] = clause.plainRest.split(/ ?: | saying | disant /, 1);
  const found = yield* meant(scene, clause, { plain, titleWords: 2 });
  if (found === null || !areTargets(found)) return found;
  const body = bodyIn(clause.rest);
  if (body === null) return only(scene.words.needComment(found.ids[0] ?? 'HB-1'));
  return each(found, ticket => ({ do: 'comment', ticket, body }));
};

/** What the comment says: after a colon or "saying", in quotes, or simply after the ticket's id. */
export function bodyIn(rest: string): string | null {
  const after = saying.exec(rest)?.[1]?.trim();
  const whole =
    after ?? quotations(rest)[0] ?? /\bHB[-_ ]?\d+\s+(?!and\b|et\b|,)(.+)$/is.exec(rest)?.[1]?.trim() ?? '';
  const bare = whole.replace(/^["«“]\s*([^"»”]*?)\s*["»”]$/s, '$1');
  return bare === '' ? null : bare;
}
