import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BotError } from '@hearth/engine/bot.ts';
import { expect, test } from 'vitest';
import { BundleBots, checkBundle } from './bots.ts';

const MAIN = `vars:
  first: string = ""

schema turn_in:
  text: string

schema turn_out:
  reply: string

schema chat_out:
  message: string

prompt chat_words:
  {{input.reply}}

compute seed:
  output: turn_in
  expr:
    text: "vars.first"

agent echo:
  model: "\${HEARTH_MODEL:-auto}"
  input: turn_in
  output: turn_out
  user: ask

human chat:
  input: turn_out
  output: chat_out
  instructions: chat_words

workflow talk:
  entry: seed
  seed -> echo
  echo -> chat with { reply: "{{outputs.echo.reply}}" }
  chat -> echo as conversation_loop(10) with { text: "{{outputs.chat.message}}" }
`;

const GOOD = {
  'main.bot': MAIN,
  'manifest.yaml': 'name: talker\ndisplay_name: Talker\nchat:\n  seed_var: first\n',
  'prompts/ask.md': '{{input.text}}\n',
  'skills/listen/SKILL.md': '---\nname: listen\ndescription: How to listen.\n---\nSay nothing.\n',
};

function bundle(
  files: Readonly<Record<string, string>>,
  parent = mkdtempSync(join(tmpdir(), 'hearth-bot-')),
): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(parent, name)), { recursive: true });
    writeFileSync(join(parent, name), text);
  }
  return parent;
}

const caught = async (work: Promise<unknown>): Promise<BotError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof BotError) return error;
  throw new Error(`expected a BotError, got ${String(error)}`);
};

test('a bundle loads with its title, seed var, prompts and skills', async () => {
  const bot = await new BundleBots().load(bundle(GOOD));
  expect(bot.title).toBe('Talker');
  expect(bot.plan.seedVar).toBe('first');
  expect(Object.keys(bot.plan.prompts)).toContain('ask');
  expect(bot.tools.map(tool => tool.name)).toEqual(['skill']);
  expect(Object.keys(bot.sources).toSorted()).toEqual(Object.keys(GOOD).toSorted());
});

test('equal plans have equal digests, wherever they lie', async () => {
  const bots = new BundleBots();
  const [one, two] = [await bots.load(bundle(GOOD)), await bots.load(bundle(GOOD))];
  expect(one.digest).toBe(two.digest);
});

test('a bundle is found by its name, and listed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-bots-'));
  bundle(GOOD, join(directory, 'talker'));
  bundle({ 'README.md': 'no bundle' }, join(directory, 'other'));
  const bots = new BundleBots(directory);
  expect(await bots.names()).toEqual(['talker']);
  expect((await bots.load('talker')).name).toBe('talker');
  expect((await caught(bots.load('nobody'))).code).toBe('unknown_bot');
  expect((await caught(bots.load('../talker'))).code).toBe('unknown_bot');
});

test('it is compiled again only when a file changed', async () => {
  const path = bundle(GOOD);
  const bots = new BundleBots();
  const first = await bots.load(path);
  expect(await bots.load(path)).toBe(first);
  writeFileSync(join(path, 'prompts/ask.md'), 'Hear: {{input.text}}\n');
  utimesSync(join(path, 'prompts/ask.md'), 1, 1);
  const second = await bots.load(path);
  expect(second.digest).not.toBe(first.digest);
});

test('a bot that has an error names each diagnostic', async () => {
  const error = await caught(
    new BundleBots().load(bundle({ ...GOOD, 'main.bot': MAIN.replace('entry: seed', 'entry: nowhere') })),
  );
  expect(error.code).toBe('broken_bot');
  expect(error.detail[0]).toMatch(/^main\.bot:\d+:\d+ [CE]\d+ /);
});

