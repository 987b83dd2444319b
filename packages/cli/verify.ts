import { realpath } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { verifyThis } from '@hearth/service/verify-home.ts';
import { CommandError, type Invocation } from './command.ts';
import { homePath } from './home-path.ts';
import { print, printJson } from './output.ts';

/** `hearth verify`: reads everything of a home and changes nothing; exit code 4 says that something is damaged. */
export async function verify(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const path = homePath(io);
  const home = await realpath(path).catch(() => null);
  if (home === null) {
    throw new CommandError(
      EXIT.environment,
      'no_home',
      `There is no home ${path}: name another one in HEARTH_HOME.`,
    );
  }
  const named = call.words[0];
  const only = named === undefined ? {} : { only: named.startsWith('c_') ? named : `c_${named}` };
  const result = await verifyThis(home, only);
  const damaged = result.findings.some(one => one.severity === 'damage');
  if (named !== undefined && result.conversations === 0) {
    throw new CommandError(
      EXIT.failed,
      'unknown_conversation',
      `There is no conversation "${named}": see "hearth list".`,
    );
  }
  if (call.flag('json')) printJson(io, { ok: !damaged, ...result });
  else {
    for (const one of result.findings) {
      print(io, `${one.severity === 'damage' ? 'Damage' : 'Remark'}: ${one.path} ${one.what}.`);
    }
    const { conversations, trash, boards } = result;
    const counts = `${counted(conversations, 'conversation')}, ${trash} in the trash, ${counted(boards, 'board')}`;
    print(io, damaged ? `Damage was found in ${home} (${counts}).` : `All is whole in ${home} (${counts}).`);
  }
  return damaged ? EXIT.environment : EXIT.done;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
