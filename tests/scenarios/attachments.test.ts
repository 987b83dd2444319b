import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { scenario } from './harness.ts';
import { agent, agents, flow, from, HEAD, home, text } from './parts.ts';

/* Files that a person hands over: as an attachment of the bot, for the whole run, and with a message, for its turn. */

const sha = (content: string): string => createHash('sha256').update(content).digest('hex');
const at = (content: string, name: string): string =>
  `/hearth/conversations/c_/epochs/1/files/${sha(content)}/${name}`;

const FILES = `attachments:\n  doc: file\n    required: true\n  pic: image\n\n`;

describe('an attachment of the bot', () => {
  const source =
    FILES +
    HEAD +
    `prompt about:\n  {{attachments.doc.mime}} {{attachments.doc.size}} {{attachments.doc.sha256}} {{attachments.doc}} {{attachments.pic}} {{outputs.kind.text}}\n\n` +
    agent('reader').replace('user: words', 'user: about') +
    text('kind', "if(length(input.mime) > 0, input.mime, 'none')") +
    home() +
    flow(
      'kind',
      'kind -> reader',
      `reader -> home with ${from('reader')}`,
      'home -> kind as talk(5) with { mime: "{{attachments.doc.mime}}" }',
    );
  const given = { text: 'read it', files: [{ name: 'a b.md', text: 'hello', as: 'doc' }] };

  test('is read by its parts in prompts, by its path alone, and one that nobody gave stays as it is written', async () => {
    const { asked } = await scenario({ source, world: agents(() => 'read'), says: [given] });
    const host = `[hearth] Attached: a b.md (text/markdown, 5 bytes), at ${at('hello', 'a_b.md')}\n`;
    expect(asked).toEqual([
      `reader: ${host}text/markdown 5 ${sha('hello')} ${at('hello', 'a_b.md')} {{attachments.pic}} none`,
    ]);
  });

  test('lasts for the run, and is read by `with` too', async () => {
    const world = agents(({ prompt }) => prompt.user.split(' ').at(-1) ?? '');
    const { replies, asked } = await scenario({ source, world, says: [given, 'again'] });
    expect(replies).toEqual(['none', 'text/markdown']);
    // The second message brought nothing of its own.
    expect(asked[1]).toBe(
      `reader: text/markdown 5 ${sha('hello')} ${at('hello', 'a_b.md')} {{attachments.pic}} text/markdown`,
    );
  });
});

test('a file of a message is named to the agents of its turn, and to no other', async () => {
  const source =
    HEAD +
    agent('one') +
    agent('two') +
    home() +
    flow(
      'home',
      `home -> one with { text: "{{outputs.home.message}}" }`,
      `one -> two with ${from('one')}`,
      `two -> home as talk(5) with ${from('two')}`,
    );
  const said = { text: 'look', files: [{ name: 'x.png', text: 'pixels' }] };
  const { asked } = await scenario({
    source,
    world: agents(turn => turn.node),
    says: ['hi', said, 'and now'],
  });
  const host = `[hearth] Attached: x.png (image/png, 6 bytes), at ${at('pixels', 'x.png')}\n`;
  expect(asked).toEqual([`one: ${host}look`, `two: ${host}one`, 'one: and now', 'two: one']);
});

test('a run that begins with a message that waited works on the files of the run before', async () => {
  const source =
    FILES +
    HEAD +
    `prompt about:\n  {{attachments.doc.sha256}}\n\n` +
    agent('reader').replace('user: words', 'user: about') +
    flow('reader', 'reader -> done');
  const { asked } = await scenario({
    source,
    world: agents(),
    says: [{ text: 'first', files: [{ name: 'd.txt', text: 'd', as: 'doc' }] }, 'second'],
  });
  expect(asked.map(line => line.slice(-64))).toEqual([sha('d'), sha('d')]);
});
