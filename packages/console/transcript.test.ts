import { visibleWidth } from '@earendil-works/pi-tui';
import type { Input, Model } from '@hearth/client/view.ts';
import { modelFrom, reduce } from '@hearth/client/view.ts';
import { BOT, CONVERSATION, PERSON, World } from '@hearth/client/testing/world.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemLines } from './item-lines.ts';
import { themeFor } from './theme.ts';
import { botName, Transcript } from './transcript.ts';

const theme = themeFor({ NO_COLOR: '1' });
const drawing = {
  theme,
  me: PERSON,
  whole: (text: unknown) => (typeof text === 'string' ? text : 'long'),
  held: () => null,
};

function live(world: World): Model {
  return world.log.reduce(
    (model, placed) => reduce(model, { frame: 'event', ...placed }),
    modelFrom(new World().view(), []),
  );
}

function drawn(model: Model, width = 60): string {
  const transcript = new Transcript(drawing);
  transcript.show(model, []);
  return transcript
    .render(width)
    .map(line => line.trimEnd())
    .join('\n');
}

const NASTY = [
  '漢字漢字漢字',
  'a'.repeat(200),
  '👩‍💻👩‍💻',
  '# Title\n\n- one\n- two',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```js\nconst x = 1;\n```',
  '\u001b[31mred',
  '>'.repeat(4000),
  '_'.repeat(8000),
  '',
  '   ',
];

/** A conversation in which a bit of everything happens, with these words. */
function everything(words: string): World {
  const world = new World();
  world.send(words, { by: { kind: 'person', name: words || 'x', surface: 'studio' } });
  world.narrate(words);
  for (let i = 0; i < 5; i++) {
    world.tool(words || 'tool');
    world.tool(words || 'tool');
  }
  world.ask({ text: words, options: [{ id: 'a', label: words }] });
  world.answer('a');
  world.notice(words);
  world.ask({
    kind: 'permission',
    rule: 'bash(ls)',
    text: words,
    call: { id: '1', tool: 'bash', args: { command: words }, digest: `sha256:${'0'.repeat(64)}` },
  } as Partial<Pause> as never);
  world.answer('once');
  world.reply(words);
  world.rename(words);
  return world;
}

describe('every line', () => {
  it('fits the width, whatever the words', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 2, max: 120 }),
        (words, width) => {
          const model = live(everything(words));
          const transcript = new Transcript(drawing);
          transcript.show(model, [{ after: 0, severity: 'error', text: words }]);
          for (const line of transcript.render(width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('an item', () => {
  it('names who speaks: you, the bot, or another surface', () => {
    const world = new World();
    world.send('one');
    world.reply('two');
    world.send('three', { by: { ...PERSON, surface: 'studio' } });
    world.send('four', { by: { kind: 'caller', name: 'cron', surface: 'cli' } });
    expect(drawn(live(world))).toBe(
      'you\n  one\n\nNexie\n  two\n\nyou (studio)\n  three\n\ncron (cli)\n  four\n  (waits in the queue)',
    );
  });

  it('folds finished steps, and never one that failed', () => {
    const world = new World();
    world.send('go');
    for (const name of ['a', 'b', 'c', 'd']) {
      world.tool(name);
      world.tool(name);
    }
    expect(drawn(live(world))).toContain('→ 4 steps done, the last: b it; c it; d it');
    world.tool('e');
    expect(drawn(live(world))).toContain(
      '→ a it (done)\n→ b it (done)\n→ c it (done)\n→ d it (done)\n→ e it (…)',
    );
    const failed = {
      is: 'tools',
      key: 'k',
      seq: 1,
      at: '',
      turn: null,
      calls: ['a', 'b', 'c', 'd', 'e'].map(call => ({
        call,
        name: call,
        title: null,
        ms: 1,
        change: call === 'c' ? 'failed' : 'completed',
        detail: call === 'c' ? 'no such file' : null,
      })),
    } as const;
    expect(itemLines(failed as never, 60, drawing)).toEqual([
      '→ 4 steps done, the last: b; d; e',
      '→ c (failed): no such file',
    ]);
  });

  it('shows exactly what a permission is asked for', () => {
    const world = everything('rm -rf build');
    expect(drawn(live(world), 80)).toContain('bash {\n    "command": "rm -rf build"\n  }');
    expect(drawn(live(world), 80)).toContain('answered "Allow once" by you');
  });

  it('marks an open pause with its words and nothing more', () => {
    const world = new World();
    world.send('go');
    world.ask({ text: 'Sure?' });
    expect(drawn(live(world))).toMatch(/\? A question \(p1\)\n {2}Sure\?$/);
  });
});

describe('the transcript', () => {
  it('draws nothing again that has not changed', () => {
    let texts = 0;
    const transcript = new Transcript({
      ...drawing,
      whole: text => (texts++, typeof text === 'string' ? text : ''),
      held: () => null,
    });
    const world = new World();
    for (let i = 0; i < 50; i++) {
      world.send(`m${i}`);
      world.reply(`r${i}`);
    }
    const model = live(world);
    transcript.show(model, []);
    const first = transcript.render(60);
    const cost = texts;
    expect(transcript.render(60)).toBe(first);
    world.send('one more');
    transcript.show(live(world), []);
    const grown = [world.log.at(-1), world.log.at(-2), world.log.at(-3)].flatMap(placed =>
      placed === undefined ? [] : [placed],
    );
    const next = grown
      .reverse()
      .reduce((m, placed) => reduce(m, { frame: 'event', ...placed } as Input), model);
    transcript.show(next, []);
    transcript.render(60);
    expect(texts - cost).toBeLessThanOrEqual(1);
  });

  it('puts a notice where it happened', () => {
    const world = new World();
    world.send('one');
    const after = world.log.length;
    world.reply('two');
    const transcript = new Transcript(drawing);
    transcript.show(live(world), [{ after, severity: 'warning', text: 'here' }]);
    expect(
      transcript
        .render(60)
        .map(line => line.trimEnd())
        .join('\n'),
    ).toBe('you\n  one\n\n! warning: here\n\nNexie\n  two');
  });

  it('shows words on their way and text being written, at the end', () => {
    const world = new World();
    world.send('one');
    let model = live(world);
    model = reduce(model, { frame: 'draft', turn: 't1', node: 'chat', sequence: 1, text: 'Well' });
    model = reduce(model, {
      frame: 'sending',
      sending: { commandId: 'c'.repeat(16), text: 'two', files: [] },
    });
    expect(drawn(model)).toBe('you\n  one\n\nwhats-next (writing…)\n  Well\n\nyou (sending…)\n  two');
  });
});

it('calls the bot by the name it signs with', () => {
  const world = new World();
  expect(botName(live(world))).toBe('whats-next');
  world.send('');
  world.reply('Hello.');
  expect(botName(live(world))).toBe(BOT.name);
  expect(live(world).id).toBe(CONVERSATION);
});
