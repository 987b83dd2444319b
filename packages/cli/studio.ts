import { spawn } from 'node:child_process';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation, Io } from './command.ts';
import { findConversation } from './conversation.ts';
import { print } from './output.ts';
import { connect } from './supervisor.ts';
import { workspaceOf } from './workspace.ts';

/**
 * `hearth studio`: prints a link that signs one browser in, once. The code stands in the link's fragment, which a browser
 * sends to nobody; where the browser's messages work is kept by the service with the code. Nothing is opened unless
 * `--open` asks for it: a link can be taken to the browser of one's choice.
 */
export async function studio(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const workspace = await workspaceOf(io, call.option('workspace'));
  const client = await connect(io, 'cli');
  const named = call.words[0];
  const conversation = named === undefined ? null : await findConversation(client, named);
  const { code } = await client.loginCode({ workspace });
  const where = conversation === null ? '' : `&conversation=${conversation}`;
  const link = `${client.address}/#login=${code}${where}`;
  print(io, link);
  io.stderr.write('The link signs one browser in, once, within five minutes.\n');
  if (!call.flag('open')) return EXIT.done;
  if (await opened(link, io)) return EXIT.done;
  io.stderr.write('hearth: No browser can be opened from here: open the link yourself.\n');
  return EXIT.environment;
}

/** Hands the link to the desktop; resolves to whether there was one to take it. */
function opened(link: string, io: Io): Promise<boolean> {
  const display = io.env['DISPLAY'] ?? io.env['WAYLAND_DISPLAY'] ?? '';
  if (process.platform !== 'darwin' && display === '') return Promise.resolve(false);
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  return new Promise(resolve => {
    const child = spawn(opener, [link], { detached: true, stdio: 'ignore', env: { ...io.env } });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
