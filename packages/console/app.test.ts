import { HearthProblem, stopped } from '@hearth/client/problem.ts';
import { TestService, until } from '@hearth/client/testing/service.ts';
import { BOT, CONVERSATION } from '@hearth/client/testing/world.ts';
import xterm from '@xterm/headless';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runConsole } from './main.ts';
import { TestTerminal } from './testing/terminal.ts';

let service: TestService;
const open: { terminal: TestTerminal; code: Promise<number> }[] = [];

beforeEach(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  process.emit('SIGTERM', 'SIGTERM');
  for (const { code } of open.splice(0)) await code;
  await service.stop();
});

function terminalOf(cols = 80, rows = 24): TestTerminal {
  return new TestTerminal(new xterm.Terminal({ cols, rows, allowProposedApi: true }));
}

function console_(options: Partial<Parameters<typeof runConsole>[0]> & { terminal?: TestTerminal } = {}) {
  const terminal = options.terminal ?? terminalOf();
  const code = runConsole({
    client: service.client(),
    conversation: null,
    workspace: '/home/ada/project',
    env: { NO_COLOR: '1', HOME: '/home/ada' },
    ...options,
    terminal,
  });
  open.push({ terminal, code });
  return { terminal, code };
}

/** A conversation at home base. */
function greeted(...quickReplies: string[]): void {
  service.world.send('');
  service.world.reply('Hello, I am Nexie.', quickReplies);
}

const OPTIONS = [
  { id: 'yes', label: 'Close it' },
  { id: 'no', label: 'Leave it' },
];

/** A turn that waits for an answer. */
function asked(shape: Parameters<TestService['world']['ask']>[0] = {}): void {
  greeted();
  service.world.send('tidy up');
  service.world.ask({ text: 'Close HB-4?', options: OPTIONS, ...shape });
}

const commands = (part: string) => service.received.filter(({ path }) => path.endsWith(part));
const texts = () => commands('/messages').map(({ body }) => body['text']);
/** What is in the composer: the rows between its borders. */
async function composer(terminal: TestTerminal): Promise<string> {
  const rows = (await terminal.text()).split('\n');
  const bottom = rows.findLastIndex(row => row.startsWith('──'));
  const top = rows.slice(0, bottom).findLastIndex(row => row.startsWith('──'));
  return rows.slice(top + 1, bottom).join('\n');
}

describe('opening', () => {
  it('opens the default conversation with its retained words, its backend and the workspace', async () => {
    greeted('Show the board');
    const { terminal } = console_();
    await terminal.shows(
      'Nexie\n  Hello, I am Nexie.',
      '1 Show the board',
      'rehearsal: no model is configured',
      '~/project',
      'Main',
    );
    expect(terminal.title).toContain('Main');
    expect(service.received).toEqual([]);
  });

  it('asks to be greeted when nothing was ever said', async () => {
    const { terminal } = console_();
    await until(() => texts().length === 1);
    expect(commands('/messages')[0]?.body).toMatchObject({
      text: '',
      expects: 0,
      workspace: '/home/ada/project',
    });
    service.world.reply('Hello, I am Nexie.');
    await terminal.shows('Hello, I am Nexie.');
    expect(await terminal.text()).not.toContain('you\n');
  });

  it('says nothing when another console was greeted first', async () => {
    service.refuse = ({ path }) => {
      if (!path.endsWith('/messages')) return null;
      const detail = 'Somebody was faster.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'revision_conflict', detail } };
    };
    const { terminal } = console_();
    await terminal.shows('Main');
    service.world.send('');
    service.world.reply('Hello, both of you.');
    await terminal.shows('Hello, both of you.');
    expect(await terminal.text()).not.toContain('faster');
  });

  it('shows what to do when there is no default conversation', async () => {
    service.refuse = ({ path }) => {
      if (path !== '/conversations/default') return null;
      const detail = 'There is no default conversation: run "hearth default c_…" to choose one.';
      return { status: 404, body: { type: 'x', title: 'x', status: 404, code: 'default_missing', detail } };
    };
    const { terminal } = console_();
    await terminal.shows('run "hearth default c_…"');
    expect(service.received).toEqual([]);
  });

  it('waits for a service that does not answer yet', async () => {
    greeted();
    const client = service.client();
    let found = 0;
    const dead = await TestService.start();
    const lost = dead.client();
    await dead.stop();
    const reconnect = () => (++found < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(client));
    const { terminal } = console_({ client: lost, reconnect });
    await terminal.shows('Hello, I am Nexie.');
    expect(found).toBe(3);
  });
});

