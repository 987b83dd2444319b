import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from './item.ts';
import { historyOf } from './testing/history.ts';
import { World } from './testing/world.ts';
import type { Model } from './view.ts';
import { modelFrom, reduce, transcript } from './view.ts';

function modelOf(world: World): Model {
  return modelFrom(world.view(), world.log, world.retained);
}

/** The model after so many pages were read back, or all of them. */
function readBack(world: World, model: Model, turns: number, pages = Number.POSITIVE_INFINITY): Model {
  let next = model;
  for (let page = 0; page < pages && next.past.before !== null; page += 1) {
    const { before } = next.past;
    next = reduce(next, { frame: 'past', before, page: historyOf(world, before, turns) });
  }
  return next;
}

/** What is drawn of words, questions and answers, the log's and the transcript's alike. */
function told(items: readonly Item[]): unknown[] {
  return items.flatMap<unknown>(item => {
    switch (item.is) {
      case 'said':
      case 'replied':
        return [[item.message, item.text]];
      case 'asked':
        return [[item.pause.id, item.pause.text, item.closed?.option ?? null]];
      case 'recalled':
        return [[item.pause, item.text, item.closed?.option ?? null]];
      default:
        return [];
    }
  });
}

type Move = (world: World, text: string) => void;
const MOVES: Move[] = [
  (world, text) => void world.send(text),
  (world, text) => void world.send(text, { delivery: 'steer' }),
  (world, text) => world.narrate(text),
  world => world.tool('list_tickets'),
  world => void world.ask(),
  world => void world.ask({ blocking: false }),
  world => world.answer('yes'),
  world => world.absorb(),
  (world, text) => world.reply(text),
];

const scripts = fc.array(
  fc.record({ move: fc.nat(MOVES.length - 1), text: fc.constantFrom('hello', 'go on', 'ça va', '  ') }),
  { maxLength: 50 },
);

function play(world: World, script: readonly { move: number; text: string }[]): World {
  for (const { move, text } of script) MOVES[move]!(world, text);
  return world;
}

describe('what lies before the log', () => {
  it('is read back without a gap or a double, wherever the boundary lies, also inside a commit', () => {
    fc.assert(
      fc.property(scripts, fc.nat(60), fc.integer({ min: 1, max: 4 }), (script, keep, turns) => {
        const world = play(new World(), script);
        const whole = modelOf(world);
        world.trim(keep + 1);
        const read = readBack(world, modelOf(world), turns);
        expect(told(transcript(read))).toEqual(told(transcript(whole)));
        const keys = transcript(read).map(item => item.key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 300 },
    );
  });

  it('goes on through resets, each under its border', () => {
    const world = play(new World(), [
      { move: 0, text: 'one' },
      { move: 8, text: 'first' },
    ]);
    world.reset();
    world.send('two');
    world.reply('second');
    world.reset();
    const model = modelOf(world);
    expect(transcript(model)).toMatchObject([{ is: 'told', code: 'reset' }]);
    const read = readBack(world, model, 20);
    expect(transcript(read).map(item => ('text' in item ? item.text : item.is))).toEqual([
      'one',
      'first',
      'A fresh context begins here.',
      'two',
      'second',
      'A fresh context begins here.',
    ]);
    expect(read.past).toMatchObject({ before: null, end: 'beginning' });
  });

  it('says that nothing is before a conversation’s beginning', () => {
    const world = play(new World(), [{ move: 0, text: 'one' }]);
    expect(modelOf(world).past).toMatchObject({ before: null, end: 'beginning' });
  });

  it('leaves out a page that was asked for before the log began anew', () => {
    const world = new World();
    for (const text of ['one', 'two', 'three']) {
      world.send(text);
      world.reply(text);
    }
    world.trim(4);
    const model = modelOf(world);
    const { before } = model.past;
    const page = historyOf(world, before, 1);
    world.trim(1);
    const recovery = {
      code: 'cursor_expired',
      resetCursor: world.retained,
      stateCursor: world.head,
      view: world.view(),
    } as const;
    const anew = reduce(model, { frame: 'recover', recovery });
    expect(anew.past.before).not.toBe(before);
    expect(reduce(anew, { frame: 'past', before: before ?? 0, page })).toBe(anew);
  });

  it('tells how a question ended whose opening only the transcript knows', () => {
    const world = new World();
    world.send('close it');
    world.ask({ text: 'Sure?' });
    world.trim(1);
    const waits = readBack(world, modelOf(world), 5);
    // While it is open it is drawn whole, once.
    expect(transcript(waits).filter(item => item.key === 'p1')).toMatchObject([{ is: 'asked' }]);
    const from = world.log.length;
    world.answer('yes');
    world.reply('done');
    const ended = world.log
      .slice(from)
      .reduce((model, placed) => reduce(model, { frame: 'event', ...placed }), modelOf(world));
    const read = readBack(world, ended, 5);
    expect(transcript(read).find(item => item.key === 'p1')).toMatchObject({
      text: 'Sure?',
      closed: { how: 'answered', option: 'yes' },
    });
  });
});
