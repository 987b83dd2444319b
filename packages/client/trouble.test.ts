import { describe, expect, it } from 'vitest';
import { World } from './testing/world.ts';
import { isStale, type Model, modelFrom, reduce } from './view.ts';

/* What a surface shows while nothing can be saved, and while it is not connected. */

const problem = { code: 'disk_full', detail: 'The disk is full.' };

function working(): { world: World; model: Model } {
  const world = new World();
  world.send('hello');
  return { world, model: modelFrom(world.view(), world.log) };
}

describe('a conversation that cannot be saved', () => {
  it('shows why, and shows no work, from the moment at which it is told so', () => {
    const { world, model } = working();
    const cut = reduce(model, { frame: 'cut', code: 'not_saved', resumeFrom: world.head, problem });
    expect(cut).toMatchObject({ trouble: problem, now: { turn: { status: 'waiting' } } });
  });

  it('is well again with the next event, and with a view that says so', () => {
    const { world, model } = working();
    const cut = reduce(model, { frame: 'cut', code: 'not_saved', resumeFrom: world.head, problem });
    expect(reduce(cut, { frame: 'view', view: world.view() }).trouble).toBeNull();
    world.ask();
    const [asked] = world.log.slice(-1);
    expect(reduce(cut, { frame: 'event', ...asked! }).trouble).toBeNull();
  });

  it('is shown as such by whoever comes later, and after a recovery', () => {
    const { world, model } = working();
    const view = { ...world.view(), trouble: problem };
    expect(modelFrom(view, world.log).trouble).toEqual(problem);
    const recovery = {
      code: 'cursor_expired',
      resetCursor: world.head,
      stateCursor: world.head,
      view,
    } as const;
    expect(reduce(model, { frame: 'recover', recovery }).trouble).toEqual(problem);
  });

  it('is not told of by a service that cuts for another reason', () => {
    const { world, model } = working();
    expect(reduce(model, { frame: 'cut', code: 'consumer_too_slow', resumeFrom: world.head })).toBe(model);
  });
});

describe('what is not followed now', () => {
  it('is stale until it is connected', () => {
    const { model } = working();
    const links = [
      { is: 'connecting' },
      { is: 'lost', why: 'x' },
      { is: 'reconnecting', attempt: 1, inMs: 0 },
      { is: 'stopped', why: 'x' },
      { is: 'connected' },
    ] as const;
    const stale = links.map(link => isStale(reduce(model, { frame: 'link', link })));
    expect(stale).toEqual([true, true, true, true, false]);
  });
});
