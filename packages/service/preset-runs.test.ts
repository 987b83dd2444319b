import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, expect, test } from 'vitest';
import { endAll, newHome, serve, type Served } from './testing/served.ts';

/* Presets chosen by the message that begins a run, through the whole service. */

afterEach(endAll);

const MAIN = `vars:
  depth: int = 1
  place: string = "nowhere"
  focus: string[] = "all"

presets:
  quick:
    depth: 0

schema asked:
  message: string

schema shown:
  text: string

compute seed:
  output: shown
  expr:
    text: "'depth ' + vars.depth + ' in ' + vars.place + ' of ' + join(vars.focus, '+')"

human chat:
  input: shown
  output: asked
  instructions: words

prompt words:
  {{input.text}}

workflow talk:
  entry: seed
  seed -> chat with { text: "{{outputs.seed.text}}" }
  chat -> chat as again(9)
`;

const DEEP = `---
depth: 5
place: \${PROJECT_DIR}/src
focus: [src, docs]
---
Reads everything.
`;

interface Talk {
  readonly served: Served;
  readonly c: ConversationId;
  readonly workspace: string;
  readonly bot: string;
}

async function talk(preset?: string): Promise<Talk> {
  const bot = newHome();
  mkdirSync(join(bot, 'presets'));
  writeFileSync(join(bot, 'main.bot'), MAIN);
  writeFileSync(join(bot, 'presets/deep.md'), DEEP);
  const served = await serve([]);
  const { view } = await served.client.create({ bot, ...(preset === undefined ? {} : { preset }) });
  return { served, c: view.id, workspace: newHome(), bot };
}

/** Sends what begins a run, and reads what the run was given. */
async function shown({ served, c, workspace }: Talk, more: object): Promise<unknown> {
  const sent = await served.post(`/v1/conversations/${c}/messages`, { text: 'go', workspace, ...more });
  expect(sent.status).toBe(200);
  const view = await served.until(c, ({ pauses }) => pauses.length > 0);
  return view.pauses[0]?.text;
}

test('the values of a preset lie over the defaults, and the directory is named in them', async () => {
  const one = await talk();
  expect(await shown(one, { preset: 'deep' })).toBe(`depth 5 in ${one.workspace}/src of src+docs`);
});

test('without a preset the defaults stand, and given vars lie over those of a preset', async () => {
  expect(await shown(await talk(), {})).toBe('depth 1 in nowhere of all');
  const given = { preset: 'quick', vars: { place: 'here' } };
  expect(await shown(await talk(), given)).toBe('depth 0 in here of all');
  expect(await shown(await talk(), { preset: 'quick', vars: { depth: '7' } })).toBe(
    'depth 7 in nowhere of all',
  );
});

test.each(['dep', 'constructor'])('the unknown preset %j is refused by what there is', async preset => {
  const { served, c } = await talk();
  const refused = await served.client.send(c, { text: 'go', delivery: 'queue', preset }).catch(String);
  expect(refused).toContain('has no preset');
  expect(refused).toContain('it has: deep (Reads everything.), quick.');
  expect((await served.client.get(c)).run).toBeNull();
});

test('a message to a run that has begun takes no preset', async () => {
  const one = await talk();
  await shown(one, {});
  const sent = await one.served.post(`/v1/conversations/${one.c}/messages`, { text: 'go', preset: 'quick' });
  expect(await sent.json()).toMatchObject({ code: 'wrong_state' });
});

test('a conversation made with a preset begins every run with it, unless the message names another', async () => {
  const one = await talk('quick');
  expect(await shown(one, {})).toBe('depth 0 in nowhere of all');
  await one.served.client.reset(one.c);
  expect(await shown(one, { vars: { place: 'here' } })).toBe('depth 0 in here of all');
  await one.served.client.reset(one.c);
  expect(await shown(one, { preset: 'deep' })).toMatch(/^depth 5 in /);
  // A run that has begun goes on.
  const again = await one.served.client.send(one.c, { text: 'on', delivery: 'queue' });
  expect(again.receipt?.did.as).toBe('started');
});

test('no conversation is made with a preset that its bot does not have', async () => {
  await expect(talk('dep')).rejects.toMatchObject({
    code: 'invalid_vars',
    message: expect.stringContaining('it has: deep'),
  });
});

test('a preset that the bot has no more lapses', async () => {
  const one = await talk('quick');
  writeFileSync(join(one.bot, 'main.bot'), MAIN.replace('quick:', 'other:'));
  expect(await shown(one, {})).toBe('depth 1 in nowhere of all');
});
