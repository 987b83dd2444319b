import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeClientTypes } from '../scripts/package/client-types.ts';
import { removeTemps, tempDirectory } from './support/temp.ts';

/* The types of the client for others: what a program of theirs gets from them, with nothing else installed. */

const COMPILER = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
let place = '';
let said = '';

const HEAD = `import { HearthProblem, LeanClient } from './client.js';
const client = new LeanClient({ address: '', token: 'x' });
const { id, pauses, head } = await client.default();
`;

const SOUND = `${HEAD}
for (const pause of pauses) {
  if (pause.kind === 'question') await client.decide(id, pause.id, { do: 'answer', option: pause.options[0]?.id ?? '' });
}
await client.follow(id, {
  after: head,
  signal: new AbortController().signal,
  onFrame: frame => {
    if (frame.frame === 'event' && frame.event.type === 'turn') console.log(frame.event.change, frame.cursor.length);
    if (frame.frame === 'recover') console.log(frame.recovery.view?.title);
  },
});
const page = await client.events(id, null, 10);
if (!('code' in page)) console.log(page.events.length);
const history = await client.history(id, null, 5);
for (const line of history.items) if (line.is === 'said' && typeof line.text === 'string') console.log(line.text.length);
try { await client.close(id); } catch (error) { if (error instanceof HearthProblem) console.log(error.code); }
`;

/** What is wrong in a program, and by which of the compiler's codes it is told. */
const WRONG: readonly [what: string, line: string, code: string][] = [
  ['a word that is no delivery', `await client.send(id, { text: 'hello', delivery: 'soon' });`, 'TS2322'],
  ['an id that is none', `await client.get('main');`, 'TS2345'],
  ['a field that no pause has', `console.log(pauses[0]?.answer);`, 'TS2339'],
  [
    'an event that there is not',
    `await client.follow(id, { after: null, signal: new AbortController().signal, onFrame: frame => { if (frame.frame === 'event' && frame.event.type === 'turns') return; } });`,
    'TS2367',
  ],
];

beforeAll(async () => {
  place = tempDirectory('types');
  await writeClientTypes(place);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(join(place, 'package.json'), '{"type": "module"}');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(join(place, 'sound.ts'), SOUND);
  for (const [at, [, line]] of WRONG.entries()) writeFileSync(join(place, `wrong-${at}.ts`), HEAD + line);
  said = spawnSync(COMPILER, ['-p', place, '--pretty', 'false'], { encoding: 'utf8', cwd: place }).stdout;
}, 120_000);
afterAll(removeTemps);

/** The codes that the compiler told of a file. */
function codesOf(file: string): string[] {
  const lines = said.split('\n').filter(line => line.startsWith(`${file}(`));
  return lines.flatMap(line => /error (TS\d+)/.exec(line)?.[1] ?? []);
}

describe('the types beside the client', () => {
  it('take a program that uses what there is', () => {
    expect(codesOf('sound.ts')).toEqual([]);
    expect(said).toContain('wrong-0.ts');
  });

  it.each(WRONG.map(([what, , code], at) => [what, at, code] as const))('refuse %s', (_, at, code) => {
    expect(codesOf(`wrong-${at}.ts`)).toEqual([code]);
  });

  it('name no other package', () => {
    for (const name of readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(one =>
      one.endsWith('.d.ts'),
    )) {
      const text = readFileSync(join(place, name), 'utf8');
      for (const [, from] of text.matchAll(/from '([^']+)'/g)) expect(from).toMatch(/^\.\//);
    }
  });
});
