import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamFrame } from './frame.ts';
import type { Model } from './view.ts';
import { modelFrom, openPauses, quickReplies, reduce, shownPause, transcript } from './view.ts';
import type { Placed } from './testing/world.ts';
import { BOT, CONVERSATION, World } from './testing/world.ts';

const frame = (placed: Placed): StreamFrame => ({ frame: 'event', ...placed });
const seqOf = (cursor: string): number => Number(cursor.split('.')[1]);

function empty(): Model {
  return modelFrom(new World().view(), []);
}

function live(world: World, from: Model = empty()): Model {
  return world.log.reduce((model, placed) => reduce(model, frame(placed)), from);
}

/** What must not depend on how the events arrived. */
function essence(model: Model): unknown {
  const { now, items, shown, seq } = model;
  return { now, items, shown, seq };
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
  world => world.interrupt(),
  (world, text) => world.reply(text, ['Go on', 'Stop']),
  (world, text) => world.rename(text),
  (world, text) => world.notice(text),
];

const worlds = fc
  .array(fc.record({ move: fc.nat(MOVES.length - 1), text: fc.constantFrom('hello', 'go on', 'ça va') }), {
    maxLength: 40,
  })
  .map(script => {
    const world = new World();
    for (const { move, text } of script) MOVES[move]!(world, text);
    return world;
  });

describe('any split into backlog and live', () => {
  it('gives the same model as following from the start', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), fc.nat(), (world, at, more) => {
        const whole = live(world);
        const view = world.views[at % world.views.length]!;
        const known = seqOf(view.head);
        const paged = known + (more % (world.log.length - known + 1));
        const start = modelFrom(view, world.log.slice(0, paged));
        const model = world.log.slice(paged).reduce((m, placed) => reduce(m, frame(placed)), start);
        expect(essence(model)).toEqual(essence(whole));
      }),
    );
  });

  it('arrives at the state that the service itself reports', () => {
    fc.assert(
      fc.property(worlds, world => {
        const { now, shown } = live(world);
        expect(now).toEqual(modelFrom(world.view(), []).now);
        expect(shown).toEqual(world.open.find(pause => pause.kind !== 'chat')?.id ?? null);
      }),
    );
  });

  it('ignores events that come again', () => {
    fc.assert(
      fc.property(worlds, fc.array(fc.nat(), { maxLength: 8 }), (world, cuts) => {
        let model = empty();
        let at = 0;
        for (const cut of [...cuts, world.log.length]) {
          const to = cut % (world.log.length + 1);
          for (const placed of world.log.slice(Math.max(0, at - 7), to)) model = reduce(model, frame(placed));
          at = Math.max(at, to);
        }
        model = live(world, model);
        expect(essence(model)).toEqual(essence(live(world)));
      }),
    );
  });

  it('is the same object when an event comes again', () => {
    const world = new World();
    world.send('hello');
    const model = live(world);
    expect(reduce(model, frame(world.log[0]!))).toBe(model);
  });
});

describe('recovery', () => {
  it('takes the state from the view and the words from the boundary on', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (world, keep) => {
        const before = live(world);
        world.trim(keep % (world.log.length + 1));
        const recovery = {
          code: 'cursor_expired',
          resetCursor: world.retained,
          stateCursor: world.head,
          view: world.view(),
        } as const;
        const model = live(world, reduce(before, { frame: 'recover', recovery }));
        expect(model.now).toEqual(before.now);
        expect(model.items).toEqual(live(world, modelFrom(world.view(), [], world.retained)).items);
        for (const pause of openPauses(model)) {
          expect(transcript(model).filter(item => item.key === pause.id)).toHaveLength(1);
        }
      }),
    );
  });

  it('never lets an event up to the state change what can be acted on', () => {
    const world = new World();
    world.send('hello');
    world.ask();
    const asked = world.log.length;
    world.answer('yes');
    const recovery = {
      code: 'cursor_expired',
      resetCursor: '1.0.000000',
      stateCursor: world.head,
      view: world.view(),
    } as const;
    let model = reduce(empty(), { frame: 'recover', recovery });
    for (const placed of world.log.slice(0, asked)) model = reduce(model, frame(placed));
    expect(shownPause(model)).toBeNull();
    expect(model.items.map(item => item.is)).toContain('asked');
  });
});

