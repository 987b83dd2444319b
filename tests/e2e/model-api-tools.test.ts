import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offersNamespaces } from '@hearth/backends/tools/namespaces.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { turnReport } from '@hearth/client/report.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls, FakeProvider, replies } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* What a model can do in a project: exactly what its node names, in the real service and on real files. */

const READING = ['read_file', 'glob', 'grep', 'skill'];
const WRITING = ['write_file', 'edit_file', 'bash'];

/** A bot that chats, with a skill and the tools that are named. */
function bot(tools: readonly string[], more = ''): string {
  const root = join(tempDirectory('bundle'), 'keeper');
  mkdirSync(join(root, 'skills', 'pruning'), { recursive: true });
  writeFileSync(
    join(root, 'skills', 'pruning', 'SKILL.md'),
    '---\ndescription: How to prune the trees of an orchard.\n---\nCut in winter.\n',
  );
  writeFileSync(join(root, 'manifest.yaml'), 'name: keeper\ndescription: Keeps the orchard.\n');
  const hello = readFileSync(new URL('../../bots/hello/main.bot', import.meta.url), 'utf8');
  const named = hello
    .replaceAll(/\bhello\b/g, 'keeper')
    .replace(
      '  session: inherit_if_available\n',
      `  session: inherit_if_available\n  tools: [${tools.join(', ')}]\n${more}`,
    );
  writeFileSync(join(root, 'main.bot'), named);
  return root;
}

let home = '';
let project = '';
let provider: FakeProvider;
let service: Service | null = null;
let client: HearthClient;

beforeEach(async () => {
  home = tempDirectory('tools-home');
  project = makeProject();
  provider = await FakeProvider.start();
  service = await startService({ home, env: provider.env('anthropic', 'sk-fake') });
  client = clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
});

afterEach(async () => {
  delete process.env['HEARTH_BASH'];
  await provider.close();
  await service?.stop();
  removeTemps();
});

/** Says something to a bot with these tools, and gives what its turn came to. */
async function told(tools: readonly string[], more = '') {
  const scope = { kind: 'workspace', path: project } as const;
  const { view } = await client.create({ bot: bot(tools, more), scope });
  const { receipt } = await client.send(view.id, { text: 'look around', delivery: 'queue' });
  const turn = receipt?.did.turn ?? null;
  const signal = AbortSignal.timeout(60_000);
  return turnReport({ client, conversation: view.id, turn, message: receipt?.did.message ?? null, signal });
}

/** The names of the tools that the model was told of, but for the one that ends a turn. */
const offered = (): readonly string[] =>
  (provider.requests[0]?.body.tools ?? [])
    .map(tool => tool.name ?? '')
    .filter(name => name !== 'final_answer');

const last = (): string => provider.requests.at(-1)?.text ?? '';

test('a node that names the reading tools reads with them, and the rest is not there', async () => {
  provider.plays(
    calls([
      { name: 'glob', args: { pattern: 'src/*' } },
      { name: 'grep', args: { pattern: 'harvest|rows' } },
      { name: 'read_file', args: { path: 'src/login.html' } },
      { name: 'skill', args: { name: 'pruning' } },
    ]),
    calls([
      { name: 'bash', args: { command: 'touch forbidden' } },
      { name: 'write_file', args: { path: 'forbidden', content: 'x' } },
    ]),
    replies('I looked.'),
  );
  expect(await told(READING)).toMatchObject({ state: 'settled', reply: 'I looked.' });
  expect([...offered()].sort()).toEqual([...READING].sort());
  const read = provider.requests[1]?.text ?? '';
  for (const found of ['src/export.ts', 'export const rows', 'Welcome', 'Cut in winter.'])
    expect(read).toContain(found);
  expect(last()).toMatch(/bash/);
  expect(existsSync(join(project, 'forbidden'))).toBe(false);
});

test('a node that names the writing tools writes, edits and runs in its project', async () => {
  provider.plays(
    calls([{ name: 'write_file', args: { path: 'notes.md', content: 'one\n' } }]),
    calls([{ name: 'edit_file', args: { path: 'notes.md', old_text: 'one', new_text: 'two' } }]),
    calls([{ name: 'bash', args: { command: 'cat notes.md && pwd' } }]),
    replies('Written.'),
  );
  // `file_edit` is how sources written elsewhere call it.
  // Where the system offers no namespaces there is no bash unless a person allows it.
  if (!(await offersNamespaces())) process.env['HEARTH_BASH'] = 'open';
  const named = WRITING.map(name => (name === 'edit_file' ? 'file_edit' : name));
  expect(await told([...READING, ...named])).toMatchObject({ state: 'settled', reply: 'Written.' });
  expect([...offered()].sort()).toEqual([...READING, ...WRITING].sort());
  expect(readFileSync(join(project, 'notes.md'), 'utf8')).toBe('two\n');
  expect(last()).toContain(project);
});

test('what a bot keeps is there in the next conversation, in files that only their owner can read', async () => {
  const memory = '  memory:\n    enabled: true\n    scope: "orchard"\n';
  provider.plays(
    calls([{ name: 'memory_write', args: { name: 'index.md', text: 'Pears by the WALL.' } }]),
    replies('Kept.'),
    replies('I know.'),
  );
  expect(await told(['glob'], memory)).toMatchObject({ state: 'settled', reply: 'Kept.' });
  expect(offered()).toEqual(['glob', 'memory_list', 'memory_read', 'memory_write']);
  expect(provider.requests[0]?.text).toContain('none yet');
  expect(await told(['glob'], memory)).toMatchObject({ state: 'settled', reply: 'I know.' });
  expect(last()).toContain('Pears by the WALL.');
  const kept = readdirSync(join(home, 'memory'), { recursive: true, encoding: 'utf8' });
  const file = kept.find(name => name.endsWith('index.md')) ?? '';
  expect(statSync(join(home, 'memory', file)).mode & 0o777).toBe(0o600);
});
