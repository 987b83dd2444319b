import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Io } from './command.ts';
import { COMMANDS } from './commands.ts';
import { help } from './help.ts';
import { parse } from './parse.ts';

const io: Io = {
  env: {},
  cwd: '/',
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  interrupted: new AbortController().signal,
  interruption: { message: '' },
};

const ID = 'c_01jd0000000000000000000000';

test.each<[string, string[], string, string[], Record<string, string>]>([
  ['no words', [], 'start', [], {}],
  ['only an option', ['--conversation', ID], 'start', [], { conversation: ID }],
  ['an id', [ID], 'open', [ID], {}],
  ['an id without its letters', [ID.slice(2)], 'open', [ID.slice(2)], {}],
  ['the beginning of an id', ['c_01jd'], 'open', ['c_01jd'], {}],
  ['a text', ['send', 'hello there'], 'send', ['hello there'], {}],
  ['stdin', ['send', '-'], 'send', ['-'], {}],
  ['a text that looks like an option', ['send', '--', '--json'], 'send', ['--json'], {}],
  ['a text that begins with a number below zero', ['send', '-5 degrees'], 'send', ['-5 degrees'], {}],
  ['a number below zero', ['send', '-5'], 'send', ['-5'], {}],
  ['a list as a text', ['send', '- milk\n- bread', '--json'], 'send', ['- milk\n- bread'], {}],
  ['a sentence about an option', ['send', '--json is broken'], 'send', ['--json is broken'], {}],
  [
    'a value that begins with a dash',
    ['board', 'add', 'x', '--body', '-5 degrees', '--owner=-x'],
    'board add',
    ['x'],
    { body: '-5 degrees', owner: '-x' },
  ],
  [
    'options on both sides',
    ['send', '--conversation=c_1', 'hi', '-c', 'c_2'],
    'send',
    ['hi'],
    { conversation: 'c_2' },
  ],
  [
    'values that look like numbers',
    ['answer', 'p7', '--choice', '007', '--text', '1e3'],
    'answer',
    ['p7'],
    { choice: '007', text: '1e3' },
  ],
  ['an empty value', ['answer', 'p7', '--text', ''], 'answer', ['p7'], { text: '' }],
  ['a command of two words', ['board', 'move', 'HB-1', 'ready'], 'board move', ['HB-1', 'ready'], {}],
  ['many words', ['check', 'a', 'b', 'c'], 'check', ['a', 'b', 'c'], {}],
])('%s', (_name, words, row, positionals, options) => {
  const parsed = parse(words, io);
  if (parsed.is !== 'call') throw new Error('not a call');
  expect(parsed.row.name).toBe(row);
  expect(parsed.call.words).toEqual(positionals);
  for (const [name, value] of Object.entries(options)) expect(parsed.call.option(name)).toBe(value);
});

test.each<[string, string[], RegExp]>([
  ['an unknown command', ['sned', 'x'], /no command "sned": did you mean `send`\?/],
  ['one like no other', ['xyzzy'], /no command "xyzzy": see "hearth help"/],
  ['an unknown option', ['send', 'x', '--jsn'], /--jsn.*hearth send/],
  ['an option with an underscore', ['send', 'x', '--dry_run'], /--dry_run.*hearth send/],
  ['a text that could be an option', ['send', '-x'], /'-x' .*goes behind "--".*hearth send/],
  [
    'a value that could be an option',
    ['board', 'add', 'x', '--body', '-y'],
    /--body.*written --name=VALUE.*hearth board add/,
  ],
  ['an option without its value', ['send', 'x', '--conversation'], /hearth send/],
  ['a flag with a value', ['send', 'x', '--json=yes'], /hearth send/],
  ['a word too few', ['send'], /needs TEXT/],
  ['a word too many', ['send', 'hello', 'there'], /quotes/],
  ['a group alone', ['board'], /list, show, add/],
  ['an unknown command of a group', ['board', 'fly'], /no command "fly".*list, show/],
])('%s is wrong usage', (_name, words, message) => {
  expect(() => parse(words, io)).toThrow(message);
  expect(() => parse(words, io)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});

test.each([
  [['--help'], null],
  [['help'], null],
  [['send', '--help'], 'send'],
  [['board', '-h'], 'board'],
  [['help', 'board', 'add'], 'board add'],
] as const)('%j asks for help', (words, topic) => {
  expect(parse(words, io)).toEqual({ is: 'help', topic });
});

test('a text may hold --help behind the dashes', () => {
  expect(parse(['send', '--', '--help'], io)).toMatchObject({ is: 'call' });
});

test('help shows every command and every option', () => {
  const all = help(null) ?? '';
  for (const row of COMMANDS) {
    expect(all).toContain(`hearth ${row.name}`);
    for (const option of Object.keys(row.options)) expect(help(row.name)).toContain(`--${option}`);
  }
  expect(help('board')).toContain('hearth board import');
  expect(help('fly')).toBeNull();
});

test.each([40, 60, 80, 120])('help fits a screen of %i columns, and tells the same on it', columns => {
  const words = (text: string | null): readonly string[] => (text ?? '').split(/\s+/).sort();
  for (const topic of [null, 'board', ...COMMANDS.map(row => row.name)]) {
    const text = help(topic, columns) ?? '';
    expect(words(text)).toEqual(words(help(topic)));
    const longest = Math.max(...text.split('\n').map(line => line.length));
    expect(longest, text).toBeLessThanOrEqual(columns);
  }
});
