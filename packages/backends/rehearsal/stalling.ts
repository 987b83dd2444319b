import type { Json } from '@hearth/protocol/json.ts';
import { fold } from './words.ts';

/*
 * Which value of an enumeration a rehearsed bot answers with. A workflow may take the next step on it, so it is one that
 * holds things where they are, the first of the list below; else one that turns progress down ("do_not_deploy"); else
 * one that does not sound like progress. Only an enumeration of nothing but progress gets its first value.
 */

/** Values that hold things where they are, the best first. */
const stalling =
  `hold on_hold stop later defer deferred postpone wait waiting reject rejected refuse refused deny denied none none_of_these no
never pending unclear unknown undecided skip cancel cancelled abort pause keep other failed`
    .split(/\s+/)
    .map(one => one.replaceAll('_', ' '));

const progress =
  /(?:^| )(?:y|yes|true|ok|okay|go|deploy|approved?|accept(?:ed)?|confirm(?:ed)?|done|merged?|ship(?:ped)?|publish(?:ed)?|released?|continue|proceed|next|start(?:ed)?|begin|run|advance|promote|completed?|finish(?:ed)?|closed?|pass(?:ed)?|success|succeeded|ready|launch|execute|apply|send|deleted?|remove|allow(?:ed)?|grant(?:ed)?|resolved?|lgtm|oui|valide[rz]?|deployer|approuve[rz]?|accepte[rz]?|confirme[rz]?|publier|continuer|suivant|fait|termine[rz]?)(?= |$)/;
const refusing =
  /(?:^| )(?:not?|never|dont|don t|without|hold|stop|wait|defer|reject|cancel|needs?|ne|pas|non)(?= |$)/;

/** The value that sounds least like progress. */
export function stalled(values: readonly Json[]): Json {
  const rows = values.map(value => ({ value, words: worded(value) }));
  const found =
    stalling.map(one => rows.find(({ words }) => words === one)).find(row => row !== undefined) ??
    rows.find(({ value }) => value === null || value === false) ??
    rows.find(({ words }) => refusing.test(words)) ??
    rows.find(({ value, words }) => value !== true && !progress.test(words)) ??
    rows[0];
  return found?.value ?? null;
}

function worded(value: Json): string {
  if (typeof value !== 'string') return '';
  const apart = value.normalize('NFC').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return fold(apart)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
