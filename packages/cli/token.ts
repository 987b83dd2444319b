import { join } from 'node:path';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { homePath } from './home-path.ts';
import { print } from './output.ts';
import { connect } from './supervisor.ts';

/** `hearth token rotate`: says where the new token stands, and never what it is. */
export async function rotate({ io }: Invocation): Promise<ExitCode> {
  await (await connect(io, 'cli')).rotateToken();
  print(
    io,
    `The home has another token now, in ${join(homePath(io), 'token')}; sign browsers in again with "hearth studio".`,
  );
  return EXIT.done;
}