describe('talking', () => {
  it('sends a message that may steer, with the workspace', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('what next?', '<enter>');
    await terminal.shows('you\n  what next?', 'working');
    expect(commands('/messages')[0]?.body).toMatchObject({
      text: 'what next?',
      delivery: 'steer',
      workspace: '/home/ada/project',
    });
  });

  it('shows text while it is being written, and then the words once', async () => {
    greeted();
    service.world.send('go on');
    const { terminal } = console_();
    await terminal.shows('working');
    await until(() => service.streams === 1);
    service.publish({ frame: 'draft', turn: 't2', node: 'chat', sequence: 1, text: 'Three things' });
    await terminal.shows('Nexie (writing…)\n  Three things');
    service.world.reply('Three things matter.');
    await terminal.shows('Nexie\n  Three things matter.');
    expect((await terminal.text()).split('Three things')).toHaveLength(2);
  });

  it('sends a quick reply by its number and Enter, and only from an empty composer', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = console_();
    await terminal.shows('2 What next?', 'A number, then Enter, sends it');
    terminal.press('a2');
    await terminal.shows(' a2');
    terminal.press('<backspace>', '<backspace>', '2');
    await terminal.shows('› 2 What next?', 'Enter sends this');
    expect(texts()).toEqual([]);
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['What next?']);
    await terminal.hides('2 What next?');
  });

  it.each([
    ['words', ['2 tickets please', '<enter>'], '2 tickets please'],
    ['more digits', ['12 of them', '<enter>'], '12 of them'],
    ['a number that is no reply', ['27', '<enter>'], '27'],
    ['an arrow and words', ['2', '<up>', 'hello', '<enter>'], 'hello'],
    ['another number', ['2', '1', '<enter>'], 'Show the board'],
    ['an arrow and Enter', ['1', '<down>', '<enter>'], 'What next?'],
    ['Esc and words', ['2', '<escape>', 'hello', '<enter>'], 'hello'],
  ])('takes a number before %s for what it is', async (_name, keys, sent) => {
    greeted('Show the board', 'What next?');
    const { terminal } = console_();
    await terminal.shows('2 What next?');
    terminal.press(...keys);
    await until(() => texts().length === 1);
    expect(texts()).toEqual([sent]);
  });

  it('takes a number before pasted words for their beginning', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = console_();
    await terminal.shows('2 What next?');
    terminal.press('2');
    terminal.paste(' tickets');
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['2 tickets']);
  });

  it('sends nothing by Enter when the replies have changed since the number', async () => {
    greeted('Show the board', 'What next?');
    const { terminal } = console_();
    await terminal.shows('2 What next?');
    terminal.press('2');
    await terminal.shows('› 2 What next?');
    service.world.send('meanwhile');
    service.world.reply('Done.', ['Keep it', 'Delete it']);
    await terminal.shows('2 Delete it');
    terminal.press('<enter>', 'no', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['no']);
  });

  it('takes a pasted number as text', async () => {
    greeted('Show the board');
    const { terminal } = console_();
    await terminal.shows('1 Show the board');
    terminal.paste('1');
    await until(() => true);
    terminal.press('x', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['1x']);
  });

  it('shows what other surfaces say, live and with their names', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    service.world.send('from the browser', { by: { kind: 'person', name: 'ada', surface: 'studio' } });
    service.world.send('from a script', { by: { kind: 'caller', name: 'cron', surface: 'cli' } });
    await terminal.shows(
      'you (studio)\n  from the browser',
      'cron (cli)\n  from a script\n  (waits in the queue)',
      '1 queued',
    );
  });

  it('shows two consoles the same', async () => {
    greeted();
    const one = console_().terminal;
    const two = console_().terminal;
    await one.shows('idle');
    await two.shows('idle');
    one.press('hello from one', '<enter>');
    await two.shows('hello from one', 'working');
    two.press('and from two', '<enter>');
    await one.shows('and from two');
    service.world.narrate('Reading both.');
    await one.shows('Reading both.');
    await two.shows('Reading both.');
    const words = (text: string) => text.split('────')[0]?.trim();
    expect(words(await one.text())).toBe(words(await two.text()));
  });
});

