import type { RpcProgram } from '../agent-programs/rpc-program.ts';

/** The words with which every connection begins. Rejects with `RpcError`. */
export async function initialize(program: RpcProgram): Promise<void> {
  await program.request('initialize', {
    clientInfo: { name: 'hearth', title: 'Hearth', version: '1' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  program.notify('initialized');
}
