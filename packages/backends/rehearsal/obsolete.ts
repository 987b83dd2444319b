import type { BoardTicket, Commit } from './board-reading.ts';
import { fold, stem, stems, telling, written } from './words.ts';

/*
 * Which open tickets the history shows to be done. Precision before completeness: a ticket is called obsolete only when a
 * commit names it, or shares at least two telling words that cover most of its title and points the same way. One commit
 * counts by its words for one ticket only, the one it covers best.
 */

/** The commit that speaks for a ticket being done. `words` is empty when the commit names the ticket. */
export interface Evidence {
  readonly ticket: BoardTicket;
  readonly commit: Commit;
  readonly words: readonly string[];
}

/** Evidence for the open tickets, in the board's order; `commits` newest first. */
export function obsolete(tickets: readonly BoardTicket[], commits: readonly Commit[]): Evidence[] {
  const open = tickets.filter(ticket => ticket.state !== 'done');
  const standing = commits.filter(commit => !isUnfinished(commit.subject) && !isReverted(commit, commits));
  const byWords = wordEvidence(open, standing, commits);
  return open.flatMap(ticket => {
    const naming = standing.find(commit => names(commit, ticket.id));
    if (naming !== undefined) return [{ ticket, commit: naming, words: [] }];
    return byWords.get(ticket.id) ?? [];
  });
}

/** What says that the work is not over, wherever it stands. */
const unfinished =
  /\b(?:wip|todo|to do|fixme|later|part of|first step|steps? towards?|towards|partially|partial (?:fix|work|implementation)|start (?:on|of|work)|started|preparation|blocked (?:by|on|until)|waiting (?:for|on)|depends on|do not|don t|does not|doesn t|not (?:yet|done|finished|ready)|instead of|unlike|en cours|debut de|premiere etape|partiellement|plus tard|a faire|pas encore|pas (?:fini|termine|pret|fait|toucher)e?s?|ne (?:[a-z]+ ){0,3}pas|bloquee? par|en attente|depend de)\b/;
/** What says so as the verb of the subject, or right before or behind a ticket's id. */
const begun =
  /^(?:wip|draft|revert|merge (?:branch|pull|remote)|fixup|squash)\b|(?:^|: |hb \d+ )(?:start|begin|began|plan|prepare|prep|schedule|explore|investigate|spike|draft|sketch|commence|commencer|debut|debute|demarre|demarrer|prepare|preparer|prevoit|prevoir|planifie|planifier|ebauche|brouillon)[sdrz]?(?:ing|ning|ed)?\b/;
/** What a body names besides: other work, or work to come. */
const besides =
  /\b(?:see|refs?|related|relates|follow[- ]?up|cf|voir|next|before|after|until|unless|requires|needs)\b/;

function isUnfinished(text: string): boolean {
  const plain = fold(text.normalize('NFC'))
    .replaceAll(/[^a-z0-9:]+/g, ' ')
    .replaceAll(/ ?: ?/g, ': ')
    .trim();
  return unfinished.test(plain) || begun.test(plain) || begun.test(plain.replaceAll(/\b(hb \d+): /g, '$1 '));
}

function isReverted(commit: Commit, commits: readonly Commit[]): boolean {
  const later = commits.slice(0, commits.indexOf(commit));
  return later.some(
    one =>
      /^revert\b/i.test(one.subject) &&
      (one.subject.includes(`"${commit.subject}"`) ||
        one.body.includes(`reverts commit ${commit.hash.slice(0, 12)}`)),
  );
}

function names(commit: Commit, id: string): boolean {
  const pattern = new RegExp(`(?<![a-z0-9-])${id}(?![0-9])(?!-\\d)`, 'i');
  if (pattern.test(commit.subject)) return true;
  return commit.body
    .split(/\n|(?<=[.;]) /)
    .some(line => pattern.test(line) && !isUnfinished(line) && !besides.test(fold(line.normalize('NFC'))));
}

/** What kind of change a title or subject speaks of, by its verb: a bug in a feature is not done because the feature is. */
const kinds: readonly { readonly kind: string; readonly verbs: ReadonlySet<string> }[] = [
  { kind: 'remove', verbs: verbs('remove delete drop kill deprecate supprimer retirer enlever') },
  {
    kind: 'fix',
    verbs: verbs(
      'fix fixes fixed bug repair correct crash crashes broken breaks wrong fails failing failure corriger reparer plante plantage casse hotfix',
    ),
  },
  { kind: 'document', verbs: verbs('document documentation docs doc readme documenter') },
  { kind: 'test', verbs: verbs('test tests tester') },
  {
    kind: 'add',
    verbs: verbs(
      'add adds feat feature introduce implement create support allow enable build ship ajouter ajout creer permettre implementer nouveau nouvelle',
    ),
  },
];

function verbs(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(stem));
}

function kindOf(text: string): string | null {
  const words = stems(text);
  return kinds.find(({ verbs: known }) => words.some(word => known.has(word)))?.kind ?? null;
}

/** How much of a title must be covered: less when both plainly speak of the same kind of change. */
const COVERED_SAME = 0.6;
const COVERED = 0.75;
const WORDS = 2;
/** How much of a commit's body is compared. */
const BODY = 400;

function wordEvidence(
  tickets: readonly BoardTicket[],
  standing: readonly Commit[],
  commits: readonly Commit[],
): Map<string, Evidence> {
  const rare = rarity(tickets, commits);
  const found = new Map<string, Evidence>();
  for (const commit of standing) {
    if (tickets.some(ticket => names(commit, ticket.id))) continue;
    const subject = new Set(telling(commit.subject));
    const message = `${commit.subject}\n${commit.body.slice(0, BODY)}`;
    const whole = new Set(telling(message));
    const kind = kindOf(commit.subject);
    let best: { readonly score: number; readonly evidence: Evidence } | null = null;
    for (const ticket of tickets) {
      const about = telling(ticket.title);
      const shared = about.filter(word => whole.has(word) && rare(word));
      const own = kindOf(ticket.title);
      if (shared.length < WORDS || !shared.some(word => subject.has(word))) continue;
      if (own !== null && kind !== null && own !== kind) continue;
      const covered = shared.length / about.length;
      if (covered < (own !== null && own === kind ? COVERED_SAME : COVERED)) continue;
      const score = covered * 100 + shared.length;
      if (best === null || score > best.score)
        best = { score, evidence: { ticket, commit, words: written(message, shared) } };
    }
    if (best !== null && !found.has(best.evidence.ticket.id))
      found.set(best.evidence.ticket.id, best.evidence);
  }
  return found;
}

/** A word tells something when few tickets and few commits have it: the project's own name does not. */
function rarity(tickets: readonly BoardTicket[], commits: readonly Commit[]): (word: string) => boolean {
  const inTickets = counted(tickets.map(ticket => ticket.title));
  const inCommits = counted(commits.map(commit => commit.subject));
  const mostTickets = Math.max(2, tickets.length * 0.2);
  const mostCommits = Math.max(3, commits.length * 0.1);
  return word => (inTickets.get(word) ?? 0) <= mostTickets && (inCommits.get(word) ?? 0) <= mostCommits;
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of telling(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
