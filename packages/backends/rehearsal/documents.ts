import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { type Language, spoken } from './language.ts';
import { fieldsOf } from './other.ts';
import { phrases } from './phrases.ts';
import { partsOf, saidIn } from './prompt-parts.ts';
import { fold } from './words.ts';

/*
 * Nodes that write a document which a person reviews, and the one that carries it out. A rehearsal understands nothing of
 * it: a document is the person's own words in the notation, a revision is the earlier document whole with the new words
 * below, and a result says that nothing was worked out. It knows these nodes by their fields.
 */

/** What a rehearsed node gives, and what it says while it does. */
export interface Written {
  readonly output: JsonObject;
  readonly text: string;
  readonly language: Language;
  readonly narration?: string;
}

/** The output of a node that writes or carries out a document; `null` for any other node. */
export function written(turn: BackendTurn, filled: JsonObject, preferred: Language | null): Written | null {
  const fields = fieldsOf(turn.output) ?? [];
  const parts = partsOf(turn.prompt.user);
  const language = spoken(saidIn(turn.prompt.user) ?? parts['interpretation'] ?? '', preferred);
  const [document, ...others] = fields.filter(name => name.endsWith('body'));
  if (document === undefined || others.length > 0 || typeof filled[document] !== 'string') return null;
  const scene = { document, parts, filled, language };
  if (fields.includes('status') && fields.includes('message')) return executed(scene);
  if (fields.includes('route') && isSmallTalk(parts['request'] ?? '')) return answered(scene);
  return drafted(scene, fields.includes('route'));
}

interface Writing {
  /** The field that is the document. */
  readonly document: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly filled: JsonObject;
  readonly language: Language;
}

function answered({ filled, language }: Writing): Written {
  const reply = phrases[language].documents.smallTalk;
  return { output: { ...filled, route: 'answer', reply }, text: reply, language };
}

function drafted({ document, parts, filled, language }: Writing, routes: boolean): Written {
  const words = phrases[language].documents;
  const { request, interpretation, plan, text, words: wishes, change } = parts;
  const before =
    plan ?? (request === undefined && change !== undefined ? (interpretation ?? text) : undefined);
  const body =
    before !== undefined && change !== undefined
      ? [before, words.change, ...quoted(change)]
      : interpretation === undefined
        ? [words.task, ...quoted(request ?? '')]
        : [words.follow, ...(wishes === undefined ? [] : [words.wishes, ...quoted(wishes)]), words.tell];
  const output: JsonObject = { ...filled, [document]: body.join('\n') };
  if (routes) Object.assign(output, { route: 'interpret', reply: '' });
  return {
    output,
    text: words.drafted,
    language,
    ...(routes ? { narration: words.drafted } : {}),
  };
}

function executed({ document, parts, filled, language }: Writing): Written {
  const words = phrases[language].documents;
  const { interpretation = '', output_mode: mode, request = '', data } = parts;
  if (data === undefined && announces.test(fold(request.normalize('NFC')))) {
    const output = { ...filled, status: 'request_input', message: words.announced };
    return { output, text: words.announced, language };
  }
  const given = data === undefined ? [] : [words.given, ...indented(data)];
  const lines =
    mode === 'pseudocode'
      ? [words.stated, ...indented(interpretation), ...given, words.noted]
      : [words.result, '', ...interpretation.split('\n'), ...(given.length === 0 ? [] : ['', ...given])];
  const body = lines.join('\n');
  return { output: { ...filled, status: 'result', [document]: body }, text: body, language };
}

/** Words in which somebody says that they will give something later. */
const announces =
  /\b(?:i|we)(?: will|'ll|’ll) (?:give|send|provide|supply|tell)\b|\bje (?:vous |te |t'|t’)?(?:donnerai|fournirai|enverrai|transmettrai|dirai)\b/;

/** A greeting, thanks, or a word that only means something while something is under review. */
function isSmallTalk(text: string): boolean {
  return /^(?:|hi|hello|hey|thanks|thank you|bye|bonjour|salut|bonsoir|coucou|merci|ok|okay|yes|no|oui|non|d accord|confirm|confirmed|confirme|confirmer|stop|lgtm)$/.test(
    fold(text.normalize('NFC'))
      .replaceAll(/[^a-z]+/g, ' ')
      .trim(),
  );
}

/** Words as lines of a document: in quotes, since they are nobody's notation. */
function quoted(text: string): string[] {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
  return (lines.length === 0 ? [''] : lines).map(line => `    "${line.trim()}"`);
}

function indented(text: string): string[] {
  return text.split('\n').map(line => (line === '' ? line : `    ${line}`));
}
