import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { QuestionPause } from '@hearth/protocol/pause.ts';
import { startService } from '@hearth/service/main.ts';
import type { Service } from '@hearth/service/service.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askerBundle } from '../support/asker.ts';
import { calls, FakeProvider, replies } from '../support/fake-provider.ts';
import { makeProject } from '../support/project.ts';
import { clientOf } from '../support/service-process.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* What becomes of a model's questions in the real service: those it waits for, those it does not, and who answers. */

let home = '';
let project = '';
let provider: FakeProvider;
let service: Service | null = null;
let client: HearthClient;

async function start(): Promise<void> {
  service = await startService({ home, env: provider.env('anthropic', 'sk-fake') });
  client = clientOf(service.address, readFileSync(join(home, 'token'), 'utf8').trim());
}

beforeEach(async () => {
  home = tempDirectory('questions-home');
  project = makeProject();
  provider = await FakeProvider.start();
  await start();
});

afterEach(async () => {
  await provider.close();
  await service?.stop();
  removeTemps();
});

/** A conversation with a chat bot whose questions are answered in that way. */
async function conversation(interaction: string): Promise<ConversationId> {
  const { view } = await client.create({
    bot: askerBundle(interaction),
    scope: { kind: 'workspace', path: project },
  });
  return view.id;
}

const colour = { question: 'Which colour?', options: ['red', 'blue'] };
const asks = () => calls([{ name: 'ask_user_async', args: colour }]);
const awaits = (args = {}) => calls([{ name: 'await_answers', args }]);

/** Waits until the turn stands so, and gives what is open. */
async function until(id: ConversationId, status: 'waiting' | 'over'): Promise<readonly QuestionPause[]> {
  await expect
    .poll(
      async () => {
        const view = await client.get(id);
        return view.turn?.status ?? (view.queue.length === 0 ? 'over' : 'queued');
      },
      { timeout: 25_000 },
    )
    .toBe(status);
  const { pauses } = await client.get(id);
  return pauses.filter(pause => pause.kind === 'question');
}

/** The latest request, and how often something stands in it. */
const last = (): string => provider.requests.at(-1)?.text ?? '';
const times = (text: string, what: RegExp): number => [...text.matchAll(new RegExp(what, 'g'))].length;

test('a question that nobody waits for outlives its turn and a restart, and is answered in a line', async () => {
  const id = await conversation('async');
  provider.plays(asks(), replies('I go on.'));
  await client.send(id, { text: 'hello', delivery: 'queue' });
  const [question] = await until(id, 'over');
  expect(question).toMatchObject({ blocking: false, text: 'Which colour?' });
  expect(last()).toContain(`question_id`);

  await service?.stop();
  await start();
  const answered = await client.decide(id, question!.id, { do: 'answer', option: 'blue' });
  expect(answered.receipt?.did.as).toBe('answered');
  const again = await client
    .decide(id, question!.id, { do: 'answer', option: 'red' })
    .catch((thrown: unknown) => thrown);
  expect(JSON.stringify(again)).toContain('closed');

  provider.plays(replies('Blue, then.'), replies('Anything else?'));
  await client.send(id, { text: 'go on', delivery: 'queue' });
  expect(await until(id, 'over')).toEqual([]);
  const line = `Your question ${question!.id} .Which colour.. was answered: blue`;
  expect(times(last(), new RegExp(line))).toBe(1);
  await client.send(id, { text: 'and now?', delivery: 'queue' });
  await until(id, 'over');
  // It stands in the session, once.
  expect(times(last(), new RegExp(line))).toBe(1);
});

test('waiting parks the turn, over a restart, until the last answer is there', async () => {
  const id = await conversation('async');
  const size = { question: 'Which size?' };
  provider.plays(
    calls([
      { name: 'ask_user_async', args: colour },
      { name: 'ask_user_async', args: size },
    ]),
    awaits(),
  );
  await client.send(id, { text: 'hello', delivery: 'queue' });
  const open = await until(id, 'waiting');
  expect(open.map(pause => pause.text)).toEqual(['Which colour?', 'Which size?']);
  await client.decide(id, open[1]!.id, { do: 'answer', text: 'large' });
  await service?.stop();
  await start();
  expect(await until(id, 'waiting')).toHaveLength(1);
  provider.plays(replies('Large and red.'));
  await client.decide(id, open[0]!.id, { do: 'answer', option: 'red' });
  expect(await until(id, 'over')).toEqual([]);
  expect(last()).toMatch(/Which colour\?.*red.*Which size\?.*large/);
});

test('a wait ends with its time, and the question stays', async () => {
  const id = await conversation('async');
  provider.plays(asks(), awaits({ timeout_seconds: 0.2 }), replies('Nobody said.'));
  await client.send(id, { text: 'hello', delivery: 'queue' });
  await expect.poll(() => provider.requests.length, { timeout: 25_000 }).toBe(3);
  const [question] = await until(id, 'over');
  expect(question).toMatchObject({ text: 'Which colour?' });
  expect(last()).toContain(`\\"open\\":[\\"${question!.id}\\"]`);
});

test('a model answers in the person’s place, and it is told', async () => {
  const id = await conversation('llm');
  provider.plays(
    calls([{ name: 'ask_user', args: colour }]),
    calls([{ name: 'final_answer', args: { answer_1: 'red' } }]),
    replies('Red, then.'),
  );
  await client.send(id, { text: 'hello', delivery: 'queue' });
  expect(await until(id, 'over')).toEqual([]);
  expect(provider.requests[1]?.text).toContain('Question 1: Which colour?');
  expect(last()).toContain('red');
  const events = await client.events(id, null, 500);
  expect(JSON.stringify(events)).toContain('answered_by_model');
  expect(JSON.stringify(events)).not.toContain('"kind":"question"');
});

test('what confirms something comes to the person', async () => {
  const id = await conversation('llm');
  const args = { question: 'Delete it?', options: ['yes', 'no'], destructive: true };
  provider.plays(calls([{ name: 'ask_user', args }]));
  await client.send(id, { text: 'hello', delivery: 'queue' });
  expect(await until(id, 'waiting')).toMatchObject([{ text: 'Delete it?', blocking: true }]);
  expect(provider.requests).toHaveLength(1);
});
