import { expect, test } from 'vitest';
import { agent, workflow } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

const KEYS =
  '_session_id: "{{outputs.a._session_id}}", _session_fingerprint: "{{outputs.a._session_fingerprint}}"';
const talk = (session: string, carried: string): string =>
  `schema m:\n  message: string\n\nhuman chat:\n  output: m\n\n${agent('a', `${session}\n  readonly: true`)}${workflow('a', 'a -> chat', `chat -> a as talk(1000) with { text: "{{outputs.chat.message}}"${carried} }`)}`;

test.each<Verdict>([
  ['a session that is brought and gone on with', talk('session: inherit_if_available', `, ${KEYS}`), ''],
  ['a session that is not brought', talk('session: inherit_if_available', ''), 'H001'],
  ['half of what names a session', talk('session: inherit', `, ${KEYS.split(', ')[0]}`), 'H001'],
  [
    'a session that is brought to an agent that wants a fresh one',
    talk('session: fresh', `, ${KEYS}`),
    'H001',
  ],
  [
    'a session that is brought to an agent that asks for none',
    talk('reasoning_effort: "low"', `, ${KEYS}`),
    'H001',
  ],
  ['an agent that is to begin anew each time', talk('session: fresh', ''), ''],
])('%s', (_, main, codes) => {
  expect(codesOf(main)).toEqual(wordsOf(codes));
});