describe('answering', () => {
  it('decides by number and Enter, naming the pause', async () => {
    asked();
    const { terminal } = console_();
    await terminal.shows('Close HB-4?', '1 Close it', '2 Leave it');
    terminal.press('2');
    await terminal.shows('Enter chooses "Leave it"');
    expect(service.received).toEqual([]);
    terminal.press('<enter>');
    await terminal.shows('answered "Leave it" by you', 'working');
    expect(commands('/decisions')[0]?.body).toMatchObject({
      pause: 'p2',
      act: { do: 'answer', option: 'no' },
    });
    expect(texts()).toEqual([]);
  });

  it('decides by arrows and Enter', async () => {
    asked();
    const { terminal } = console_();
    await terminal.shows('1 Close it');
    terminal.press('<down>', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body['act']).toEqual({ do: 'answer', option: 'no' });
  });

  it('decides nothing by a stray Enter, Esc, Ctrl-C or by leaving', async () => {
    asked();
    const { terminal, code } = console_();
    await terminal.shows('1 Close it');
    terminal.press('<enter>', '<enter>', '<enter>');
    await terminal.shows('Number or arrows, then Enter');
    terminal.press('<escape>', '<ctrl-c>', '<ctrl-c>');
    expect(await code).toBe(0);
    expect(service.received).toEqual([]);
    expect(service.world.open).toHaveLength(1);
  });

  it('sends what is typed plainly as a message, and says that it waits', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('a message typed now waits until this is answered');
    terminal.press('12 or 2?', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['12 or 2?']);
    expect(commands('/decisions')).toEqual([]);
    await terminal.shows('12 or 2?\n  (waits in the queue)');
  });

  it('takes typed words as the answer only when the person asked for that', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('3 Type an answer…');
    terminal.press('3', '<enter>', 'only the old ones');
    await terminal.shows('your answer, for p2');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      pause: 'p2',
      act: { do: 'answer', text: 'only the old ones' },
    });
    expect(texts()).toEqual([]);
  });

  it('keeps a refused answer an answer, so that corrected it is no message', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('3 Type an answer…');
    service.refuse = ({ path }) =>
      path.endsWith('/decisions')
        ? {
            status: 409,
            body: {
              type: 'about:blank',
              title: 'Conflict',
              status: 409,
              code: 'invalid_choice',
              detail: 'Say more.',
            },
          }
        : null;
    terminal.press('3', '<enter>', 'only');
    await terminal.shows('your answer, for p2');
    terminal.press('<enter>');
    await terminal.shows('Say more.');
    await terminal.shows('your answer, for p2');
    service.refuse = () => null;
    terminal.press(' the old ones', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      act: { do: 'answer', text: 'only the old ones' },
    });
    expect(texts()).toEqual([]);
  });

  it('goes back from typing an answer with the words kept', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('3 Type');
    terminal.press('3', '<enter>', 'only');
    await terminal.shows('your answer, for p2');
    terminal.press('<escape>');
    await terminal.hides('your answer, for p2');
    terminal.press('<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['only']);
    expect(commands('/decisions')).toEqual([]);
  });

  it('keeps the words of an answer whose question was answered elsewhere', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('3 Type');
    terminal.press('3', '<enter>', 'my long answer');
    await terminal.shows('my long answer');
    service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    await terminal.shows('closed by bob (studio)');
    expect(await composer(terminal)).toContain('my long answer');
    expect(service.received).toEqual([]);
  });

  it('sends the words of an answer nowhere when its question is gone after a recovery', async () => {
    asked({ allowFreeText: true });
    const { terminal } = console_();
    await terminal.shows('3 Type');
    await until(() => service.streams === 1);
    terminal.press('3', '<enter>', 'my long answer');
    await terminal.shows('my long answer');
    let away = true;
    service.refuse = ({ path }) => (away && path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    service.world.reply('Left alone.');
    service.world.trim(1);
    away = false;
    await terminal.shows('closed by someone');
    expect(await composer(terminal)).toContain('my long answer');
    expect(service.received).toEqual([]);
  });

  it('answers the version of a card that was shown when the person began to type', async () => {
    greeted();
    service.world.send('plan it');
    const digest = `sha256:${'0'.repeat(64)}` as const;
    const action = {
      name: 'revise',
      label: 'Revise',
      needs: 'feedback',
      confirms: false,
      enabled: true,
      button: true,
    };
    const card = (version: number) => ({
      kind: 'card',
      status: 'shown',
      shown: { artifact: 'plan', version, digest },
      actions: [action],
      from: [],
      findings: [],
      earlier: [],
    });
    service.world.ask({ text: 'The plan', ...card(1) } as never);
    const { terminal } = console_();
    await terminal.shows('1 Revise');
    await until(() => service.streams === 1);
    terminal.press('1', '<enter>', 'shorter');
    await terminal.shows('shorter');
    service.world.redraft(card(2));
    await terminal.shows('version 2');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body).toMatchObject({
      version: 1,
      act: { do: 'act', action: 'revise', feedback: 'shorter' },
    });
  });

  it('takes a key that was meant for a question now gone for no answer to the next one', async () => {
    asked();
    const { terminal } = console_();
    await terminal.shows('1 Close it');
    terminal.press('1');
    await terminal.shows('Enter chooses "Close it"');
    service.world.answer('no', undefined, { kind: 'person', name: 'bob', surface: 'studio' });
    service.world.ask({ text: 'Delete the board?', options: [{ id: 'all', label: 'Delete all' }] });
    await terminal.shows('Delete all');
    terminal.press('<enter>', '<enter>');
    await terminal.shows('Number or arrows, then Enter');
    expect(commands('/decisions')).toEqual([]);
    terminal.press('1');
    await terminal.shows('Enter chooses "Delete all"');
    terminal.press('<enter>');
    await until(() => commands('/decisions').length === 1);
  });

  it('offers the choices of a recovery and shows why the work stopped', async () => {
    asked({
      kind: 'recovery',
      cause: 'failed',
      code: 'auth',
      detail: 'The key was refused.',
      text: 'The model did not answer.',
      choices: [{ id: 'again', label: 'Try again' }],
      unseen: [],
    });
    const { terminal } = console_();
    await terminal.shows(
      '! The work stopped (p2)',
      'The model did not answer.',
      'The key was refused.',
      '1 Try again',
    );
    terminal.press('1', '<enter>');
    await until(() => commands('/decisions').length === 1);
    expect(commands('/decisions')[0]?.body['act']).toEqual({ do: 'answer', option: 'again' });
  });

  it('says who was faster when a decision is refused', async () => {
    asked();
    const { terminal } = console_();
    await terminal.shows('1 Close it');
    service.refuse = ({ path }) => {
      if (!path.endsWith('/decisions')) return null;
      const detail = 'p2 was answered by bob.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'closed', detail } };
    };
    terminal.press('1', '<enter>');
    await terminal.shows('Your answer to p2 was not taken: p2 was answered by bob.');
  });
});

