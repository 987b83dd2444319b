import { realpath } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { examine } from '@hearth/service/doctor/doctor.ts';
import type { Invocation } from './command.ts';
import { failureOf } from './errors.ts';
import { homePath } from './home-path.ts';
import { print, printJson } from './output.ts';

/** How a diagnosis is told, after a repair. */
interface Told {
  readonly check: string;
  readonly severity: string;
  readonly path: string | null;
  readonly what: string;
  readonly repair: string | null;
  readonly repaired: boolean;
  /** Why the repair that was asked for could not be made. */
  readonly failed?: string;
}

const MARKS: Readonly<Record<string, string>> = { ok: 'ok     ', warning: 'warning', error: 'error  ' };

/** `hearth doctor`: looks at everything of a home; exit code 4 says that something is wrong that was not repaired. */
export async function doctor(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const path = homePath(io);
  const home = await realpath(path).catch(() => path);
  const told: Told[] = [];
  for (const { mend, ...diagnosis } of await examine(home, io.env)) {
    const work = call.flag('repair') ? mend : undefined;
    const failed = await work?.().then(
      () => undefined,
      (error: unknown) => failureOf(error).message,
    );
    const repaired = work !== undefined && failed === undefined;
    told.push({ ...diagnosis, repaired, ...(failed === undefined ? {} : { failed }) });
  }
  const wrong = told.filter(one => (one.severity === 'error' && !one.repaired) || one.failed !== undefined);
  if (call.flag('json')) printJson(io, { ok: wrong.length === 0, home, checks: told });
  else for (const one of told) print(io, lineOf(one));
  return wrong.length === 0 ? EXIT.done : EXIT.environment;
}

function lineOf({ check, severity, path, what, repair, repaired, failed }: Told): string {
  const about = severity === 'ok' || path === null ? '' : ` [${path}]`;
  const mending = repair === null ? '' : repaired ? ` Repaired: it ${repair}.` : ` A repair ${repair}.`;
  const not = failed === undefined ? '' : ` It was tried and failed: ${failed}`;
  return `${MARKS[severity] ?? severity}  ${check.padEnd(11)}  ${what}${about}${mending}${not}`;
}
