/*
 * Whole messages that are nothing but assent, or nothing but a wish to stop, in English and French. Anything more than
 * these very words, a question mark or a quotation is no assent: it is text.
 */

const ENGLISH =
  "confirm|confirmed|i confirm|yes|y|ok|okay|proceed|go ahead|looks good|lgtm|approve|approved|accept|accepted|correct|yes that is what i mean|yes that's what i mean";
const FRENCH =
  "oui|d'accord|oui d'accord|je confirme|confirme|confirmer|c'est bon|oui c'est bon|c'est ca|oui c'est ca|oui c'est ce que je veux dire|vas-y|allez-y|valide|je valide|approuve|j'approuve|accepte|j'accepte|exact|c'est exact";

const ASSENT: ReadonlySet<string> = new Set(`${ENGLISH}|${FRENCH}`.split('|'));
const STOP: ReadonlySet<string> = new Set(
  'stop|cancel|arrete|arretez|arreter|annule|annulez|annuler'.split('|'),
);

/** The words without accents, marks that end a sentence, and spaces that mean nothing; `null` when they ask or quote. */
function bare(text: string): string | null {
  if (/["“”«»`?؟？\n]/u.test(text.trim())) return null;
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/[.,;:!…]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Whether the whole message is assent and nothing else. */
export function isAssent(text: string): boolean {
  const words = bare(text);
  return words !== null && ASSENT.has(words);
}

/** Whether the whole message says to stop and nothing else. */
export function isStop(text: string): boolean {
  const words = bare(text);
  return words !== null && STOP.has(words);
}
