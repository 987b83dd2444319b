import { describe, expect, it } from 'vitest';
import { COMMANDS, helpText, readLine } from './commands.ts';
import { commandCompletion } from './completion.ts';

describe('a line', () => {
  it.each([
    ['hello', { is: 'message', text: 'hello' }],
    ['//etc is gone', { is: 'message', text: '/etc is gone' }],
    ['/new\nis a word', { is: 'message', text: '/new\nis a word' }],
    ['/quit', { is: 'command', command: { name: 'quit' }, argument: '' }],
    ['/QUIT', { is: 'command', command: { name: 'quit' } }],
    ['/new  Release   notes', { is: 'command', command: { name: 'new' }, argument: 'Release notes' }],
    ['/conversation', { is: 'command', command: { name: 'conversation' }, argument: '' }],
    ['/', { is: 'wrong' }],
    ['/etc/passwd', { is: 'wrong', why: expect.stringContaining('no command /etc/passwd') }],
    ['/quit now', { is: 'wrong', why: expect.stringContaining('takes no argument') }],
  ])('%j is read as %j', (text, line) => {
    expect(readLine(text)).toMatchObject(line);
  });
});

it('every command is in the help', () => {
  for (const { name, help } of COMMANDS) expect(helpText()).toMatch(new RegExp(`/${name}.*: ${help}`));
});

describe('completion', () => {
  const options = { signal: new AbortController().signal };
  const names = async (text: string) =>
    (await commandCompletion.getSuggestions([text], 0, text.length, options))?.items.map(item => item.value);

  it('offers the commands that begin so', async () => {
    expect(await names('/')).toEqual(COMMANDS.map(one => `/${one.name}`));
    expect(await names('/co')).toEqual(['/conversation']);
    expect(await names('/re')).toEqual(['/rename', '/reset', '/restore']);
    expect(await names('/x')).toBeUndefined();
    expect(await names('see /co')).toBeUndefined();
  });

  it('puts the whole name in place of its beginning', () => {
    const item = { value: '/conversation', label: '' };
    expect(commandCompletion.applyCompletion(['/co'], 0, 3, item, '/co')).toEqual({
      lines: ['/conversation'],
      cursorLine: 0,
      cursorCol: 13,
    });
  });
});
