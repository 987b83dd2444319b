/*
 * What tools say when they refuse, in French. They say it in English, to models and people alike; one that is not known
 * here stays as it is.
 */

const known: readonly (readonly [RegExp, string])[] = [
  [
    /^The workspace is not a git repository\b.*$/s,
    "le dossier de travail n'est pas un dépôt git, il n'y a donc pas d'historique à lire.",
  ],
  [/^git refuses this repository\b.*$/s, "git refuse ce dépôt, parce qu'il appartient à quelqu'un d'autre."],
  [/^git is not installed here\b.*$/s, "git n'est pas installé ici, il n'y a donc pas d'historique à lire."],
  [/^git could not read the history\b.*$/s, "git n'a pas pu lire l'historique du dossier de travail."],
  [/^The workspace cannot be read\.$/, 'le dossier de travail ne peut pas être lu.'],
  [/^There is no ticket (\S+); the board is empty\.$/, "il n'y a pas de ticket $1 ; le tableau est vide."],
  [
    /^There is no ticket (\S+) on this board; the nearest are (.+)\.$/,
    "il n'y a pas de ticket $1 sur ce tableau ; les plus proches sont $2.",
  ],
  [/^There is no ticket (\S+?)\.$/, "il n'y a pas de ticket $1."],
  [/^A ticket needs a title\b.*$/, "un ticket a besoin d'un titre ; donnez-lui-en un court."],
  [/^A comment needs words\b.*$/, 'un commentaire a besoin de mots.'],
];

/** The French of what a tool said. */
export function translated(why: string): string {
  const row = known.find(([pattern]) => pattern.test(why));
  return row === undefined ? why : why.replace(row[0], row[1]);
}
