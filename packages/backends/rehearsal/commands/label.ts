import type { Clause } from '../clauses.ts';
import { areTargets, each, meant, only, type Planner } from '../plan.ts';
import { quotations } from '../reading.ts';
import { fold } from '../words.ts';

const noise =
  /^(?:the|a|an|as|with|to|on|of|from|for|and|or|it|them|this|that|these|those|one|both|label|labels|tag|tags|ticket|tickets|issue|issues|please|set|add|remove|hb|le|la|les|l|un|une|des|de|du|d|a|au|aux|sur|avec|comme|et|etiquette|etiquettes|ce|cette|ces|celui|ci|stp|svp|first|second|third|last|premier|premiere|deuxieme|second|seconde|troisieme|dernier|all|tous|toutes|named|called|nomme|nommee|also|aussi)$/;
/** Words that name no label. */
const nothing = /^(?:nothing|none|anything|something|rien|aucune?|quelque-chose|no-labels?)(?:-|$)|^no$/;

/** "label HB-4 as bug", "retire l'étiquette docs de HB-4". Several labels are separated by commas or "and". */
export const label: Planner = async function* (scene, clause) {
  const plain = clause.ordered.replace(/^[a-z]+ /, '').replace(/ (?:as|with|en|avec|comme) .*$/, '');
  const found = yield* meant(scene, clause, { plain, titleWords: 2 });
  if (found === null || !areTargets(found)) return found;
  const removing = /^(?:remove|drop|delete|take|clear|untag|unlabel|retire|enleve|supprime|ote)/.test(
    clause.ordered,
  );
  const labels = labelsSaid(clause);
  if (labels.length === 0) return only(scene.words.needLabel);
  return each(found, ticket => ({
    do: 'label',
    ticket,
    add: removing ? [] : labels,
    remove: removing ? labels : [],
  }));
};

const introduced = /(?:^|\s)(?:as|with|en|avec|comme)\s+(.+)$/is;
const afterColon = /:\s*(\S.*)$/s;
const marked = /(?<!\S)#(\p{L}[\p{L}\d_:/-]*)/gu;
const direct =
  /^(?:(?:tickets?\s+)?(?:HB[-_ ]?|#)?\d+(?:(?:\s*,\s*|\s+(?:and|et)\s+)(?:HB[-_ ]?|#)\d+)*|it|this|that)\s+(.+)$/is;
/** Where a label ends that stands behind the word "label": "the label urgent to HB-5". */
const towards = /(?:^|\s)(?:to|on|onto|from|off|of|for|à|a|au|aux|sur|de|du|des)\s.*$/is;
const reason = /\s(?:because|since|car|parce|puisque)\s.*$/is;

/**
 * The labels of an order. They are told behind "as", "with", "en" or a colon, in quotes, with "#", next to the word
 * "label", or right behind an id; what else is left over is none.
 */
function labelsSaid({ ordered, rest: whole }: Clause): string[] {
  const rest = whole.replace(reason, '');
  const noun = !/^(?:re|un)?(?:label|tag)|^(?:etiquet|tague|labellise)/.test(ordered);
  const next = noun ? rest.replace(towards, '') : '';
  const before = noun ? (/^[a-z]+ (.*?) ?(?:labels?|tags?|etiquettes?)\b/.exec(ordered)?.[1] ?? '') : '';
  const told = [
    introduced.exec(rest)?.[1],
    afterColon.exec(rest)?.[1],
    quotations(rest).length > 0 ? rest : undefined,
    [...rest.matchAll(marked)].map(match => match[1]).join(', '),
    next,
    before,
    noun ? undefined : direct.exec(rest)?.[1],
  ];
  const labels = told.map(text => labelsOf(text ?? '')).find(list => list.length > 0) ?? [];
  const named = labels.every(one => one.split('-').length <= LABEL_WORDS && !nothing.test(one));
  return named ? labels : [];
}

/** Longer ones are sentences. */
const LABEL_WORDS = 3;

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
