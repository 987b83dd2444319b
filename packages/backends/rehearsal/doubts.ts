import type { Clause } from './clauses.ts';

/*
 * What makes an order doubtful: taken back in the same message, one of several alternatives, asked or reported rather
 * than told, bound to a condition or a time. Nothing is done on a doubt; what a title, a comment or a reason says is
 * none, because it belongs to what is written and not to the order.
 */

/** Where the order ends and its reason or its content begins. */
const content = / ?(?::|\b(?:because|since|as it|car|parce|puisque|vu que)\b)/;

/** The words of an order without its reason or content. */
export function orderOf(clause: Clause): string {
  if (clause.command === 'create') return '';
  const [order = ''] = clause.plainRest.split(content, 1);
  return clause.command === 'comment' ? (order.split(/ (?:saying|disant|that says) /, 1)[0] ?? '') : order;
}

const noMatter = String.raw`(?! (?:one|body|longer|more|rush|hurry|worries|problem|need|owner|assignee|label|labels|other|others|matter)\b)`;
/** Words that take something back wherever they stand in an order. */
const takesBack = String.raw`(?:no${noMatter}|nope|nah|non|wait(?! (?:for|until|list))|attends|attendez|actually|en fait|annule[rz]?|cancel|never ?mind|forget (?:it|that|about)|scratch that|laisse[rz]? tomber|oublie[rz]?|don t|dont (?:do|close|move|touch|change|end|start)|do not|ne (?:[a-z]+ ){1,5}?(?:pas|rien|jamais)|n (?:[a-z]+ ){1,4}?(?:pas|rien|jamais)|hold on|on second thoughts?|i mean|i meant|je (?:veux|voulais) dire|undo|oops)\b`;
/** Words that do so only where a later part of the message begins: "move it to review instead" is an order. */
const corrects = String.raw`(?:instead(?! of)|rather|plutot|sorry|desolee?|pardon|stop(?! (?:the|this|la|here))|finalement|euh|hm+|mais non|but no)\b`;
const anywhere = new RegExp(String.raw`(?:^| )${takesBack}`);
const later = new RegExp(String.raw`[,.;!?\n] (?:${takesBack}|${corrects})`);
const following = /\b(?:instead(?! of)|rather|plutot|a la place)\b/;
/** A sentence of nothing but such words ends a title or a comment that was taken back. */
const bare =
  /(?:[.;!?\n]|,(?= \w+ \w+))((?: (?:actually|no|non|nope|wait|attends|en fait|never|mind|nevermind|forget|it|that|this|don t|do not|do|cancel|annule|laisse|tomber|oublie|ne|le|la|l|fais|cree|create|pas|rien|ca|stop|please|finalement|[,.!;]))+)$/;

/** Whether a later part of the message takes back what an earlier one told. */
export function retracted(given: readonly Clause[]): boolean {
  return given.some((clause, index) => {
    const order = orderOf(clause);
    const rest = clause.plainRest.slice(order.length);
    if (anywhere.test(unhyphenated(clause, order)) || later.test(order)) return true;
    if (index > 0 && (following.test(order) || anywhere.test(clause.lead))) return true;
    if (clause.command !== 'create' && clause.command !== 'comment') return later.test(rest);
    const tail = bare.exec(rest)?.[1];
    return tail !== undefined && anywhere.test(tail);
  });
}

/** Labels and names such as "no-repro" take nothing back. */
function unhyphenated(clause: Clause, order: string): string {
  const compounds = clause.rest.toLowerCase().match(/\b(?:no|non|wait|cancel|undo)-(?=[\p{L}\d])/gu) ?? [];
  return compounds.reduce((plain, compound) => plain.replace(`${compound.slice(0, -1)} `, ''), order);
}

/** Whether an order names alternatives, of which only the person can choose: "HB-1 or HB-6". */
export function alternatives(clause: Clause): boolean {
  return /\b(?:or|ou|either|soit)\b|(?:^| )(?:one|any) of (?:hb|#|the|them|these|those)\b|^(?:l )?une? (?:de|des|d entre)\b/.test(
    orderOf(clause),
  );
}

const conditions =
  /\b(?:if|unless|when|once|until|as soon as|after|before|whenever|provided|si|quand|lorsque|des que|une fois|apres|avant|a condition|tant que|jusqu)\b/;
const times =
  /\b(?:tomorrow|later|tonight|soon|eventually|some ?day|yesterday|this (?:evening|afternoon|weekend)|next (?:week|month|sprint|time|year|release)|(?:on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|in (?:\d+|an?|one|two|three|a few) (?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?)|at (?:noon|midnight|\d+ ?(?:am|pm|h|o))|demain|plus tard|ce soir|bientot|un jour|hier|cet apres midi|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:la semaine|le mois) prochaine?|dans (?:\d+|une?|deux|trois|quelques) (?:secondes?|minutes?|heures?|jours?|semaines?|mois)|a (?:midi|minuit|\d+ ?h))\b/;
const reports =
  /\b(?:said|says|say|wrote|writes|told|tells|asked|asks|answered|replied|dit|disait|ecrit|ecrivait|demande|demandait|repond|repondu|selon|according)\b/;
const asksPolitely =
  /\b(?:can|could|would|will) you\b|\b(?:peux|pourrais|veux) tu\b|\btu (?:peux|pourrais)\b|\b(?:pouvez|pourriez) vous\b|\bvous pouvez\b/;

/** What keeps an order from being carried out before the person said yes; `null` when it is plainly told. */
export function doubtOf(clause: Clause): 'asked' | 'time' | 'condition' | 'reported' | null {
  if (reports.test(clause.lead)) return 'reported';
  if (conditions.test(clause.lead)) return 'condition';
  const titled = clause.command === 'create' || clause.command === 'comment';
  if (!titled && conditions.test(orderOf(clause))) return 'condition';
  if (times.test(clause.lead) || (!titled && times.test(orderOf(clause)))) return 'time';
  return /^[^.;!?\n:]*\?/.test(clause.plainRest) && !asksPolitely.test(clause.plain) ? 'asked' : null;
}

/** What may stand behind "end the session" without a doubt that it is told. */
const plainEnd =
  /^(?: ?(?:please|pls|now|then|ok|okay|thanks|thank|you|stp|svp|s il (?:te|vous) plait|merci|maintenant|tout de suite|right away|immediately|here|ici|for|today|nexie|bye|goodbye|au revoir|a plus|on peut|beaucoup|now))*$/;

/** Whether the session is told to end: unconditionally, not taken back, not merely asked or reported. */
export function endTold(given: readonly Clause[]): boolean {
  const ends = given.filter(clause => clause.command === 'end');
  return (
    ends.length > 0 &&
    !retracted(given) &&
    ends.every(clause => {
      const [first = ''] = clause.plainRest.split(/ ?[,.;:!?\n]/, 1);
      return doubtOf(clause) === null && plainEnd.test(first);
    })
  );
}
