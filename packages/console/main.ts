import { ProcessTerminal, setCapabilityOverrides, type Terminal, TuiAltScreen } from '@earendil-works/pi-tui';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { App } from './app.ts';
import type { FileRead } from './handing.ts';
import { themeFor } from './theme.ts';

/*
 * The console from its start to its end. However it ends (a command, a signal, a fault, a terminal that is gone), the
 * terminal is given back as it was, and nothing in the conversation changes.
 */

/** What a console opens on, and how it finds a service that has died. */
export interface ConsoleOptions {
  readonly client: HearthClient;
  /** The conversation to open; `null` = the default one. */
  readonly conversation: ConversationId | null;
  /** The checkout root where this console was started. */
  readonly workspace: string;
  /** The bot that a word means: a name as it is, a path from where the person stands made absolute. As typed when absent. */
  readonly botNamed?: (text: string) => string;
  /** Reads the file that `[NAME=]FILE` names, from where the person stands. Rejects in words for a person. */
  readonly readFile?: (given: string) => Promise<FileRead>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Another terminal than the process' own. */
  readonly terminal?: Terminal;
  /** Finds the service again when it does not answer, and starts one that died. Rejects with `stopped` when it was stopped. */
  readonly reconnect?: () => Promise<HearthClient>;
  /** Finds the service or starts it, for what the person does. As `reconnect` when absent. */
  readonly start?: () => Promise<HearthClient>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the console until the person leaves; resolves with the exit code. */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { client, workspace, botNamed, readFile, env, reconnect, start } = options;
  const terminal = options.terminal ?? new ProcessTerminal();
  // Where a link leads must be readable, so no link hides behind other words.
  setCapabilityOverrides({ hyperlinks: false, images: null });
  const tui = new TuiAltScreen(terminal);
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>(resolve => {
    leave = resolve;
  });
  const app = new App({
    tui,
    theme: themeFor(env),
    client,
    workspace,
    home: env['HOME'] ?? null,
    ...(botNamed === undefined ? {} : { botNamed }),
    readFile,
    ...(reconnect === undefined ? {} : { reconnect }),
    ...(start === undefined ? {} : { start }),
    onQuit: () => leave(EXIT.done),
  });

  let fault: unknown = null;
  const interrupted = (): void => leave(EXIT.interrupted);
  const failed = (error: unknown): void => {
    fault ??= error;
    leave(EXIT.failed);
  };
  const gone = (): void => leave(EXIT.done);
  for (const signal of SIGNALS) process.on(signal, interrupted);
  process.on('uncaughtException', failed);
  process.on('unhandledRejection', failed);
  if (options.terminal === undefined) {
    process.stdin.once('end', gone);
    process.stdout.once('error', gone);
  }

  tui.start();
  app.start(options.conversation).catch(failed);
  const code = await left;

  app.stop();
  try {
    if (terminal.kittyProtocolActive && code === EXIT.done) await terminal.drainInput(200, 20);
    tui.stop({ preserveScreen: true });
    if (code === EXIT.done && app.title !== null)
      terminal.write(`Left "${app.title}". What runs there goes on.\r\n`);
  } catch {
    // A terminal that is gone cannot be given back.
  }
  for (const signal of SIGNALS) process.off(signal, interrupted);
  process.off('uncaughtException', failed);
  process.off('unhandledRejection', failed);
  process.stdin.off('end', gone);
  process.stdout.off('error', gone);
  if (fault !== null) {
    const why = asProblem(fault).detail;
    process.stderr.write(
      `hearth: the console failed (${why}); the conversation is unharmed, start "hearth" again.\n`,
    );
  }
  return code;
}