describe('a connection that fails', () => {
  it('is said plainly, and nothing is missing when it is back', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    await until(() => service.streams === 1);
    let refusing = true;
    service.refuse = ({ path }) => (refusing && path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    await terminal.shows('connection lost, reconnecting…');
    service.world.send('meanwhile', { by: { ...BOT, kind: 'person', name: 'bob', surface: 'studio' } });
    refusing = false;
    await terminal.shows('bob (studio)\n  meanwhile');
    await terminal.hides('connection lost');
  });

  it('gives words that were not sent back to their writer, and cannot double them', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    await until(() => service.streams === 1);
    service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    service.swallow = 5;
    terminal.press('precious words', '<enter>');
    await terminal.shows('back in the composer');
    expect(await composer(terminal)).toContain('precious words');
    terminal.press('<enter>');
    await until(() => service.swallow === 0);
    service.refuse = () => null;
    await terminal.shows('you\n  precious words');
    expect(texts()).toEqual(['precious words']);
    expect(
      service.world.log.filter(({ event }) => event.type === 'message' && event.text === 'precious words'),
    ).toHaveLength(1);
  });

  it('takes words out of the composer that had arrived after all', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    await until(() => service.streams === 1);
    service.refuse = ({ path }) => (path.endsWith('/stream') ? { status: 503, body: {} } : null);
    service.cut();
    service.swallow = 99;
    terminal.press('precious words', '<enter>');
    await terminal.shows('back in the composer');
    service.refuse = () => null;
    await terminal.shows('had arrived after all');
    expect(await composer(terminal)).not.toContain('precious');
  });

  it('gives refused words back in front of what was typed since', async () => {
    greeted();
    let answer: () => void = () => {};
    const client = service.client();
    const terminal = terminalOf();
    client.send = () =>
      new Promise((_resolve, reject) => {
        answer = () => reject(new HearthProblem({ code: 'too_large', status: 413, detail: 'Too long.' }));
      });
    console_({ client, terminal });
    await terminal.shows('idle');
    terminal.press('first', '<enter>');
    await terminal.shows('you (sending…)\n  first');
    terminal.press('second');
    answer();
    await terminal.shows('That was not sent: Too long.');
    expect(await composer(terminal)).toMatch(/first[^]*second/);
  });

  it('moves to a service that was started again', async () => {
    greeted();
    const other = await TestService.start();
    other.world.send('');
    other.world.reply('Hello, I am Nexie.');
    const { terminal } = console_({ reconnect: () => Promise.resolve(other.client()) });
    await terminal.shows('idle');
    await service.stop();
    terminal.press('still there?', '<enter>');
    await terminal.shows('you\n  still there?');
    expect(other.received.map(({ body }) => body['text'])).toEqual(['still there?']);
    await other.stop();
    service = await TestService.start();
  });

  it('to a service that was stopped is said plainly, and made again only when the person sends something', async () => {
    greeted();
    let started = 0;
    const start = async () => {
      started++;
      service = await TestService.start();
      greeted();
      return service.client();
    };
    const reconnect = () => (started === 0 ? Promise.reject(stopped()) : Promise.resolve(service.client()));
    const { terminal } = console_({ reconnect, start });
    await terminal.shows('idle');
    await service.stop();
    await terminal.shows('The service was stopped; send something to start it again.');
    terminal.press('/conversation', '<enter>');
    await terminal.shows('error: The service was stopped');
    expect(started).toBe(0);
    terminal.press('go on', '<enter>');
    await terminal.shows('you\n  go on', 'working');
    await terminal.hides('; send something to start it again. ·');
    expect(started).toBe(1);
    expect(texts()).toEqual(['go on']);
  });

  it('that is over for good does not claim to reconnect', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    await until(() => service.streams === 1);
    service.refuse = ({ path }) => {
      if (!path.endsWith('/stream')) return null;
      const detail = 'There is no such conversation.';
      const code = 'unknown_conversation';
      return { status: 404, body: { type: 'x', title: 'x', status: 404, code, detail } };
    };
    service.cut();
    await terminal.shows('There is no such conversation.', 'not connected any more');
    expect(await terminal.text()).not.toContain('reconnecting');
  });
});

