import { fold } from './words.ts';

/*
 * How requests are worded. Patterns are matched against `Reading.plain`. A command counts only where a clause begins,
 * after words such as "please" or "peux-tu": "I closed HB-4", "should I close HB-4?" and "don't close HB-4" are none.
 * The patterns are tried from every comma, so none of them may repeat or look ahead without a bound.
 */

/** What a command does to the board; `end` ends the conversation's run instead. */
export type CommandName = 'end' | 'label' | 'comment' | 'assign' | 'create' | 'close' | 'move' | 'dispatch';

const lead = String.raw`(?:(?:please|pls|plz|kindly|ok|okay|yes|yep|sure|now|then|and|so|also|just|next|finally|first|hi|hello|hey|thanks|thank you|great|perfect|cool|well|good|nexie|(?:can|could|would|will) you|you can|i (?:want|need|d like|would like)(?: you)? to|let s|let us|go ahead and|go ahead|s il te plait|s il vous plait|stp|svp|merci de|merci|oui|d accord|bon|bien|alors|donc|maintenant|puis|et|ensuite|aussi|enfin|parfait|super|salut|bonjour|peux tu|tu peux|pourrais tu|tu pourrais|pouvez vous|vous pouvez|pourriez vous|veux tu|est ce que tu (?:peux|pourrais)|est ce que vous pouvez|veuillez|il faut|il faudrait|je (?:veux|voudrais|souhaite|aimerais)(?: que tu)?|allez|vas y|[,.!:;]) ){0,12}`;
/** How far behind a verb the word may stand that makes it a command. */
const within = '{0,300}';
const clitic = String.raw`(?:(?:le|la|les|l|me|moi|y|en) ){0,4}`;
/** French denies after the verb: "ferme pas". */
const denied = String.raw`(?! (?:pas|jamais|plus|rien|not|nothing|nobody)\b)`;

/** What must not follow `create a ticket` and its like: a ticket that is there already. */
const newOne = String.raw`(?! (?:hb |# |n |no |number |numero )?\d)`;
const number = String.raw`(?:a|an|another|one|some|two|three|four|five|\d+|un|une|des|deux|trois|quatre|cinq)`;
const ticketNoun = String.raw`(?:tickets?|issues?|tasks?|bugs?|cards?|story|stories|taches?|cartes?|fiches?)\b`;
const adjective = String.raw`(?:new |nouveau |nouvelle |nouveaux |nouvelles )?(?:(?!comment|label|tag|note|bot|etiquette)[a-z]+ )?`;
const between = String.raw`(?:(?!tickets? a|comments?|commentaires?|issues? a|taches? a|notes?|tasks? a)[a-z0-9"#]+ ){0,7}?`;
const stateWord = String.raw`\b(?:inbox|boite|trier|backlog|ready|todo|to do|prete?s?|a faire|in progress|doing|wip|en cours|en progression|review|revue|relecture|relire|done|closed|finished|completed?|fait|faite|finie?|terminee?|fermee?|clos|blocked|bloquee?|on hold|en attente)\b`;

interface Wording {
  readonly en: string;
  readonly fr: string;
}

