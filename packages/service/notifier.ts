import { spawn } from 'node:child_process';
import type { ConversationId, PauseId } from '@hearth/protocol/ids.ts';
import type { WaitedFor } from '@hearth/protocol/presence.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Environment } from './choice.ts';
import { errorFacts, type Log } from './log.ts';
import { RateLimit } from './rate-limit.ts';
import { withoutSecrets } from './secrets.ts';

/*
 * Runs the person's own command when a conversation starts to wait for them. Guarantees: no shell reads anything, the
 * command is the words of the settings and nothing is put into them; what is waited for comes by the environment and as
 * JSON on stdin, both of which a program takes as they are; the command gets no key of a provider; it has ten seconds; not
 * more than a few run in a row, and how many were left out is in the log.
 */

/** Whom to call about what. */
export interface Calling {
  readonly conversation: ConversationId;
  readonly title: string;
  readonly pause: PauseId;
  readonly kind: WaitedFor['kind'];
  readonly text: string;
}

const TIME_MS = 10_000;
const RATE = { burst: 5, everyMs: 10_000 };

/** Which command is run, and where it is told that it could not. */
export interface NotifierOptions {
  /** The program and its arguments; empty when there is none. */
  readonly command: readonly string[];
  readonly env: Environment;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Calls the person of one home. It waits for nobody: a call that fails is in the log. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #limit: RateLimit;
  readonly #running = new Set<() => void>();

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#limit = new RateLimit(options.clock, RATE);
  }

  /** Runs the command; resolves when it has ended, however it did. */
  call(calling: Calling): Promise<void> {
    const { command, log } = this.#options;
    const [program, ...words] = command;
    if (program === undefined) return Promise.resolve();
    if (this.#limit.take() > 0) {
      log.write('notification_skipped', { conversation: calling.conversation });
      return Promise.resolve();
    }
    return this.#run(program, words, calling).catch((error: unknown) =>
      log.write('notification_failed', errorFacts(error)),
    );
  }

  /** Ends what still runs. */
  close(): void {
    for (const end of this.#running) end();
  }

  #run(program: string, words: readonly string[], calling: Calling): Promise<void> {
    const { env, home, clock, log } = this.#options;
    return new Promise((resolve, reject) => {
      const child = spawn(program, words, {
        shell: false,
        cwd: home,
        env: { ...withoutSecrets(env), ...variables(calling) },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const end = (): void => void child.kill('SIGKILL');
      const cancel = clock.after(TIME_MS, end);
      const over = (): void => {
        cancel();
        this.#running.delete(end);
      };
      this.#running.add(end);
      child.once('error', error => {
        over();
        reject(error);
      });
      child.once('exit', (code, signal) => {
        over();
        if (code !== 0) log.write('notification_failed', { exit: code, signal });
        resolve();
      });
      // A command that does not read what it is told has a right not to.
      child.stdin.on('error', () => undefined);
      child.stdin.end(`${JSON.stringify(calling)}\n`);
    });
  }
}

/** An environment can hold no NUL. */
function variables({ conversation, title, pause, kind, text }: Calling): Record<string, string> {
  const told = { CONVERSATION: conversation, TITLE: title, PAUSE: pause, KIND: kind, TEXT: text };
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [`HEARTH_${name}`, value.replaceAll('\0', '')]),
  );
}