describe('the state of a reply', () => {
  it('moves what can be acted on at once, and the events that led to it do not move it back', () => {
    const world = new World();
    world.send('hello');
    world.ask();
    const before = live(world);
    const known = world.log.length;
    world.answer('yes');
    world.reply('Done.', ['Next']);
    let model = reduce(before, { frame: 'view', view: world.view() });
    expect(quickReplies(model)).toEqual(['Next']);
    model = world.log.slice(known).reduce((m, placed) => reduce(m, frame(placed)), model);
    expect(essence(model)).toEqual(essence(live(world)));
  });

  it('is ignored when it is older than what is known', () => {
    const world = new World();
    world.send('hello');
    const old = world.view();
    world.ask();
    const model = live(world);
    expect(reduce(model, { frame: 'view', view: old })).toBe(model);
  });
});

describe('the shown pause', () => {
  it('R13.23: stays until it closes, however the others are ordered', () => {
    const world = new World();
    world.send('hello');
    const first = world.ask();
    const other = { ...world.open[0]!, id: 'p9' } as Pause;
    const model = live(world);
    const view = { ...world.view(), pauses: [other, ...world.view().pauses] };
    const more = reduce(model, { frame: 'view', view });
    expect(shownPause(more)?.id).toBe(first);
    expect(openPauses(more).map(pause => pause.id)).toEqual(['p9', first]);
    world.answer('yes');
    expect(
      shownPause(reduce(more, { frame: 'view', view: { ...view, pauses: view.pauses.toReversed() } }))?.id,
    ).toBe(first);
    const after = { ...world.view(), pauses: [other] };
    expect(shownPause(reduce(more, { frame: 'view', view: after }))?.id).toBe('p9');
  });
});

describe('quick replies', () => {
  it('are at most four, and gone as soon as a message leaves home base', () => {
    const world = new World();
    world.send('hello');
    expect(quickReplies(live(world))).toEqual([]);
    world.reply('Hi.', ['a', 'b', 'c', 'd', 'e']);
    expect(quickReplies(live(world))).toEqual(['a', 'b', 'c', 'd']);
    world.send('b');
    expect(quickReplies(live(world))).toEqual([]);
  });

  it('are words only, so that what is shown is what is sent', () => {
    const world = new World();
    world.send('');
    world.reply('Hello.', ['Close it\u001b]52;c;aGFjaw==\u0007 now', '\u001b[2J', 'two\nlines']);
    expect(quickReplies(modelFrom(world.view(), []))).toEqual(['Close it now', 'two lines']);
  });
});