describe('commands', () => {
  it('that are unknown are said to be, kept, and never sent', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('/frobnicate now', '<enter>');
    await terminal.shows('There is no command /frobnicate');
    expect(await composer(terminal)).toContain('/frobnicate now');
    expect(service.received).toEqual([]);
  });

  it('are not needed to send a slash', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('//etc is missing', '<enter>');
    await until(() => texts().length === 1);
    expect(texts()).toEqual(['/etc is missing']);
  });

  it('/help lists them all', async () => {
    greeted();
    const terminal = terminalOf(80, 40);
    console_({ terminal });
    await terminal.shows('idle');
    terminal.press('/help', '<enter>');
    await terminal.shows('/new [title]', '/conversation [id]', '/stop', '/quit', 'Ctrl-C');
  });

  it('/quit leaves, and gives the terminal back', async () => {
    greeted();
    const { terminal, code } = console_();
    await terminal.shows('idle');
    expect(await terminal.isAlternate()).toBe(true);
    terminal.press('/quit', '<enter>');
    expect(await code).toBe(0);
    expect(await terminal.isAlternate()).toBe(false);
    expect(await terminal.text()).toBe('Left "Main". What runs there goes on.');
    expect(terminal.started).toBe(false);
  });

  it('/new makes a conversation in the same scope and opens it', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('/new Release notes', '<enter>');
    await until(() => commands('/conversations').length === 1);
    expect(commands('/conversations')[0]?.body).toMatchObject({
      title: 'Release notes',
      scope: { kind: 'global' },
    });
  });

  it('/conversation opens a picker that Esc leaves, and text survives', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('/conversation', '<enter>');
    await terminal.shows('Conversations', 'open here · default');
    terminal.press('<escape>');
    await terminal.hides('Arrows and Enter');
    terminal.press('typed after', '<enter>');
    await until(() => texts().length === 1);
  });

  it.each([
    ['a wrong id', '/conversation c_zz', 'There is no conversation "c_zz"'],
    ['an id in part', `/conversation ${CONVERSATION.slice(0, 8)}`, 'Hello, I am Nexie.'],
    ['a title', '/conversation main', 'Hello, I am Nexie.'],
  ])('/conversation takes %s', async (_name, line, shown) => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press(line, '<enter>');
    await terminal.shows(shown);
  });

  it('/stop interrupts the turn that runs, and says so when none does', async () => {
    greeted();
    const { terminal } = console_();
    await terminal.shows('idle');
    terminal.press('/stop', '<enter>');
    await terminal.shows('No turn is running.');
    service.world.send('work');
    await terminal.shows('working');
    terminal.press('/stop', '<enter>');
    await until(() => commands('/interrupt').length === 1);
    expect(commands('/interrupt')[0]?.body['turn']).toBe('t2');
  });
});

