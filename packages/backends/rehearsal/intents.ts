import type { BackendEvent } from '@hearth/engine/backend.ts';
import { assign } from './commands/assign.ts';
import { close } from './commands/close.ts';
import { comment } from './commands/comment.ts';
import { create } from './commands/create.ts';
import { dispatch } from './commands/dispatch.ts';
import { label } from './commands/label.ts';
import { move } from './commands/move.ts';
import type { CommandName } from './grammar.ts';
import { denial } from './grammar.ts';
import type { Outcome } from './outcome.ts';
import type { Planner } from './plan.ts';
import { greet } from './questions/greet.ts';
import { labelled, list } from './questions/list.ts';
import { help, leave, standby, unknown } from './questions/remarks.ts';
import { shortlist } from './questions/shortlist.ts';
import { mentioned, show } from './questions/show.ts';
import { sweep } from './questions/sweep.ts';
import type { Reading } from './reading.ts';
import type { Scene } from './scene.ts';

/*
 * The table of intents: everything the rehearsal understands. Commands are recognised by `grammar.ts`, since they count
 * only where a clause begins, and are planned before they are made; the rest is tried here in order.
 */

/** Answers a text; `null` when it turns out not to be meant. */
export type Question = (scene: Scene, heard: Reading) => AsyncGenerator<BackendEvent, Outcome | null>;

/** How each command is planned. `end` changes nothing on the board and is not among them. */
export const planners: Readonly<Record<Exclude<CommandName, 'end'>, Planner>> = {
  create,
  move,
  label,
  assign,
  comment,
  close,
  dispatch,
};

/** One row: a name, the words by which it is recognised in both languages, and what answers it. */
export interface Intent {
  readonly name:
    | 'sweep'
    | 'shortlist'
    | 'leave'
    | 'show'
    | 'help'
    | 'list'
    | 'standby'
    | 'greet'
    | 'mentioned'
    | 'labelled'
    | 'unknown';
  readonly en: RegExp;
  readonly fr: RegExp;
  readonly answer: Question;
}

const anything = /(?:)/;

