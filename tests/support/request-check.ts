import type { FakeMessage, FakeRequest } from './fake-provider.ts';

/*
 * What a real provider refuses for good: a call without a result, a result without a call, a call's id used twice. One
 * such request and the session is lost to its person.
 */

interface Pairing {
  readonly calls: string[];
  readonly results: string[];
}

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly call_id?: string;
}

/** What is wrong with a request, in words; nothing for one that is well formed. */
export function faultsOf({ body, path }: FakeRequest): readonly string[] {
  const { calls, results } = pairing(body.messages ?? [], body.input ?? []);
  const faults = [
    ...calls.filter(id => !results.includes(id)).map(id => `the call ${id} has no result`),
    ...results.filter(id => !calls.includes(id)).map(id => `the result ${id} has no call`),
    ...twice(calls).map(id => `the call ${id} is there twice`),
    ...twice(results).map(id => `the call ${id} has two results`),
  ];
  return faults.map(fault => `${path}: ${fault}`);
}

function pairing(messages: readonly FakeMessage[], input: readonly unknown[]): Pairing {
  const found: Pairing = { calls: [], results: [] };
  for (const message of messages as readonly (FakeMessage & {
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  })[]) {
    found.calls.push(...(message.tool_calls ?? []).map(call => call.id));
    if (message.tool_call_id !== undefined) found.results.push(message.tool_call_id);
    for (const block of Array.isArray(message.content) ? (message.content as readonly Block[]) : []) {
      if (block.type === 'tool_use') found.calls.push(block.id ?? '');
      if (block.type === 'tool_result') found.results.push(block.tool_use_id ?? '');
    }
  }
  for (const item of input as readonly Block[]) {
    if (item.type === 'function_call') found.calls.push(item.call_id ?? '');
    if (item.type === 'function_call_output') found.results.push(item.call_id ?? '');
  }
  return found;
}

function twice(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
