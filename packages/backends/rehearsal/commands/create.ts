import type { Clause } from '../clauses.ts';
import type { Act } from '../memory.ts';
import { still } from '../outcome.ts';
import { only, type Plan, type Planner } from '../plan.ts';
import { quotations } from '../reading.ts';
import type { Scene } from '../scene.ts';
import { labelsOf } from './label.ts';

const opening =
  /^\s*(?:(?:called|named|titled|entitled|intitul[ée]e?s?|appel[ée]e?|nomm[ée]e?|with (?:the )?title|avec (?:le|pour) titre)\s*:?|(?:to|for|about|on|saying|that says|pour|sur|afin de|à propos de|qui dit)\s|:|[-–—]\s|d['’]|de\s|du\s)\s*/i;
const labelled =
  /[\s,]+(?:with|and|avec|et)?\s*(?:the |le |la |les |l['’])?(?:labels?|tags?|étiquettes?|etiquettes?)\s+(.+)$/i;

const toBoard = /\s+(?:to|on|au|dans le|sur le)\s+(?:the |my |our )?(?:board|backlog|tableau)[\s.!?]*$/i;

/** "create a ticket: …", "ajoute un ticket pour …", or several in a list of lines. New tickets go to the backlog. */
export const create: Planner = (scene, clause) => still(planned(scene, clause));

function planned(scene: Scene, clause: Clause): Plan {
  const lines = clause.rest
    .split('\n')
    .map(line => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+(?:\[.\]\s+)?/, '').trim());
  const [first = '', ...others] = lines;
  const listed = others.filter(line => line !== '');
  const head = titleIn(first);
  const several = head === null && listed.length > 0;
  const titles = several ? listed : head === null ? [] : [head.title];
  if (titles.length === 0) return only(scene.words.needTitle);
  const body = several ? '' : others.join('\n').trim();
  return {
    acts: titles.map(
      (title): Act => ({
        do: 'create',
        title: title.slice(0, 300),
        ...(body === '' ? {} : { body }),
        ...(head === null || head.labels.length === 0 ? {} : { labels: head.labels }),
      }),
    ),
    explicit: true,
    say: [],
  };
}

function titleIn(line: string): { title: string; labels: string[] } | null {
  const [quoted] = quotations(line);
  const label = labelled.exec(line);
  const labels = label?.[1] === undefined ? [] : labelsOf(label[1]);
  if (quoted !== undefined && !line.trimStart().startsWith(':')) return { title: quoted, labels };
  const bare = (label === null ? line : line.slice(0, label.index)).replace(/^\s*(?:please|stp|svp)\b/i, '');
  const title = bare
    .replace(opening, '')
    .replace(toBoard, '')
    .replace(/^["«“]\s*([^"»”]*?)\s*["»”][.!]?$/, '$1')
    .trim();
  return title === '' ? null : { title: title.charAt(0).toUpperCase() + title.slice(1), labels };
}
