import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCode } from '../support/agent-kinds.ts';
import { AgentService } from '../support/agent-service.ts';
import { partsOf } from '../support/recorded-moves.ts';

/* Nexie on the real Claude Code, in the real service: the model behind it does what our own recording holds. */

const TICKETS = [
  'Paint the door',
  'Fix a typo in the readme',
  'Sweep the path',
  'Plan the invoices export',
  'Order new seed trays',
];

let one: AgentService;

beforeEach(async () => {
  one = await AgentService.open(claudeCode, null);
  const tickets = TICKETS.map(title => ({ title, state: 'inbox' }));
  await one.client.importTickets(one.project, 'tickets.json', JSON.stringify(tickets));
});
afterEach(() => one.close());

test('a day with Nexie, as it was recorded, with a restart while a question waits', async () => {
  expect((await one.client.status()).backend).toMatchObject({ name: 'claude-code' });
  for (const { person, moves, told } of partsOf('whats-next', 'a-day', claudeCode.dialect)) {
    let report: Awaited<ReturnType<AgentService['told']>>;
    if (person.is === 'message') {
      report = await one.told(person.text, ...moves);
    } else {
      // The service goes down while the question waits, and comes up again.
      await one.restart();
      one.provider.forget().plays(...moves);
      const [open] = await one.pauses('question');
      if (open === undefined) throw new Error('no question is open');
      report = await one.decided(open.id, person.act);
    }
    expect(report.state === 'waiting' ? report.questions[0]?.text : report.reply).toBe(told);
  }
  const ids = ['HB-2', 'HB-3', 'HB-4', 'HB-5'];
  const states = await Promise.all(ids.map(id => one.client.ticket(one.project, id)));
  expect(states.map(ticket => ticket.state)).toEqual(['ready', 'done', 'inbox', 'inbox']);
  expect(states[1]?.comments).toHaveLength(1);
  const log = await one.events();
  const sessions = log.flatMap(event => (event.type === 'session' ? [event.change] : []));
  expect(sessions).toEqual(['opened', ...sessions.slice(1).map(() => 'resumed')]);
  expect(sessions).toHaveLength(7);
  expect(log).toContainEqual(expect.objectContaining({ type: 'narration', text: 'Reading the board.' }));
  expect(log).toContainEqual(expect.objectContaining({ type: 'run', change: 'ended', reason: 'done' }));
  expect((await one.client.get(one.c)).budget.lifetime.tokens).toBeGreaterThan(0);
}, 300_000);
