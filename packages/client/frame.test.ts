import { describe, expect, it } from 'vitest';
import { readFrame } from './frame.ts';

const event = {
  v: 1,
  seq: 3,
  at: '2026-01-01T00:00:00.000Z',
  type: 'notice',
  code: 'x',
  severity: 'info',
  text: 'y',
};
const framed = (inner: unknown) => JSON.stringify({ frame: 'event', cursor: '1.3.abcdef', event: inner });

describe('a frame', () => {
  it.each([
    ['an event', framed(event), { frame: 'event', cursor: '1.3.abcdef', event }],
    [
      'an event of a newer kind',
      framed({ ...event, type: 'hologram' }),
      { event: { type: 'unsupported', name: 'hologram', seq: 3 } },
    ],
    ['an event that is rubbish', framed(7), { event: { type: 'unsupported', name: 'unreadable', seq: 3 } }],
    ['a heartbeat', '{"frame":"heartbeat","at":"now"}', { frame: 'heartbeat', at: 'now' }],
    ['one of a newer kind', '{"frame":"hologram","x":1}', { frame: 'unsupported', name: 'hologram' }],
    ['a known one that does not fit', '{"frame":"draft"}', { frame: 'unsupported', name: 'draft' }],
  ])('of %s', (_name, data, read) => {
    expect(readFrame(data)).toMatchObject(read);
  });

  it.each(['', 'nonsense', '7', '{"x":1}'])('is none: %j', data => {
    expect(readFrame(data)).toBeNull();
  });
});
