import type { RpcProgram } from '../agent-programs/rpc-program.ts';
import { Initialized, VERSION } from './wire.ts';

/** What the agent says of itself. It is offered no files and no terminal: what it does is its own doing. Rejects with `RpcError`. */
export async function initialize(program: RpcProgram): Promise<Initialized> {
  const answer = await program.request('initialize', {
    protocolVersion: VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'hearth', title: 'Hearth', version: '1' },
  });
  return Initialized.parse(answer);
}