test('a bot that compiles but cannot be run yet is refused by what it needs', async () => {
  const main = MAIN.replace('entry: seed', 'entry: seed\n  sandbox: auto');
  const path = bundle({ ...GOOD, 'main.bot': main });
  const error = await caught(new BundleBots().load(path));
  expect(error.code).toBe('unsupported_bot');
  expect(error.message).toContain('sandboxes');
  expect(await checkBundle(path)).toMatchObject([{ code: 'H003', severity: 'warning' }]);
});

test.each([
  ['a misspelt key', 'nme: x\n', 'H202', 1, 'nme'],
  ['a misspelt key inside', 'name: x\nchat:\n  seedvar: first\n', 'H202', 3, 'seedvar'],
  ['no YAML', 'name: [\n', 'H201', 2, 'YAML'],
  ['a wrong type', 'name: x\ntags: 7\n', 'H203', 2, 'tags'],
  ['a seed var that is none', 'name: x\nchat:\n  seed_var: last\n', 'C208', 3, 'last'],
  ['a node that is none', 'name: x\nchat:\n  nodes:\n    ghost: {kind: silent}\n', 'C205', 4, 'ghost'],
])('a manifest with %s is an error with its place', async (_name, text, code, line, words) => {
  const found = await checkBundle(bundle({ ...GOOD, 'manifest.yaml': text }));
  const one = found.find(diagnostic => diagnostic.code === code);
  expect(one).toMatchObject({ severity: 'error', file: 'manifest.yaml' });
  expect(one?.at.line).toBe(line);
  expect(one?.message).toContain(words);
});

test('an unknown key is told at the key, and how to mend it', async () => {
  const text = 'name: x\nchat:\n    nodes: {}\n    colour:   red\n';
  expect(await checkBundle(bundle({ ...GOOD, 'manifest.yaml': text }))).toMatchObject([
    { code: 'H202', at: { line: 4, column: 5 }, fix: 'correct its spelling, or take it out' },
  ]);
});

test('memory of the bot needs one name for bundle, workflow and directory', async () => {
  const agent =
    'agent a:\n  backend: claw\n  memory:\n    enabled: true\n    scope: "x"\n    visibility: bot\n';
  const main = (name: string): string => `dsl: 2\n${agent}\nworkflow ${name}:\n  entry: a\n  a -> done\n`;
  const said = async (name: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const found = await checkBundle(bundle({ 'main.bot': main(name), ...files }));
    return found.flatMap(one => (one.code === 'C230' ? [`${one.severity} ${one.node} ${one.fix}`] : []));
  };
  const wrong = ['error a give the workflow, the bundle and its directory the same name'];
  expect(await said('talk', { 'manifest.yaml': 'name: talk\n' })).toEqual(wrong);
  expect(await said('talk', {})).toEqual(wrong);
  const root = join(bundle({}), 'talk');
  mkdirSync(root);
  writeFileSync(join(root, 'main.bot'), main('talk'));
  expect((await checkBundle(root)).filter(one => one.code === 'C230')).toEqual([]);
});

test('a skill without a description is a warning and still there', async () => {
  const path = bundle({ ...GOOD, 'skills/listen/SKILL.md': 'Say nothing.\n' });
  expect(await checkBundle(path)).toMatchObject([
    { code: 'C232', severity: 'warning', file: 'skills/listen/SKILL.md' },
  ]);
  expect((await new BundleBots().load(path)).tools).toHaveLength(1);
});

test.each([
  ['nothing there', '/nowhere/at/all', 'unknown_bot'],
  ['a directory without main.bot', bundle({ 'README.md': '' }), 'unknown_bot'],
  ['another kind of file', join(bundle({ 'notes.txt': '' }), 'notes.txt'), 'unknown_bot'],
])('%s is no bot', async (_name, path, code) => {
  expect((await caught(checkBundle(path))).code).toBe(code);
});

test('a single file is a bundle of its own name', async () => {
  const path = join(
    bundle({
      'talk.bot': MAIN.replace('prompt chat_words', 'prompt ask:\n  {{input.text}}\n\nprompt chat_words'),
    }),
    'talk.bot',
  );
  expect(await checkBundle(path)).toEqual([]);
  expect((await new BundleBots().load(path)).title).toBe('talk');
});
