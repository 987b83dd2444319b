import { type ChildProcess, spawn } from 'node:child_process';
import { secretsIn } from '../secret-variable.ts';

/*
 * A program as a group of processes of its own. It gets no input and sees no key of the service's environment. It is ended
 * as a whole group when its time is over, when it is stopped, when it leaves processes behind, and when the service is
 * gone, however that went. A process that makes a group of its own is out of reach, but nobody waits for it.
 */

/** How long a program may take to end itself after it was asked to, in milliseconds. */
const GRACE_MS = 2000;
/** How long what a program left in its output is read after it has ended, in milliseconds. */
const REST_MS = 500;

/** Variables that may hold a secret, or that are the service's own business. */
const PRIVATE =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(?:^|_)(?:KEY|PAT)(?:_|$)|^(?:HEARTH|ANTHROPIC|OPENAI|OLLAMA)_/i;

/**
 * Runs its arguments and ends with their exit code. Descriptor 3 is a pipe that the service holds open: when it is gone,
 * the whole group goes. Being asked to end reaches the program too, which may take its time.
 */
const GUARD = `
trap : TERM
exec 4<&0
"$@" <&4 3<&- 4<&- &
program=$!
( trap '' TERM; read -r gone <&3; kill -KILL 0 ) >/dev/null 2>&1 &
guard=$!
exec 3<&- 4<&- </dev/null
wait "$program"; code=$?
while kill -0 "$program" 2>/dev/null; do wait "$program"; code=$?; done
kill -KILL "$guard" 2>/dev/null
exit "$code"
`;

/** What is run, where, for how many milliseconds at most, and who takes its output. */
export interface Started {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the environment; may hold what is otherwise kept from programs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
  readonly onErrors: (chunk: Buffer) => void;
}

/** How it ended. */
export interface Ended {
  /** 128 and the signal's number when a signal ended it, as a shell says it; `null` when it was ended here. */
  readonly exit: number | null;
  readonly why: 'time' | 'stopped' | null;
}

/** The environment of this process without what must not be handed on. */
export function openEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !PRIVATE.test(entry[0]) && secretsIn(entry[0], entry[1]).length === 0,
    ),
  );
}

/** Runs a program to its end. Resolves to `null` when the shell that guards it cannot be started. */
export function runProcess({
  argv,
  cwd,
  env,
  ms,
  signal,
  onOutput,
  onErrors,
}: Started): Promise<Ended | null> {
  return new Promise(resolve => {
    const child = spawnGuarded(argv, cwd, env, 'ignore');
    let why: Ended['why'] = null;
    let killer: NodeJS.Timeout | null = null;
    let rest: NodeJS.Timeout | null = null;
    const end = (reason: 'time' | 'stopped'): void => {
      if (why !== null) return;
      why = reason;
      signalGroup(child.pid, 'SIGTERM');
      killer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const timer = setTimeout(() => end('time'), Math.min(ms, 2 ** 31 - 1));
    const stop = (): void => end('stopped');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const settle = (ended: Ended | null): void => {
      clearTimeout(timer);
      if (killer !== null) clearTimeout(killer);
      if (rest !== null) clearTimeout(rest);
      signal.removeEventListener('abort', stop);
      resolve(ended);
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onErrors);
    child.once('error', () => settle(null));
    child.once('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      child.stdio[3]?.destroy();
      // Whoever left the group may hold the output open for ever.
      rest = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, REST_MS);
    });
    child.once('close', exit => settle({ exit: why === null ? exit : null, why }));
  });
}

/** Starts a program in a group of its own that ends with the service. */
export function spawnGuarded(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> | undefined,
  input: 'ignore' | 'pipe',
): ChildProcess {
  const child = spawn('sh', ['-c', GUARD, 'guard', ...argv], {
    cwd,
    env: { ...openEnvironment(), ...env },
    detached: true,
    stdio: [input, 'pipe', 'pipe', 'pipe'],
  });
  // The pipe is there to break; nothing is said through it.
  child.stdio[3]?.on('error', () => undefined);
  return child;
}

/** Signals what is left of a group; nothing happens when nothing is. */
export function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The group is gone.
  }
}
