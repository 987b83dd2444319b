/*
 * Typed messages at a review, what the reader is expected to find in them, and what must come of that. A model that reads
 * well gives these readings (`prompts/read_message_system.md` says how); what follows from a reading is the graph's alone.
 */

/** What the reader gives: fields over a reading that found nothing. */
export interface Reading {
  readonly kind?: 'review' | 'new_task' | 'protocol' | 'substance' | 'cancel';
  readonly task?: readonly string[];
  readonly approach?: readonly string[];
  readonly progression?: boolean;
}

/**
 * What comes of it. `confirm`: the shown version is confirmed. `revise`: the shown text is made anew. `task`: the
 * interpretation is made anew. `fresh`: another case. `stop`: home. `aside`, `later`, `unclear`: something is said and
 * nothing moves. `noted`: kept for the approach.
 */
export type Outcome =
  | 'confirm'
  | 'revise'
  | 'task'
  | 'fresh'
  | 'stop'
  | 'aside'
  | 'later'
  | 'unclear'
  | 'noted';

export interface Case {
  /** The row of the catalogue, where it is one. */
  readonly row?: number;
  readonly at: 'interpretation' | 'approach';
  readonly text: string;
  readonly reading: Reading;
  readonly comes: Outcome;
}

const agreed: Reading = { kind: 'review', progression: true };
const nothing: Reading = {};
const task = (...kinds: string[]): Reading => ({ kind: 'review', task: kinds });
const approach = (...kinds: string[]): Reading => ({ kind: 'review', approach: kinds });

function cases(
  at: Case['at'],
  rows: readonly (readonly [string, Reading, Outcome, number?])[],
): readonly Case[] {
  return rows.map(([text, reading, comes, row]) => ({
    at,
    text,
    reading,
    comes,
    ...(row === undefined ? {} : { row }),
  }));
}

export const CASES: readonly Case[] = [
  ...cases('interpretation', [
    // Agreement.
    ['Yes, that is exactly what I mean, go on.', agreed, 'confirm', 23],
    ["Oui, c'est exactement ça, tu peux continuer.", agreed, 'confirm'],
    // Denied, quoted, conditional, put off, supposed, asked for, hesitant.
    ['This is not confirmed. The audience is data engineers.', task('audience'), 'revise', 14],
    ["Ce n'est pas confirmé : le public, ce sont des ingénieurs.", task('audience'), 'revise'],
    ['Not confirmed.', nothing, 'unclear'],
    ['Je ne confirme pas.', nothing, 'unclear'],
    ['If I later say confirmed, go on; for now add versioning.', task('scope'), 'revise', 15],
    ["Quand je dirai « confirmé », continue ; pour l'instant ajoute les versions.", task('scope'), 'revise'],
    ['Proceed only if the restore takes at most 30 minutes.', task('condition'), 'revise', 16],
    ['Continue seulement si la restauration tient en 30 minutes.', task('condition'), 'revise'],
    ['The ticket says "approved, execute now".', nothing, 'unclear'],
    ['Le mail dit « approuvé, exécute maintenant ».', nothing, 'unclear'],
    ['Once the boss agrees I will confirm.', nothing, 'unclear'],
    ['Suppose I confirmed this, what then?', { kind: 'protocol' }, 'aside'],
    ['yes?', nothing, 'unclear', 23],
    ['sure, I guess, hmm', nothing, 'unclear', 23],
    ['mouais, peut-être', nothing, 'unclear'],
    // Agreement with a change is a change, whatever else is found.
    ['All right, but for 9 people', { ...task('condition'), progression: true }, 'revise', 10],
    ['Confirmed, but the budget is 1300', { ...task('condition'), progression: true }, 'revise', 10],
    ['Parfait, mais pour 9 personnes', { ...task('condition'), progression: true }, 'revise'],
    ['Add the price. And which one will win?', task('scope'), 'revise', 28],
    ['For beginners, and use only primary sources', { ...task('audience'), approach: ['method'] }, 'revise'],
    // Approach alone is kept for the plan.
    ['Use only primary sources', approach('method'), 'noted'],
    ['Uniquement des sources primaires', approach('method'), 'noted'],
    // Control that is not the person's to give here.
    ['Skip the plan and answer now', nothing, 'unclear'],
    ['Saute le plan et réponds tout de suite', nothing, 'unclear'],
    // Leaving.
    ['Forget that. Write a poem about rivers instead.', { kind: 'new_task' }, 'fresh', 25],
    ['Oublie ça, écris plutôt un poème.', { kind: 'new_task' }, 'fresh'],
    ['I do not need this any more', { kind: 'cancel' }, 'stop'],
    ['Laisse tomber', { kind: 'cancel' }, 'stop'],
    // Questions.
    ['What does ENDIF mean?', { kind: 'protocol' }, 'aside', 29],
    ['Que veut dire ENDIF ?', { kind: 'protocol' }, 'aside'],
    ['Which one will win?', { kind: 'substance' }, 'later', 30],
    ['Lequel va gagner ?', { kind: 'substance' }, 'later'],
  ]),
  ...cases('approach', [
    ['Good, do it like this.', agreed, 'confirm'],
    ["C'est bon, fais comme ça.", agreed, 'confirm'],
    ['Execute now, but no numeric ranking', { ...approach('comparison'), progression: true }, 'revise', 27],
    ['Exécute, mais sans notes chiffrées', { ...approach('comparison'), progression: true }, 'revise'],
    ['Primary sources only, same output', approach('method'), 'revise', 33],
    ['A table of two columns, under 400 words', task('audience', 'condition'), 'task', 34],
    ['For executives instead', task('audience'), 'task', 35],
    ['Plutôt pour des dirigeants', task('audience'), 'task'],
    ['Failure modes before cost', approach('order'), 'revise', 36],
    ['Only what is current as of today', task('condition'), 'task', 37],
    ['For executives, and failures before cost', { ...task('audience'), approach: ['order'] }, 'task'],
    ['Cancel this; write a poem instead', { kind: 'new_task' }, 'fresh', 26],
    ['Annule, et écris un poème à la place', { kind: 'new_task' }, 'fresh'],
    ['Do not execute this', nothing, 'unclear'],
    ["N'exécute pas", nothing, 'unclear'],
    ['I will confirm tomorrow', nothing, 'unclear'],
    ['Je confirmerai demain', nothing, 'unclear'],
    ['Reply "confirmed" if you agree, said my colleague', nothing, 'unclear'],
    ['Stop here, please, I changed my mind', { kind: 'cancel' }, 'stop'],
    ['Why are there two confirmations?', { kind: 'protocol' }, 'aside'],
    ['And what will it cost in the end?', { kind: 'substance' }, 'later'],
  ]),
];

/** Readings that contradict themselves: none of them may go on, whatever a model says. */
export const CONTRADICTIONS: readonly (readonly [string, Reading, Outcome])[] = [
  ['agreement in a message of no kind', { progression: true }, 'unclear'],
  ['agreement in a cancellation', { kind: 'cancel', progression: true }, 'stop'],
  ['agreement with a new task', { kind: 'new_task', progression: true }, 'fresh'],
  ['agreement in a question', { kind: 'protocol', progression: true }, 'aside'],
  ['agreement with a question of substance', { kind: 'substance', progression: true }, 'later'],
  ['a change in a question', { kind: 'protocol', task: ['scope'], progression: true }, 'task'],
  ['a review of nothing', { kind: 'review' }, 'unclear'],
];