describe('the transcript', () => {
  it('draws the words of a reply once and an empty message never', () => {
    const world = new World();
    world.send('');
    world.reply('Hello, I am Nexie.');
    expect(live(world).items).toMatchObject([{ is: 'replied', text: 'Hello, I am Nexie.', by: BOT }]);
  });

  it('folds the tools of a turn that follow one another and updates them in place', () => {
    const world = new World();
    world.send('hello');
    world.tool('list_tickets');
    world.tool('list_tickets');
    world.tool('show_ticket');
    world.narrate('Two are stale.');
    world.tool('show_ticket');
    const items = live(world).items.slice(1);
    expect(items.map(item => item.is)).toEqual(['tools', 'narrated']);
    expect(items[0]).toMatchObject({
      calls: [
        { change: 'completed', ms: 5 },
        { change: 'completed', title: 'show_ticket it' },
      ],
    });
  });

  it('marks a pause with how it was answered, and by whom', () => {
    const world = new World();
    world.send('hello');
    world.ask();
    const by = { kind: 'person', name: 'ada', surface: 'studio' } as const;
    world.answer('yes', undefined, by);
    expect(live(world).items.at(-1)).toMatchObject({
      is: 'asked',
      closed: { how: 'answered', option: 'yes', by },
    });
  });

  it('tells what became of each message', () => {
    const world = new World();
    world.send('one');
    world.send('two', { delivery: 'steer' });
    world.send('three');
    expect(live(world).now.queue.map(row => row.head)).toEqual(['two', 'three']);
    world.absorb();
    world.reply('Done.');
    const fates = live(world).items.flatMap(item => (item.is === 'said' ? [item.fate] : []));
    expect(fates).toEqual([null, 'absorbed', 'consumed']);
    expect(live(world).now.queue).toEqual([]);
  });

  it('keeps the place of an event of an unknown kind', () => {
    const model = reduce(empty(), {
      frame: 'event',
      cursor: '1.7.abcdef',
      event: { v: 1, seq: 7, at: '', type: 'unsupported', name: 'hologram' },
    });
    expect(model.cursor).toBe('1.7.abcdef');
    expect(model.items).toMatchObject([{ is: 'told', code: 'unsupported' }]);
  });
});

describe('drafts', () => {
  const draft = (sequence: number, text: string): StreamFrame => ({
    frame: 'draft',
    turn: 't1',
    node: 'chat',
    sequence,
    text,
  });

  it('grow, ignore what comes late, and end with the durable words', () => {
    const world = new World();
    world.send('hello');
    let model = reduce(reduce(live(world), draft(2, 'Hello, I')), draft(1, 'Hello'));
    expect(model.draft?.text).toBe('Hello, I');
    world.notice('by the way');
    model = live(world, model);
    expect(model.draft?.text).toBe('Hello, I');
    world.reply('Hello, I am Nexie.');
    expect(live(world, model).draft).toBeNull();
  });

  it('do not outlive the connection that brought them', () => {
    const model = reduce(empty(), draft(1, 'Hel'));
    expect(reduce(model, { frame: 'link', link: { is: 'lost', why: '' } }).draft?.text).toBe('Hel');
    expect(reduce(model, { frame: 'link', link: { is: 'connected' } }).draft).toBeNull();
  });
});

describe('words that are being sent', () => {
  it('are replaced by the message with their command id, and by no other', () => {
    const world = new World();
    const sending = { commandId: 'command-00000001', text: 'hello', files: [] };
    let model = reduce(empty(), { frame: 'sending', sending });
    world.send('hello');
    model = live(world, model);
    expect(model.sending).toEqual([sending]);
    world.send('hello', { commandId: 'command-00000001' });
    expect(live(world, model).sending).toEqual([]);
  });

  it('are taken back when they were not accepted', () => {
    const model = reduce(empty(), {
      frame: 'sending',
      sending: { commandId: 'command-00000001', text: 'x', files: [] },
    });
    expect(reduce(model, { frame: 'unsent', commandId: 'command-00000001' }).sending).toEqual([]);
  });
});

it('R13.29: knows its conversation', () => {
  expect(empty().id).toBe(CONVERSATION);
});

it('shows which files came with words, as they come and from the history', () => {
  const world = new World();
  world.send('look');
  const file = { blob: `sha256:${'0'.repeat(64)}`, bytes: 5, name: 'a.txt', mime: 'text/plain' } as const;
  const brought = world.log.map(({ event, cursor }) =>
    event.type === 'message' ? { cursor, event: { ...event, attachments: [file] } } : { cursor, event },
  );
  const model = brought.reduce((shown, placed) => reduce(shown, { frame: 'event', ...placed }), empty());
  expect(model.items.find(item => item.is === 'said')).toMatchObject({ files: [file] });
});
