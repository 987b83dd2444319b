import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import { PresenceLine } from '@hearth/conversations/presence.ts';
import { HomeFrame } from '@hearth/protocol/frame.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { presencePath } from './presence.ts';
import { endAll, newHome, type Served, serve } from './testing/served.ts';

/* How a conversation that waits for its person is noticed, and how the person is called. */

afterEach(endAll);

const lines = (home: string): PresenceLine[] =>
  existsSync(presencePath(home))
    ? readFileSync(presencePath(home), 'utf8')
        .split('\n')
        // What follows the last of them is still being written.
        .slice(0, -1)
        .map(line => PresenceLine.parse(JSON.parse(line)))
    : [];
const ways = (home: string): string[] => lines(home).map(line => line.is);

/** A home with a command that writes down what it was told. */
function homeWithCommand(command?: readonly string[]): { home: string; told: () => string[] } {
  const home = newHome();
  const out = join(home, 'workspace', 'told');
  writeFileSync(
    join(home, 'settings.json'),
    JSON.stringify({
      notification: { command: command ?? [process.execPath, '-e', SCRIBE, out, '$(touch x)', '; y'] },
    }),
  );
  return { home, told: () => (existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : []) };
}
/** Writes its arguments, its environment and its stdin as one line. */
const SCRIBE = `
  const fs = require('node:fs');
  const [out, ...words] = process.argv.slice(1);
  const { HEARTH_TITLE: title, HEARTH_TEXT: text, HEARTH_KIND: kind, MY_API_KEY: key } = process.env;
  const stdin = JSON.parse(fs.readFileSync(0, 'utf8'));
  fs.appendFileSync(out, JSON.stringify({ words, title, text, kind, key, stdin }) + '\\n');`;

const broken = () => [fail('quota', 'No credit is left; $(touch here) `touch there`.', true)];

async function breakOne(served: Served, title = 'Talk') {
  const c = await served.conversation(title);
  await served.client.send(c, { text: 'go', delivery: 'queue' });
  await served.until(c, view => view.state === 'waiting');
  return c;
}
const until = async (fits: () => boolean): Promise<void> => {
  while (!fits()) await new Promise(resolve => setTimeout(resolve, 10));
};

describe('presence', () => {
  test('is told in the stream of the home and noted without words of anybody', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const served = await serve(() => [gate(promise), ...broken()]);
    const stream = await served.fetch('/v1/stream');
    const c = await served.conversation();
    await served.client.send(c, { text: 'go', delivery: 'queue' });
    await until(() => ways(served.home).includes('working'));
    resolve();
    await until(() => ways(served.home).includes('waiting_user'));
    await served.service.stop();
    const frames = (await stream.text()).split('\n').flatMap(line => {
      const parsed = line.startsWith('data: ') ? HomeFrame.parse(JSON.parse(line.slice(6))) : null;
      return parsed?.frame === 'presence' ? [parsed.presence] : [];
    });
    expect(frames.at(-1)).toMatchObject({ is: 'waiting_user', what: { kind: 'recovery' } });
    expect(frames.map(presence => presence.is)).toContain('working');
    expect(readFileSync(presencePath(served.home), 'utf8')).not.toContain('credit');
    expect(statSync(presencePath(served.home)).mode & 0o777).toBe(0o600);
  });

  test('a torn line and one that is no line are left out, and what follows is whole', async () => {
    const home = newHome();
    const first = await serve(broken, { home });
    const c = await breakOne(first);
    await until(() => ways(home).includes('waiting_user'));
    await first.service.stop();
    const before = lines(home);
    writeFileSync(presencePath(home), `${readFileSync(presencePath(home), 'utf8')}nonsense\n{"v":1,"at`);
    const again = await serve(broken, { home });
    await breakOne(again);
    await again.service.stop();
    expect(lines(home).find(line => line.conversation === c)).toEqual(before.at(-1));
  });
});

describe('the command', () => {
  test('runs once for a pause, with words as words, and not again after a restart', async () => {
    const { home, told } = homeWithCommand();
    const first = await serve(broken, { home, env: { MY_API_KEY: 'sk-secret-secret' } });
    const title = 'A "title" $(touch z)';
    const c = await breakOne(first, title);
    await until(() => told().length > 0);
    const [line = ''] = told();
    const told0 = JSON.parse(line) as {
      words: string[];
      title: string;
      text: string;
      stdin: object;
      key?: string;
    };
    expect(told0).toMatchObject({
      words: ['$(touch x)', '; y'],
      title,
      kind: 'recovery',
      stdin: { conversation: c, title },
    });
    expect(told0.text).toContain('$(touch here)');
    expect(told0.key).toBeUndefined();
    await first.service.stop();

    const again = await serve(() => [reply('x')], { home });
    await again.client.get(c);
    await again.client.patch(c, { title: 'Another title' });
    await until(() => lines(home).length > 0);
    await again.service.stop();
    expect(told()).toHaveLength(1);
    expect(['x', 'y', 'z', 'here', 'there'].some(name => existsSync(join(home, name)))).toBe(false);
  });

  test.each([
    ['is not there', ['/nowhere/to/be/found']],
    ['fails', [process.execPath, '-e', 'process.exit(3)']],
  ])('that %s is in the log and nowhere else', async (_, command) => {
    const { home } = homeWithCommand(command);
    const served = await serve(broken, { home });
    const c = await breakOne(served);
    const log = (): string => readFileSync(join(home, 'logs', 'service.log'), 'utf8');
    await until(() => log().includes('notification_failed'));
    expect((await served.client.get(c)).state).toBe('waiting');
  });
});

describe('40: metrics', () => {
  const rows = (home: string): unknown[] => {
    const path = join(home, 'metrics', 'turn-settled.jsonl');
    if (!existsSync(path)) return [];
    // Whole lines only: the file is there a moment before its first one.
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    return lines.map(line => JSON.parse(line) as unknown);
  };

  test('a row for each turn, which outlives its conversation', async () => {
    const served = await serve(() => [reply('SENTINEL reply')]);
    const c = await served.conversation();
    await served.client.send(c, { text: 'SENTINEL words', delivery: 'queue' });
    await until(() => rows(served.home).length === 1);
    await served.client.close(c);
    expect(rows(served.home)).toMatchObject([
      { conversation: c, turn: 't1', outcome: 'completed', tools: {} },
    ]);
    expect(JSON.stringify(rows(served.home))).not.toContain('SENTINEL');
  });

  test('rows that cannot be written leave the turn as it is', async () => {
    const home = newHome();
    writeFileSync(join(home, 'metrics'), 'in the way');
    chmodSync(join(home, 'metrics'), 0o600);
    const served = await serve(() => [reply('hello')], { home });
    const c = await served.conversation();
    await served.client.send(c, { text: 'go', delivery: 'queue' });
    await served.until(c, view => view.state === 'idle' && view.turn === null);
    const log = (): string => readFileSync(join(home, 'logs', 'service.log'), 'utf8');
    await until(() => log().includes('metrics_failed'));
  });
});
