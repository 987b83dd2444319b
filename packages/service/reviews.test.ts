import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { HearthProblem } from '@hearth/client/problem.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { Reply } from '@hearth/protocol/receipt.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { cardIn, reviewBundle, reviewScript, shows } from './testing/review.ts';
import { endAll, serve, type Served } from './testing/served.ts';
import { verifyThis } from './verify-home.ts';

/* A review over the API: what a surface is given, and what becomes of what it sends. */

afterEach(endAll);

async function reviewed(): Promise<{ served: Served; c: ConversationId }> {
  const served = await serve(reviewScript());
  const c = (await served.client.create({ bot: reviewBundle() })).view.id;
  await served.client.send(c, { text: 'please', delivery: 'queue' });
  await served.until(c, shows('task', 1));
  return { served, c };
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'accepted',
    (error: unknown) => (error instanceof HearthProblem ? error.code : 'other'),
  );

describe('a version of an artifact', () => {
  test('is fetched whole, with who made it and what changed since another one', async () => {
    const { served, c } = await reviewed();
    const first = cardIn(await served.client.get(c));
    expect(first).toMatchObject({ title: 'The task', earlier: [], assent: 'confirm', status: 'shown' });
    const revise = { do: 'act', action: 'revise', feedback: 'for two' } as const;
    await served.client.decide(c, first.id, revise, first.shown);
    const second = cardIn(await served.until(c, shows('task', 2)));
    expect(second).toMatchObject({ id: first.id, earlier: [1] });
    const { body, ref, madeBy, feedback, changes } = await served.client.artifact(c, second.shown, {
      since: 1,
    });
    expect(body).toBe('DO what was asked\n    AS draft_task says\nDRAFT number 2');
    expect(ref).toEqual(second.shown);
    expect(ref.digest).toBe(sha256(body));
    expect(madeBy).toMatchObject({ node: 'draft_task' });
    expect(feedback).toBe('for two');
    expect(changes).toMatchObject({ since: 1, added: 1, removed: 1 });
    expect((await served.client.artifact(c, first.shown)).body).toContain('DRAFT number 1');
    // Nobody is pushed a body.
    const events = await (await served.fetch(`/v1/conversations/${c}/events`)).text();
    expect(events).not.toContain('DRAFT number');
  });

  test.each(['task/9', 'task/0', 'task/1x', 'nothing/1', '..%2f..%2fsnapshot/1', 'task/1?since=7'])(
    'that is none, %s, is said to be unknown',
    async path => {
      const { served, c } = await reviewed();
      const answer = await served.fetch(`/v1/conversations/${c}/artifacts/${path}`);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'unknown_artifact' }]);
    },
  );
});

test('two confirmations of one card, from two surfaces at once, confirm it once and never the next one', async () => {
  const { served, c } = await reviewed();
  const { id, shown } = cardIn(await served.client.get(c));
  const confirm = (): Promise<string> =>
    codeOf(served.client.decide(c, id, { do: 'act', action: 'confirm' }, shown));
  const codes = await Promise.all([confirm(), confirm(), confirm()]);
  expect(codes.toSorted()).toEqual(['accepted', 'closed', 'closed']);
  const next = cardIn(await served.until(c, shows('plan', 1)));
  expect(await confirm()).toBe('closed');
  expect(await codeOf(served.client.decide(c, next.id, { do: 'act', action: 'standard' }, shown))).toBe(
    'wrong_artifact',
  );
  expect(cardIn(await served.client.get(c))).toEqual(next);
  const { lines } = await served.client.audit(c);
  expect(lines.map(line => line.code)).toEqual(['closed', 'closed', 'closed', 'wrong_artifact']);
  expect(lines[0]).toMatchObject({ pause: id, action: 'confirm', shown });
});

test('a version whose file is gone is said to be lost, and a look at the home finds that', async () => {
  const { served, c } = await reviewed();
  const path = join('conversations', c, 'epochs', '1', 'artifacts', 'task', '1.json');
  rmSync(join(served.home, path));
  const { shown } = cardIn(await served.client.get(c));
  const asked = await served.client.artifact(c, shown).catch((error: unknown) => error);
  expect(asked).toMatchObject({ code: 'unknown_artifact', message: expect.stringContaining('is lost') });
  // Which versions count is in the snapshot, for which a conversation takes a moment of rest.
  await expect
    .poll(async () => (await verifyThis(served.home)).findings, { timeout: 20_000 })
    .toMatchObject([{ severity: 'damage', what: 'is missing, and its version counts' }]);
});

test('a command id that was used for another decision is refused with the first receipt', async () => {
  const { served, c } = await reviewed();
  const { id, shown } = cardIn(await served.client.get(c));
  const once = { commandId: 'one-decision-0001', pause: id, ...shown };
  const decide = async (action: string): Promise<unknown> =>
    (await served.post(`/v1/conversations/${c}/decisions`, { ...once, act: { do: 'act', action } })).json();
  const { receipt } = Reply.parse(await decide('confirm'));
  expect(receipt).toMatchObject({ did: { as: 'confirmed' } });
  expect(await decide('stop')).toMatchObject({ code: 'command_conflict', receipt });
});

test('a refusal carries the card as it stands, and a confirmation with words asks which revision is meant', async () => {
  const { served, c } = await reviewed();
  const first = cardIn(await served.client.get(c));
  await served.client.decide(c, first.id, { do: 'act', action: 'revise', feedback: 'for two' }, first.shown);
  await served.until(c, shows('task', 2));
  const stale = await served.client
    .decide(c, first.id, { do: 'act', action: 'confirm' }, first.shown)
    .catch((error: unknown) => error);
  if (!(stale instanceof HearthProblem) || stale.view === null) throw new Error('it was not refused');
  expect(stale.code).toBe('stale_version');
  const now = cardIn(stale.view);
  expect(now.shown.version).toBe(2);
  await served.client.decide(c, now.id, { do: 'act', action: 'confirm' }, now.shown);
  const plan = cardIn(await served.until(c, shows('plan', 1)));
  const worded = { do: 'act', action: 'standard', feedback: 'but slowly' } as const;
  expect(await codeOf(served.client.decide(c, plan.id, worded, plan.shown))).toBe('kind_required');
});
