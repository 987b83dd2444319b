import type { JsonObject } from '@hearth/protocol/json.ts';
import { expect, test } from 'vitest';
import { JsonRpc, RpcError } from './json-rpc.ts';

function made() {
  const sent: JsonObject[] = [];
  const heard: string[] = [];
  const rpc = new JsonRpc({
    send: line => sent.push(line),
    onNotification: method => heard.push(method),
    onRequest: method => {
      if (method === 'known') return Promise.resolve({ result: { ok: true } });
      return method === 'broken' ? Promise.reject(new Error('secret words')) : null;
    },
  });
  return { rpc, sent, heard };
}

test('answers reach whoever asked, in any order, and errors as errors', async () => {
  const { rpc, sent } = made();
  const [one, two, three] = [rpc.request('a', {}), rpc.request('b', { x: 1 }), rpc.request('c', {})];
  expect(sent).toMatchObject([{ id: 1, method: 'a' }, { id: 2, method: 'b', params: { x: 1 } }, { id: 3 }]);
  rpc.read({ id: 2, result: 'second' });
  rpc.read({ id: 1, result: null });
  rpc.read({ id: 3, error: { code: -32600, message: 'No such thread.' } });
  expect(await two).toBe('second');
  expect(await one).toBeNull();
  await expect(three).rejects.toMatchObject({ code: -32600, message: 'No such thread.' });
});

test('an answer is told before what was said after it', () => {
  const { rpc, heard } = made();
  rpc.ask('steer', {}, () => heard.push('answered'));
  rpc.read({ id: 1, result: {} });
  rpc.read({ method: 'turn/completed', params: {} });
  expect(heard).toEqual(['answered', 'turn/completed']);
});

test('requests of the program are answered: known, unknown, and failing without a word of why', async () => {
  const { rpc, sent } = made();
  for (const method of ['known', 'unknown', 'broken']) rpc.read({ id: method, method, params: {} });
  await expect.poll(() => sent.length).toBe(3);
  expect(sent).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 'known', result: { ok: true } },
      { jsonrpc: '2.0', id: 'unknown', error: { code: -32601, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 'broken', error: { code: -32603, message: 'The turn is over.' } },
    ]),
  );
  expect(JSON.stringify(sent)).not.toContain('secret words');
});

test('when the program is gone every request fails, also those to come, and nothing is sent', async () => {
  const { rpc, sent } = made();
  const open = rpc.request('a', {});
  rpc.end('It ended.');
  await expect(open).rejects.toBeInstanceOf(RpcError);
  await expect(rpc.request('b', {})).rejects.toMatchObject({ message: 'It ended.', code: 0 });
  rpc.notify('c');
  expect(sent).toHaveLength(1);
});

test('what is no message is passed over', () => {
  const { rpc, heard, sent } = made();
  for (const line of [{}, { id: 7, result: 1 }, { method: 3 }, { jsonrpc: '2.0' }])
    rpc.read(line as JsonObject);
  expect([heard, sent]).toEqual([[], []]);
});
