import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { quotations } from '../reading.ts';
import { fold } from '../words.ts';

const noise =
  /^(?:the|a|an|as|with|to|on|of|from|for|and|or|it|them|this|that|these|those|one|both|label|labels|tag|tags|ticket|tickets|issue|issues|please|set|add|remove|hb|le|la|les|l|un|une|des|de|du|d|a|au|aux|sur|avec|comme|et|etiquette|etiquettes|ce|cette|ces|celui|ci|stp|svp|first|second|third|last|premier|premiere|deuxieme|second|seconde|troisieme|dernier|all|tous|toutes|named|called|nomme|nommee|also|aussi)$/;

/** "label HB-4 as bug", "retire l'étiquette docs de HB-4". Several labels are separated by commas or "and". */
export const label: Planner = async function* (scene, clause) {
  const found = yield* meant(scene, clause, { plain: clause.ordered.replace(/^[a-z]+ /, ''), titleWords: 2 });
  if (found === null || !areTargets(found)) return found;
  const removing = /^(?:remove|drop|delete|take|clear|untag|unlabel|retire|enleve|supprime|ote)/.test(
    clause.ordered,
  );
  const labels = labelsOf(`${verbObject(clause.ordered)} ${clause.rest}`);
  if (labels.length === 0) return only(scene.words.needLabel);
  return each(found, ticket => ({
    do: 'label',
    ticket,
    add: removing ? [] : labels,
    remove: removing ? labels : [],
  }));
};

/** What stands between "add" and "label": "add bug label to HB-4". */
function verbObject(ordered: string): string {
  return /^[a-z]+ (.*?) ?(?:labels?|tags?|etiquettes?)\b/.exec(ordered)?.[1] ?? '';
}

/** The labels that some words name, in kebab-case. */
export function labelsOf(text: string): string[] {
  const quoted = quotations(text);
  const parts = quoted.length > 0 ? quoted : text.split(/,|;|:|\band\b|\bet\b/i);
  const labels = parts.map(part =>
    (quoted.length > 0 ? part : part.replaceAll(/\bHB[-_ ]?\d+|#?\b\d+\b/gi, ' '))
      .split(/[^\p{L}\d_:/-]+/u)
      .filter(word => word !== '' && (quoted.length > 0 || !noise.test(fold(word.normalize('NFC')))))
      .join('-')
      .toLowerCase(),
  );
  return [...new Set(labels.filter(one => one !== '').map(one => one.slice(0, 64)))].slice(0, 8);
}
