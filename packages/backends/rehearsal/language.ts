import { heard } from './clauses.ts';
import { readable, reading } from './reading.ts';

/** The languages that the rehearsal answers in. */
export type Language = 'en' | 'fr';

/*
 * Tells French from English by words that only one of them has. Ticket ids, labels and titles are no words of a
 * language; quoted text is left out because a French sentence often quotes an English title.
 */

const telltale: Readonly<Record<Language, ReadonlySet<string>>> = {
  fr: new Set(
    `le la les un une des du de au aux et est sont ce cet cette ces je tu il elle nous vous ils moi toi mon ma mes ton ta tes
notre nos votre vos que qui quoi quel quelle quels quelles ou comment pourquoi combien avec sans pour par sur dans chez pas plus
ne bonjour salut bonsoir coucou merci svp stp oui non aide indique montre affiche liste donne ferme fermez fermer cree creer
ajoute ajouter deplace deplacer mets mettre passe passer assigne attribue commente commenter etiquette lance lancer termine
terminer rouvre bloque debloque propose recommande conseille faire fais fait faut dois peux peut deja encore
aussi tous toutes tout premier premiere deuxieme troisieme dernier rapide rapides facile faciles petit petits pertinents 
priorites priorite prioritaire prioritaires obsoletes perimes jour etat tableau cours pret revue puis ensuite voici
parle decris explique supprime supprimer efface vire cloture demain bientot revoir c d j l m n qu s t y 
commencer tache taches veuillez voudrais veux ceux celui celle clore clos cloturer cloturez fermait fermais ferm fermes fermons
arrete arreter arretons quitte quittons finis finir seance assigner assignez desassigne reassigne attribuer confie confier
affecte affecter delegue donner dispatche dispatcher demarre demarrer attaque attaquer envoie envoyer execute executer
commence bouge bouger bascule remets rouvrir debloquer bloquer bloquee bloques efface effacer virer jette detruis vide vider
marque etiqueter retire retirer enleve enlever ote colle pose appose laisse poste ecris note redige enregistre nouveau nouvelle
resume apercu resous archive archiver voir affiches montrer afficher lister detaille details decrire ouvre ouvrir expliquer
fichier boite fini finie finis faite faites caduc caducs menage nettoyage nettoyer nettoie gain gains victoire victoires
suggere selectionne choisis quelconque responsable proprietaire chose choses truc trucs attends annule finalement salut
hein fin ca cela rien jamais personne lequel laquelle lesquels lesquelles soit ensuite vas allez traduis raconte chante`.split(
      /\s+/,
    ),
  ),
  en: new Set(
    `the an and is are was were be been this that these those i you he she we they it its me my your our their what which who
how why where when with without for by from into to of not no yes hello hi hey thanks thank please help show list give close
create add move put set assign comment label tag start run open reopen block unblock suggest recommend do does did done
already some any all every first second third last small easy most relevant important should can could would next
outdated stale priorities priority board state session end tell about there have has anything everything let s now
later bye goodbye morning afternoon evening up on in at as then also just finish delete remove dispatch ready progress`.split(
      /\s+/,
    ),
  ),
};

/** "Comment on ferme" asks how; "comment on HB-4" is English. */
const frenchHow = /^comment (?:on|je|tu|ca|faire|[a-z]+er)\b(?! (?:hb|#|the|it|this))/;

const known = (word: string) => telltale.fr.has(word) || telltale.en.has(word);

/** The language of the words, or `null` when they tell nothing. */
export function languageOf(text: string): Language | null {
  const unquoted = withoutQuotes(readable(text));
  const accented = /[àâçèêëîïôùûœ]|\bé|é\b/i.test(unquoted) ? 1 : 0;
  const plain = reading(unquoted).plain;
  const words = (plain.match(/[a-z]+/g) ?? []).map(word => (known(word) ? word : heard(word).plain));
  const count = (language: Language) => words.filter(word => telltale[language].has(word)).length;
  const french = count('fr') + accented + (frenchHow.test(plain) ? 1 : 0);
  const english = count('en');
  if (french === english) return null;
  return french > english ? 'fr' : 'en';
}

/** `preferred` is the session's language; what comes after a colon decides only when the words before it do not. */
export function spoken(text: string, preferred: Language | null): Language {
  const [head = ''] = readable(text).split(/:\s/, 1);
  return languageOf(head) ?? languageOf(text) ?? preferred ?? 'en';
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/«[^»]*»|“[^”]*”|"[^"]*"/g, ' ');
}
