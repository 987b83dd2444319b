import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, newHome, serve, type Served } from './testing/served.ts';

/* Secrets that a bot declares, from where they are kept to the program that reads them, through the whole service. */

afterEach(endAll);

const API = 'open-sesame-1234';
const KEY = 'line one of the key\nline two of the key\n';

const main = (command: string): string => `dsl: 2

secrets:
  api:
    value: "\${TRACKER}"
    env: TRACKER_KEY
    description: "the key of the tracker"
  plain:
  key:
    as: file
    env: KEY_FILE
  spare:
    optional: true

schema shown:
  result: string

schema asked:
  message: string

${command}

human chat:
  output: asked
  instructions: "{{input.text}}"

workflow talk:
  entry: use
  use -> chat with { text: "{{outputs.use.result}}" }
  chat -> use as again(9)
`;

/** Tells what it finds where, and how often a value stands in its own text and arguments. */
const TELLS = `tool use:
  output: shown
  command: |
    wc -c < {{secrets.key.path}}
    stat -c %a "$KEY_FILE"
    [ "$KEY_FILE" = {{secrets.key.path}} ] && echo same
    [ "$TRACKER_KEY" = open-sesame-"1234" ] && [ {{secrets.plain}} = "plain"ly" said" ] && echo right
    [ "a {{!secrets.plain}}" = "a plain"ly" said" ] && echo raw
    [ -z "\${HEARTH_SECRET_SPARE+set}" ] && echo none
    cat "$0" /proc/$$/cmdline | tr '\\0' '\\n' | grep -c -e 'plainly[ ]said' || true`;

interface Talk {
  readonly served: Served;
  readonly c: ConversationId;
}

async function talk(command: string, secrets: Readonly<Record<string, string>>, env = {}): Promise<Talk> {
  const home = newHome();
  mkdirSync(join(home, 'secrets'), { mode: 0o700 });
  for (const [name, value] of Object.entries(secrets))
    writeFileSync(join(home, 'secrets', name), value, { mode: 0o600 });
  const bot = newHome();
  writeFileSync(join(bot, 'main.bot'), main(command));
  const served = await serve([], { home, env: { TRACKER: API, ...env } });
  return { served, c: (await served.client.create({ bot })).view.id };
}

const send = ({ served, c }: Talk): Promise<Response> =>
  served.post(`/v1/conversations/${c}/messages`, { text: 'go', workspace: newHome() });

async function said({ served, c }: Talk): Promise<unknown> {
  const { pauses } = await served.until(c, view => view.pauses.length > 0);
  return pauses[0]?.text;
}

/** Every file of the home but the secrets themselves, as one text. */
function kept(home: string): string {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return names
    .filter(name => !name.startsWith('secrets') && statSync(join(home, name)).isFile())
    .map(name => readFileSync(join(home, name), 'latin1'))
    .join('\n');
}

test('a program finds secrets in its environment and in files, and never in its text or its arguments', async () => {
  const one = await talk(TELLS, { plain: 'plainly said\n', key: KEY });
  expect((await send(one)).status).toBe(200);
  expect(await said(one)).toBe(`${KEY.length}\n600\nsame\nright\nraw\nnone\n0`);
  expect(readdirSync(join(one.served.home, 'secrets/.given'))).toEqual([]);
});

test('a secret that a program prints is shown to nobody and kept nowhere', async () => {
  const prints =
    'tool use:\n  output: shown\n  command: "cat $KEY_FILE; echo $TRACKER_KEY {{secrets.plain}}; head -1 $KEY_FILE"';
  const one = await talk(prints, { plain: 'plainly said', key: KEY });
  expect((await send(one)).status).toBe(200);
  expect(await said(one)).not.toMatch(/sesame|plainly|line one|line two/);
  await one.served.service.stop({ now: true });
  expect(kept(one.served.home)).not.toMatch(/sesame|plainly|line one|line two/);
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
  [
    'has no value',
    { plain: 'plainly said', key: KEY },
    { TRACKER: '' },
    'The secret "api" (the key of the tracker) has no value: set TRACKER where the service is started, or put it into the file secrets/api of the home, with the mode 0600.',
  ],
  [
    'has neither a variable nor a file',
    { key: KEY },
    {},
    'The secret "plain" has no value: put it into the file secrets/plain of the home, with the mode 0600.',
  ],
  [
    'is too short to be found',
    { plain: 'short', key: KEY },
    {},
    'The secret "plain" is shorter than 8 characters, so that it would be found in ordinary words: give it a longer value.',
  ],
])('no run begins when a secret %s', async (_, secrets, env, why) => {
  const one = await talk(TELLS, secrets, env);
  const answer = await send(one);
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'missing_secret', detail: why }]);
  expect((await one.served.client.get(one.c)).run).toBeNull();
});

test('a file that others can read is not taken, also when the run has begun', async () => {
  const one = await talk(TELLS, { plain: 'plainly said', key: KEY });
  const file = join(one.served.home, 'secrets/plain');
  chmodSync(file, 0o644);
  const why =
    'The file secrets/plain of the home can be read by others: give it the mode 0600 ("chmod 600").';
  expect(await (await send(one)).json()).toMatchObject({ code: 'missing_secret', detail: why });
  chmodSync(file, 0o600);
  expect((await send(one)).status).toBe(200);
  await said(one);
  chmodSync(file, 0o644);
  expect((await send(one)).status).toBe(200);
  const view = await one.served.until(one.c, ({ pauses }) => pauses[0]?.kind === 'recovery');
  expect(view.pauses[0]).toMatchObject({ code: 'missing', detail: why });
});

test('files that a dead service left for its programs are gone when the next one has started', async () => {
  const home = newHome();
  mkdirSync(join(home, 'secrets/.given/left'), { recursive: true });
  writeFileSync(join(home, 'secrets/.given/left/key'), KEY);
  await serve([], { home });
  expect(existsSync(join(home, 'secrets/.given'))).toBe(false);
});