/** The verbs of each command, in order: where two fit, the first is meant. */
const commandWording: Readonly<Record<CommandName, Wording>> = {
  end: {
    en: String.raw`(?:we can )?(?:end|close|finish|terminate|stop|quit|exit|leave) (?:the |this |our |my |that )?(?:whole )?(?:session|conversation|chat|discussion)\b`,
    fr: String.raw`(?:on peut |on )?(?:ferme[rz]?|fermes|fermons|termine[rz]?|termines|terminons|clos|clore|cloture[rz]?|cloturons|arrete[rz]?|arretons|finis|finir|finissons|finissez|quitte[rz]?|quittons|mets fin a|mettre fin a|met fin a|mettons fin a|mettez fin a|fin de) (?:la |cette |notre |ma |l )?(?:session|conversation|discussion|seance)\b`,
  },
  label: {
    en: String.raw`(?:label|tag|relabel|untag|unlabel)\b|(?:add|put|set|apply|attach|stick|give|remove|drop|delete|take|clear) ${between}(?:labels?|tags?)\b`,
    fr: String.raw`(?:etiquette[rz]?|tague[rz]?|labellise[rz]?)\b|(?:ajoute[rz]?|mets|mettre|mettez|pose[rz]?|colle[rz]?|appose[rz]?|donne[rz]?|retire[rz]?|enleve[rz]?|supprime[rz]?|ote[rz]?) ${between}(?:labels?|etiquettes?|tags?)\b`,
  },
  comment: {
    en: String.raw`(?:comment|reply|respond)(?: (?:on|to|in|for))? (?=the |this |that |it\b|them\b|tickets? |issues? |hb |# |\d|"|:)|(?:add|leave|post|write|put|make) (?:a |an |this |the |another )?(?:comment|note|remark|reply)s?\b|note (?:on|for|in) (?=hb |the |it|ticket)`,
    fr: String.raw`commente[rz]?\b|(?:ajoute[rz]?|laisse[rz]?|mets|mettre|mettez|poste[rz]?|ecris|ecrire|ecrivez|fais) (?:un |le |ce |une )?(?:commentaire|note|remarque|reponse)s?\b|note[rz]? (?:sur|dans) (?=hb |le |la |ce |l )`,
  },
  assign: {
    en: String.raw`(?:assign|reassign|unassign)\b|(?:give|hand|delegate) (?!me\b|us\b|an?\b|some\b)(?=.${within} to )|(?:set|change|remove|clear) (?:the )?(?:owner|assignee|bot)\b`,
    fr: String.raw`(?:assigne[rz]?|attribue[rz]?|reassigne[rz]?|desassigne[rz]?|confie[rz]?|affecte[rz]?|delegue[rz]?)\b|donne[rz]? (?!moi\b|nous\b|une?\b|des\b)(?=.${within} (?:a|au) )|(?:mets|change[rz]?|definis|enleve[rz]?|retire[rz]?) (?:le |la )?(?:responsable|proprietaire|bot)\b`,
  },
  create: {
    en: String.raw`(?:create|file|log|raise|add|open|make|write|record|capture) (?:me )?(?:${number}|new) ${adjective}${ticketNoun}${newOne}|(?:create|file|log|raise|add) (?:the |this |these )?${ticketNoun}${newOne}|new (?:ticket|issue|task)\b${newOne}|add (?!hb |# |it |them |this |that |the )(?=[^:;.]${within} (?:to|on) (?:the |my |our )?(?:board|backlog)\b)`,
    fr: String.raw`(?:cree[rz]?|crees|ajoute[rz]?|ajoutes|ouvre|ouvrir|ouvrez|note[rz]?|fais|faire|redige[rz]?|enregistre[rz]?) (?:moi )?(?:${number}|nouveau|nouvelle) ${adjective}${ticketNoun}${newOne}|(?:cree[rz]?|ajoute[rz]?) (?:le |les |ces |ce )?${ticketNoun}${newOne}|nouve(?:au|lle) ${ticketNoun}${newOne}|ajoute[rz]? (?!hb |# |le |la |les )(?=[^:;.]${within} (?:au|dans le|sur le) (?:tableau|backlog|board)\b)`,
  },
  close: {
    en: String.raw`(?:close|resolve|finish|complete|archive|discard|kill|delete|erase|wipe|purge)\b|remove (?:hb|#|tickets?|issues?|all|every|everything|it|them|these|those|the)\b|get rid of\b|mark (?=(?:(?!${stateWord}).)${within}\b(?:fixed|resolved|solved|obsolete|duplicate|wontfix)\b)|(?:clear|empty) (?:out )?(?:the |my |our )?(?:whole )?(?:board|backlog)\b`,
    fr: String.raw`(?:ferme[rz]?|fermes|fermons|clos|clore|cloture[rz]?|cloturons|termine[rz]?|resous|resoudre|archive[rz]?|supprime[rz]?|efface[rz]?|vire[rz]?|jette[rz]?|detruis|detruire)\b|(?:marque[rz]?|note[rz]?) (?=(?:(?!${stateWord}).)${within}\b(?:resolue?|obsolete|doublon)s?\b)|vide[rz]? (?:tout )?(?:le |la |mon |notre )?(?:tableau|backlog|board)\b`,
  },
  move: {
    en: String.raw`(?:move|put|set|transition|shift|bring|change|mark|send|push|pull|return) (?=.${within}${stateWord})|(?:reopen|re open|unblock|block|move|transition|shift)\b`,
    fr: String.raw`(?:deplace[rz]?|mets|mettre|mettez|met|passe[rz]?|bouge[rz]?|bascule[rz]?|remets|remettre|envoie|envoye[rz]?|marque[rz]?|fais passer) (?=.${within}${stateWord})|(?:rouvre|rouvrir|rouvrez|reouvre|reouvrir|bloque[rz]?|debloque[rz]?|deplace[rz]?)\b`,
  },
  dispatch: {
    en: String.raw`(?:dispatch|launch|kick off|start|run|execute|queue|go ahead with|hand off|hand over|send)\b`,
    fr: String.raw`(?:lance[rz]?|lancons|demarre[rz]?|dispatche[rz]?|envoie|envoye[rz]?|execute[rz]?|commence[rz]?|attaque[rz]?|mets en route|fais partir)\b`,
  },
};

