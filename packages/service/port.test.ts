import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { expect, test } from 'vitest';
import { startService } from './main.ts';

test('a start that cannot listen has begun no work, and gives the home back', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hearth-port-'));
  const hang = new ScriptedBackend([[gate(new Promise(() => undefined))]]);
  const first = await startService({ home, env: {}, backends: [hang] });
  const authorization = `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const conversations = `${first.address}/v1/conversations`;
  const { id } = ConversationView.parse(await (await fetch(`${conversations}/default`, { headers })).json());
  const actor = { kind: 'person', name: 'ada', surface: 'test' };
  const body = JSON.stringify({ commandId: 'a'.repeat(20), actor, text: 'hello' });
  expect((await fetch(`${conversations}/${id}/messages`, { method: 'POST', headers, body })).status).toBe(
    200,
  );
  await expect.poll(() => hang.turns.length).toBe(1);
  await first.stop();
  // As after a crash right behind the acceptance: the turn has no intent yet and would start at once.
  const epoch = join(home, 'conversations', id, 'epochs/1');
  const journal = join(epoch, readdirSync(epoch).find(name => name.startsWith('journal'))!);
  const cut = (path: string, lines: number): void =>
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, lines).join('\n')}\n`);
  cut(journal, 1);
  // The log with its header and the events so far, and the transcript, tell no more than the journal does.
  cut(join(epoch, 'events.jsonl'), 5);
  cut(join(epoch, 'transcript.jsonl'), 2);

  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const second = new ScriptedBackend(() => [reply('ok')]);
  const start = startService({ home, port, env: {}, backends: [second] });
  await expect(start).rejects.toMatchObject({ code: 'port_in_use' });
  expect(second.turns).toEqual([]);
  taken.close();
  const third = await startService({ home, env: {}, backends: [second] });
  await expect.poll(() => second.turns.length).toBe(1);
  await third.stop();
});
