import { Attachment } from '@hearth/client/attachment.ts';
import { TestService } from '@hearth/client/testing/service.ts';
import { CONVERSATION } from '@hearth/client/testing/world.ts';
import type { RunSummary } from '@hearth/protocol/run.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Running } from './running.ts';

/* `/run`, over real HTTP. */

let service: TestService;
let attachment: Attachment;
let running: Running;
let told: string[];
const inside = `/conversations/${CONVERSATION}`;
const done = () => service.received.map(({ path, body }) => [path.slice(inside.length), body]);

const SUMMARY: RunSummary = {
  run: 'r1',
  status: 'working',
  plan: null,
  startedAt: null,
  endedAt: null,
  dropped: 0,
  turns: 2,
  pauses: 1,
  spend: { ...NO_SPEND, activeMs: 2000, tokens: 12 },
  nodes: [],
  tools: [],
};

beforeEach(async () => {
  service = await TestService.start();
  service.world.send('');
  told = [];
  attachment = new Attachment({
    client: service.client(),
    onChange: () => {},
    onReachable: () => {},
    onGone: () => {},
    onArrived: () => {},
  });
  running = new Running({ attachment, tell: (_severity, text) => told.push(text) });
  service.refuse = ({ path, method }) =>
    method === 'GET' && path === `${inside}/runs/r1` ? { status: 200, body: SUMMARY } : null;
  await attachment.open(null);
});
afterEach(async () => {
  attachment.close();
  await service.stop();
});

it('shows where the run stands and what it used', async () => {
  await running.run('');
  expect(told).toEqual(['Run: r1, working\nAt: chat\nUsed: 2.0 s, 12 tokens, $0.00, in 2 turns']);
});

it('pauses, resumes and cancels it, and says so', async () => {
  for (const what of ['pause', 'resume', 'cancel']) await running.run(what);
  expect(done().map(([path]) => path)).toEqual(['/runs/r1/pause', '/runs/r1/resume', '/runs/r1/cancel']);
  expect(told[0]).toBe('Run r1 is paused before its next step; /run resume takes it up again.');
});

it('raises a limit in its own unit, and nothing that is none', async () => {
  await running.run('raise burst duration 90m');
  await running.run('raise lifetime cost 2.5');
  expect(done()).toMatchObject([
    ['/budget', { ledger: 'burst', axis: 'duration', to: 5_400_000 }],
    ['/budget', { ledger: 'lifetime', axis: 'cost', to: 2.5 }],
  ]);
  await expect(running.run('raise burst cost much')).rejects.toThrow('"much" is no limit');
  await expect(running.run('raise burst')).rejects.toThrow('/run raise takes a ledger');
  await expect(running.run('faster')).rejects.toThrow('/run alone shows the run');
  await expect(running.run('cancel all')).rejects.toThrow('/run alone shows the run');
  expect(done()).toHaveLength(2);
});