/** Where a clause begins with a command: the command, and the offsets of its verb's begin and end in `plain`. */
export interface Command {
  readonly name: CommandName;
  readonly verb: number;
  readonly after: number;
}

const commandPatterns = Object.entries(commandWording).map(([name, wording]) => ({
  name: name as CommandName,
  pattern: new RegExp(`(${lead}${clitic})(${wording.en}|${wording.fr})${denied}`, 'y'),
}));

/** The command that begins at this offset of `plain`, or `null`. */
export function commandAt(plain: string, offset: number): Command | null {
  for (const { name, pattern } of commandPatterns) {
    pattern.lastIndex = offset;
    const match = pattern.exec(plain);
    if (match === null) continue;
    const verb = offset + (match[1] ?? '').length;
    return { name, verb, after: offset + match[0].trimEnd().length };
  }
  return null;
}

/** A sentence that begins like this asks, supposes or denies; no command inside it counts. */
export const noOrder =
  /^(?:(?:and|but|so|ok|hey|hi|et|mais|alors|bon) )*(?:should|shall|did|do|does|don|is|are|was|were|what|which|who|whom|why|how|when|where|if|whether|have|has|had|never|not|unless|faut il|dois|devrais|est ce|quel|quels|quelle|quelles|que|qu|qui|quoi|comment(?! (?:(?:on|to|in|for) )?(?:hb|#|\d+|it|this|that|the|tickets?|issues?|:|")(?: |$))|pourquoi|quand|combien|si|as tu|avez|a t|y a|ne|n)\b/;

/** Verbs that would destroy. There is no deletion, so they always ask. */
export const destroys =
  /^(?:delete|erase|wipe|purge|remove|discard|kill|get rid|clear|empty|supprime|efface|vire|jette|detrui|vide)/;

/** Denials that name a command further on: "don't close it", "ne ferme rien". */
export const denial = /\b(?:don t|dont|do not|never|please no|ne|n)\b/;

/** The verbs and nouns that typing faults are mended to; see `mender`. */
export const commandWords: ReadonlySet<string> = words(
  `close clos clore create assign comment label move dispatch launch reopen unblock delete session conversation ticket tickets
fermer ferme creer cree ajoute ajouter assigne commente deplace deplacer etiquette lance lancer ouvre ouvrir rouvre debloque termine supprime`,
);
/** The words of questions that typing faults are mended to. */
export const questionWords: ReadonlySet<string> = words(
  `shortlist should recommendation recommendations quick relevant important urgent obsolete outdated already priorities priority recommend suggest board tickets
ticket backlog describe details hello bonjour salut obsoletes pertinent pertinents prioritaire priorites montre affiche liste
tableau rapide rapides facile faciles deja quels quelles`,
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).map(fold));
}