describe('leaving', () => {
  it('needs Ctrl-C twice in an empty composer; with text it clears that first', async () => {
    greeted();
    const { terminal, code } = console_();
    await terminal.shows('idle');
    terminal.press('half a thought', '<ctrl-c>');
    await terminal.hides('half a thought');
    terminal.press('<ctrl-c>');
    await terminal.shows('Ctrl-C again quits');
    terminal.press('x', '<backspace>');
    await terminal.hides('Ctrl-C again quits');
    terminal.press('<ctrl-c>', '<ctrl-c>');
    expect(await code).toBe(0);
    expect(service.received).toEqual([]);
  });

  it('by a signal gives the terminal back and exits 130', async () => {
    greeted();
    const { terminal, code } = console_();
    await terminal.shows('idle');
    process.emit('SIGTERM', 'SIGTERM');
    expect(await code).toBe(130);
    expect(await terminal.isAlternate()).toBe(false);
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });
});

describe('the screen', () => {
  it('fits forty columns and every other size', async () => {
    greeted('A quick reply that is much too long for so narrow a terminal', 'B');
    service.world.send('tidy up');
    service.world.ask({ text: 'Close HB-4, the ticket with the very long name?', options: OPTIONS });
    const { terminal } = console_();
    await terminal.shows('1 Close it');
    for (const [columns, rows] of [
      [40, 16],
      [20, 10],
      [120, 40],
      [40, 12],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.shows('1 Close it');
    }
    terminal.press('still typing');
    await terminal.shows('still typing');
  });

  it('has no colours with NO_COLOR, and some without', async () => {
    greeted('Go on');
    const plain = console_().terminal;
    await plain.shows('1 Go on');
    const colour = console_({ env: { TERM: 'xterm' } }).terminal;
    await colour.shows('1 Go on');
    const colours = ['31m', '33m', '36m', '38;', '48;'].map(code => `\u001b[${code}`);
    expect(colours.filter(code => plain.raw.includes(code))).toEqual([]);
    expect(colours.filter(code => colour.raw.includes(code))).not.toEqual([]);
  });

  it('gives a refused quick reply back without what could act on the terminal', async () => {
    greeted('Close it\u001b]52;c;aGFjaw==\u0007 \u009b31mnow');
    const { terminal } = console_();
    await terminal.shows('1 Close it now');
    service.refuse = ({ path }) => {
      if (!path.endsWith('/messages')) return null;
      const detail = 'Not now.';
      return { status: 409, body: { type: 'x', title: 'x', status: 409, code: 'turn_active', detail } };
    };
    terminal.press('1', '<enter>');
    await terminal.shows('That was not sent: Not now.');
    expect(await composer(terminal)).toContain('Close it now');
    expect(['\u001b]52', 'aGFjaw', '\u009b'].filter(part => terminal.raw.includes(part))).toEqual([]);
  });

  it('passes on nothing that could act on the terminal', async () => {
    service.world.send('');
    service.world.tool('look\u001b]0;pwned\u0007');
    service.world.narrate('narr\u001b[2Jation');
    service.world.reply('rep\u001b]52;c;cHduZWQ=\u0007ly \u009b31m\u202Egnp', ['qu\u001b[5mick']);
    service.world.rename('ti\u001b]0;pwned\u0007tle');
    const { terminal } = console_();
    await terminal.shows('narration', 'reply', 'quick', 'title');
    const acting = ['pwned', 'cHduZWQ', '\u001b[5m', '\u009b', '\u202e'];
    expect(acting.filter(sequence => terminal.raw.includes(sequence))).toEqual([]);
    expect(terminal.title).not.toContain('pwned');
  });
});