/** The rows, in the order in which they are tried; the first that answers is taken. */
export const intents: readonly Intent[] = [
  {
    name: 'sweep',
    en: /\b(?:obsolete|outdated|out of date|stale|already (?:been )?(?:done|fixed|implemented|finished|shipped|delivered|merged|solved|resolved|addressed|there)|(?:have|has) been (?:done|fixed|implemented|shipped)|no longer (?:needed|relevant|useful|necessary)|clean ?up|sweep|housekeeping|can be closed|(?:can|could|should) (?:i|we) close|to close)\b/,
    fr: /\b(?:obsoletes?|perimee?s?|depassee?s?|caducs?|caduques?|deja (?:ete )?(?:faite?s?|finie?s?|corrigee?s?|livree?s?|terminee?s?|implementee?s?|reglee?s?|resolue?s?|traitee?s?|en place|code)|plus (?:d actualite|utiles?|necessaires?)|(?:est|sont) plus pertinente?s?|menage|nettoyage|nettoyer|nettoie|a (?:fermer|cloturer|clore))\b/,
    answer: sweep,
  },
  {
    name: 'leave',
    en: new RegExp(
      `${denial.source}.*\\b(?:close|delete|move|touch|change|create|add|assign|label|comment|dispatch|start|launch|end|remove|do)\\b`,
    ),
    fr: new RegExp(
      `(?:${denial.source}.*)?\\b(?:ferme[rz]?|supprime[rz]?|deplace[rz]?|touche[rz]?|change[rz]?|cree[rz]?|ajoute[rz]?|assigne[rz]?|commente[rz]?|lance[rz]?|termine[rz]?|fais|faire) (?:pas|jamais|rien)\\b`,
    ),
    answer: leave,
  },
  {
    name: 'show',
    en: /^(?:(?:the|le|la|ticket|number|numero) )*\d+(?: [?.!])?$|\b(?:show|describe|explain|details?|tell (?:me|us)(?: more)? about|look at|open|what (?:is|s|about)|more (?:on|about)|info(?:rmation)?)\b/,
    fr: /\b(?:montre[rz]?|affiche[rz]?|detaille[rz]?|details?|decris|decrire|ouvre|ouvrir|explique[rz]?|parle[rz]? moi|c est quoi|qu est ce que|en savoir plus|infos?|dis m en)\b/,
    answer: show,
  },
  {
    name: 'help',
    en: /^(?:help|help me|what can you do|what do you (?:know|understand|do)|how does this work|how do (?:i|you) .*)\b/,
    fr: /^(?:aide|aide moi|a l aide|que (?:sais|peux) tu(?: faire)?|qu est ce que tu (?:sais|peux) faire|tu (?:sais|peux) faire quoi|comment (?:ca marche|on|faire|je|tu|fermer|creer|faire pour)).*/,
    answer: help,
  },
  {
    name: 'shortlist',
    en: /\b(?:quick ?wins?|low hanging|(?:easy|easiest|small|smallest|quick|quickest|short|simple|simplest) (?:tickets?|tasks?|issues?|things?|ones?|wins?|fix(?:es)?)|short ?list|(?:most|more) (?:relevant|important|urgent|valuable|useful|pressing)|top (?:\d+|one|three|tickets?|priorit(?:y|ies)|of)|what (?:should|shall|do|could|can|would|must) (?:i|we|you) (?:do|tackle|work|start|pick|begin|take|fix|attack|recommend|suggest|focus)|what (?:s|is) (?:next|urgent|important)|what next|do next|what now|next (?:ticket|tickets|task|step|steps|up|thing)|priorit(?:y|ies|ise|ize)|recommend(?:ation|ations|ed)?|suggest(?:ion|ions|ed)?|where (?:do|should|shall|can) (?:i|we) (?:start|begin)|best (?:ticket|tickets|one|candidate|candidates)|(?:pick|choose|select) (?:a|an|one|some|something|for|me|up|the)|(?:which|what) (?:ones?|tickets?|issues?|tasks?) (?:should|shall|would|to|can|could)|start with|worth doing|urgent)\b/,
    fr: /\b(?:quick ?wins?|victoires? rapides?|gains? rapides?|(?:petite?s?|faciles?|simples?|rapides?|courte?s?) (?:tickets?|taches?)|(?:tickets?|taches?|trucs?|choses?) (?:les |la |le )?(?:plus )?(?:pertinente?s?|importante?s?|urgente?s?|prioritaires?|simples?|faciles?|rapides?|petite?s?|courte?s?|utiles?)|plus (?:pertinente?s?|importante?s?|urgente?s?|prioritaires?|simples?|faciles?|rapides?|utiles?)|priorites?|prioritaires?|prioriser|priorise|par (?:quoi|ou|lequel) (?:on |je |dois je |faut il )?(?:commence[rz]?|commencons|attaque[rz]?)|que (?:faire|dois je faire|faut il faire|faire ensuite|me (?:conseilles|recommandes|proposes) tu)|quoi (?:faire|attaquer|prendre|commencer)|(?:on|je) (?:fait|fais|attaque|prends|prend|commence) (?:quoi|par)|prochaine?s? (?:tickets?|taches?|etapes?)|et (?:ensuite|apres|maintenant)|propose[rz]?|proposes|suggere[rz]?|suggestions?|recommande[rz]?|recommandes|recommandations?|conseille[rz]?|conseilles|en premier|selection(?:ne)?|choisis|(?:sont|plus|tres) (?:faciles?|rapides?|simples?)|faciles?|rapides?|urgente?s?)\b/,
    answer: shortlist,
  },
  {
    name: 'list',
    en: /\b(?:list|lists|board|backlog|tickets?|issues?|tasks?|overview|status|summary|state of|how many|what (?:s|is) (?:open|there|left|in progress|blocked|ready|in review)|everything|in progress|blocked|open)\b/,
    fr: /\b(?:listes?|liste[rz]|tableau|tickets?|taches?|combien|etat|en cours|bloquee?s?|resume|apercu|ou en (?:est|sommes|etes)|le point|tout voir|ouverte?s?)\b/,
    answer: list,
  },
  {
    name: 'standby',
    en: /\b(?:done for (?:now|today)|that s (?:all|it)|nothing (?:else|more)|see you|later|bye|goodbye|good night|thanks|thank you|cheers|no thanks|not now|enough|pause|take a break|be right back|brb)\b/,
    fr: /\b(?:a plus(?: tard)?|plus tard|a bientot|a demain|a tout a l heure|a toute|au revoir|bonne (?:nuit|soiree|journee)|c est (?:tout|bon)|rien d autre|ca suffi(?:t|ra)|merci|pas maintenant|non merci|fini pour (?:aujourd hui|le moment|l instant)|pause|on arrete la)\b/,
    answer: standby,
  },
  {
    name: 'greet',
    en: /^(?:hi|hello|hey|yo|good (?:morning|afternoon|evening)|greetings|howdy|what s up|nexie)\b/,
    fr: /^(?:bonjour|salut|coucou|bonsoir|hello|yo|ca va|quoi de neuf|hola)\b/,
    answer: greet,
  },
  { name: 'mentioned', en: anything, fr: anything, answer: mentioned },
  { name: 'labelled', en: anything, fr: anything, answer: labelled },
  { name: 'unknown', en: anything, fr: anything, answer: unknown },
];
