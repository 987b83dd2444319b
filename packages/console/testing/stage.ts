import { TestService } from '@hearth/client/testing/service.ts';
import { afterEach, beforeEach } from 'vitest';
import { type ConsoleOptions, runConsole } from '../main.ts';
import type { TestTerminal } from './terminal.ts';
import { terminalOf } from './terminal-of.ts';

export const OPTIONS = [
  { id: 'yes', label: 'Close it' },
  { id: 'no', label: 'Leave it' },
];

/** What is in the composer: the rows between its borders. */
export async function composer(terminal: TestTerminal): Promise<string> {
  const rows = (await terminal.text()).split('\n');
  const bottom = rows.findLastIndex(row => row.startsWith('──'));
  const top = rows.slice(0, bottom).findLastIndex(row => row.startsWith('──'));
  return rows.slice(top + 1, bottom).join('\n');
}

/** For tests: consoles on a service that does as it is told; both are new for each test. */
export class ConsoleStage {
  #service: TestService | null = null;
  readonly #open: Promise<number>[] = [];

  constructor() {
    beforeEach(async () => {
      this.#service = await TestService.start();
    });
    afterEach(async () => {
      process.emit('SIGTERM', 'SIGTERM');
      for (const code of this.#open.splice(0)) await code;
      await this.#service?.stop();
    });
  }

  get service(): TestService {
    if (this.#service === null) throw new Error('The stage stands only within a test.');
    return this.#service;
  }

  /** Another service in place of one that has stopped. */
  async renew(): Promise<void> {
    this.#service = await TestService.start();
  }

  readonly start = (options: Partial<ConsoleOptions> & { terminal?: TestTerminal } = {}) => {
    const terminal = options.terminal ?? terminalOf();
    const code = runConsole({
      client: this.service.client(),
      conversation: null,
      workspace: '/home/ada/project',
      env: { NO_COLOR: '1', HOME: '/home/ada' },
      ...options,
      terminal,
    });
    this.#open.push(code);
    return { terminal, code };
  };

  /** A conversation at home base. */
  readonly greeted = (...quickReplies: string[]): void => {
    this.service.world.send('');
    this.service.world.reply('Hello, I am Nexie.', quickReplies);
  };

  /** A turn that waits for an answer. */
  readonly asked = (shape: Parameters<TestService['world']['ask']>[0] = {}): void => {
    this.greeted();
    this.service.world.send('tidy up');
    this.service.world.ask({ text: 'Close HB-4?', options: OPTIONS, ...shape });
  };

  readonly commands = (part: string) => this.service.received.filter(({ path }) => path.endsWith(part));

  /** The messages that arrived. */
  readonly texts = () => this.commands('/messages').map(({ body }) => body['text']);
}
