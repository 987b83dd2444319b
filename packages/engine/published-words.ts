import type { Values } from '@hearth/language/value.ts';
import { HOST_LINE } from './host-line.ts';

/*
 * What a session of an agent with `session: artifacts_only` knows of the run: what was published, and no word of how that
 * came about.
 */

/** How much of all documents together is told, in characters: a prompt is a part of every session's context. */
const MOST = 256 * 1024;

/** The documents by their names, each whole as long as there is room; nothing when none was published. */
export function publishedWords(
  artifacts: Readonly<Record<string, Values>>,
  texts: Readonly<Record<string, string>>,
): string {
  let room = MOST;
  const told = Object.keys({ ...artifacts, ...texts })
    .toSorted()
    .flatMap(name => {
      const text = texts[name] ?? textOf(artifacts[name] ?? {});
      if (text.trim() === '') return [];
      const kept = text.slice(0, room);
      room -= kept.length;
      const cut = kept.length < text.length ? `\n${HOST_LINE}The rest of ${name} is left out.` : '';
      return [`${HOST_LINE}Published as ${name}:\n${kept}${cut}\n\n`];
    });
  return told.join('');
}

/** A document that is one text is told as that, every other as JSON. */
function textOf(body: Values): string {
  const values = Object.entries(body).filter(([key]) => !key.startsWith('_'));
  const [only] = values;
  if (values.length === 1 && typeof only?.[1] === 'string') return only[1];
  return values.length === 0 ? '' : JSON.stringify(Object.fromEntries(values));
}
