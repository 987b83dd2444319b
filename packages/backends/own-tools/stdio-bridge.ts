import type { ServedTurn } from './loopback.ts';

/*
 * For programs that start tool servers themselves and speak to them through pipes: a program of a few lines that carries
 * each line to the turn's address and its answer back. The secret is in its environment, never among its arguments.
 */

const BRIDGE = `
const { HEARTH_TOOLS_ADDRESS: address, HEARTH_TOOLS_SECRET: secret } = process.env;
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + secret };
const carry = async line => {
  const { id } = JSON.parse(line);
  try {
    const response = await fetch(address, { method: 'POST', headers, body: line });
    if (response.status === 200) process.stdout.write((await response.text()) + '\\n');
    else if (id !== undefined && response.status !== 202) throw new Error('status ' + response.status);
  } catch {
    if (id === undefined) return;
    const error = { code: -32603, message: 'The turn of this tool is over.' };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error }) + '\\n');
  }
};
let rest = '';
process.stdin.setEncoding('utf8').on('data', text => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim() !== '') void carry(line);
});
`;

/** A command that serves the turn's tools through its input and output. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that leads to a served turn. It runs on the Node that runs the service. */
export function bridgeTo({ address, secret }: Pick<ServedTurn, 'address' | 'secret'>): BridgeCommand {
  return {
    command: process.execPath,
    args: ['--input-type=module', '-e', BRIDGE],
    env: { HEARTH_TOOLS_ADDRESS: address, HEARTH_TOOLS_SECRET: secret },
  };
}
