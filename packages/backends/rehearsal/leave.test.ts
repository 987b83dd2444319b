import type { ToolCall } from '@hearth/engine/tool.ts';
import { expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';

test('a call that waits for leave is not made and parks the turn; with leave it is made, once (B14)', async () => {
  const playing = new Stage([ticket(1, 'Fix typo in the footer'), ticket(2, 'Dark mode')]);
  const make = playing.call.bind(playing);
  const asked: ToolCall[] = [];
  let allowed = false;
  playing.call = call => {
    if (allowed || call.name !== 'close_issue') return make(call);
    asked.push(call);
    return Promise.resolve({ content: null, parks: true });
  };
  const waits = await playing.say('close HB-1');
  expect(waits.last).toEqual({ type: 'parked', asks: [], permits: [] });
  expect(asked).toMatchObject([{ name: 'close_issue', args: { id: 'HB-1' } }]);
  expect(playing.find('HB-1').state).toBe('backlog');
  allowed = true;
  expect((await playing.say('close HB-1')).changes).toEqual(['close_issue HB-1']);
  expect(playing.find('HB-2').state).toBe('backlog');
});
