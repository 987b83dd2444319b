/*
 * Words as the rehearsal compares them: lower case, without accents, without endings. Pure, and the same for English and
 * French, because tickets and commits mix the two.
 */

/** Lower case without accents, unit for unit, so that offsets in the result are offsets in the (NFC) text. */
export function fold(text: string): string {
  let folded = '';
  for (const unit of text.split('')) {
    const low = unit.toLowerCase().normalize('NFD').charAt(0);
    folded += low === '' ? unit : low;
  }
  return folded;
}

/** Takes plural and verb endings off a folded word: `exports`, `exporting`, `exporter` and `export` are one. */
export function stem(word: string): string {
  const singular = word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
  const bare = singular.replace(/(ing|ed|er|ez|ee|e)$/, '');
  return bare.length >= 4 ? bare : singular;
}

/** The stems of a text, in order, each once; words of one or two characters and bare numbers are left out. */
export function stems(text: string): string[] {
  const words = fold(text.normalize('NFC')).match(/[a-z0-9]+/g) ?? [];
  return [...new Set(words.filter(word => word.length > 2 && !/^\d+$/.test(word)).map(stem))];
}

/** Words that say nothing about what a ticket or a commit is about. */
const common =
  `the and for with from into that this these those when where what which who how are was were been has have had not but all
any can cannot could should would will may must our your their its his her them they than then there here also only just even
more most less very too again still already now new old other same each every per via out off over under after before while
about between without within during upon make makes let lets get gets set sets use uses using used add adds added adding fix
fixes fixed fixing bug bugs issue issues ticket tickets task tasks story feature features feat chore update updates updated
change changes changed improve improves improved remove removes removed delete drop create creates created implement
implements support supports allow allows enable enables handle handles handling ensure check checks refactor clean cleanup
rename move moved page pages file files code test tests testing doc docs documentation document readme error errors work works
working thing things stuff better small minor quick wip todo merge merged branch pull request commit release version bump
user users app application project system data item items list show shows button text first last next one two three part done
start started prepare way problem problems broken wrong please need needs want wants like
les des une aux dans pour par sur avec sans sous est sont etre avoir fait faire faut pas plus moins tres tout tous toute toutes
que qui quoi dont mais donc car son ses leur leurs notre votre nos vos ces cet cette ceux celui celle deja encore aussi bien
comme entre apres avant pendant lors quand afin ajout ajouter ajoute ajoutee corriger corrige correction correctif supprimer
supprime suppression modifier modifie modification changer mettre mise jour creer cree creation permettre permet gerer gestion
nouveau nouvelle nouveaux ancien ancienne petit petite fichier fichiers bouton texte liste utilisateur utilisateurs
erreur erreurs probleme problemes tache taches projet donnees premier premiere dernier derniere partie rendre ameliorer
amelioration implementer implemente utiliser utilise verifier marche fonctionne`.split(/\s+/);

const commonStems: ReadonlySet<string> = new Set(common.map(word => stem(word)));

/** The words of a text exactly as they are written in it, for given stems of it. */
export function written(text: string, chosen: readonly string[]): string[] {
  const composed = text.normalize('NFC');
  const words = [...fold(composed).matchAll(/[a-z0-9]+/g)].map(({ 0: word, index }) => ({ word, index }));
  return chosen.flatMap(one => {
    const found = words.find(({ word }) => stem(word) === one);
    return found === undefined ? [] : [composed.slice(found.index, found.index + found.word.length)];
  });
}

/** What a text is about: its stems without the common ones and without ticket ids. */
export function telling(text: string): string[] {
  return stems(text.replaceAll(/\bHB[-_ ]?\d+/gi, ' ')).filter(word => !commonStems.has(word));
}
