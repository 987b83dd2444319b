import type { SessionMode } from '@hearth/language/plan/node.ts';
import type { Values } from '@hearth/language/value.ts';
import { describe, expect, it } from 'vitest';
import type { Effect } from './machine.ts';
import { sessionStart } from './session.ts';
import type { SessionRef } from './state.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { sampleRun } from './testing/sample-run.ts';

const recap = { turns: [{ who: 'person', text: 'Hello' } as const] };
const stamp: Values = { _session_id: 's1', _session_fingerprint: 'f1' };

function begin(
  session: SessionMode,
  input: Values,
  more: {
    outputs?: Record<string, Values>;
    slots?: Record<string, SessionRef>;
    slot?: string;
    signer?: string | null;
    branch?: string;
    recorded?: SessionRef;
  } = {},
) {
  const sample = chatPlan({
    agent: { session, ...(more.slot === undefined ? {} : { sessionSlot: more.slot }) },
  });
  const node = sample.nodes['bot'];
  if (node?.kind !== 'agent') throw new Error('no agent');
  const plan = { ...sample, nodes: { ...sample.nodes, second: { ...node, name: 'second' } } };
  const effect: Effect = {
    id: 'e2',
    kind: 'agent',
    branch: more.branch ?? null,
    node: 'bot',
    attempt: 1,
    input,
    resume: more.recorded === undefined ? null : { session: more.recorded, answers: [] },
    joined: [],
  };
  const run = sampleRun({
    outputs: more.outputs ?? { bot: stamp },
    ...(more.slots === undefined ? {} : { slots: more.slots }),
  });
  return sessionStart(node, effect, { plan, run, recap, signer: more.signer ?? null });
}

const resumed = (strict: boolean, id = 's1', fingerprint = 'f1') => ({
  start: { mode: 'resume', id, fingerprint, strict, recap },
});
const fresh = { start: { mode: 'fresh' } };

describe('how a session begins', () => {
  it.each<[SessionMode, unknown]>([
    ['fresh', fresh],
    ['artifacts_only', fresh],
    ['inherit', resumed(true)],
    ['inherit_if_available', resumed(false)],
    ['fork', { start: { mode: 'fork', id: 's1', fingerprint: 'f1', strict: true, recap } }],
    ['persist', fresh],
  ])('%s, with a session in its input', (mode, expected) => {
    expect(begin(mode, stamp)).toEqual(expected);
  });

  it.each<SessionMode>(['inherit', 'inherit_if_available', 'fork'])(
    '%s begins anew when nothing brings a session',
    mode => {
      expect(begin(mode, {})).toEqual(fresh);
      expect(begin(mode, { _session_id: '' })).toEqual(fresh);
    },
  );

  it('goes on in what a broken or parked effect recorded, whatever the input says', () => {
    const recorded = { id: 's9', fingerprint: 'f9' };
    expect(begin('fresh', stamp, { recorded })).toEqual(resumed(false, 's9', 'f9'));
    expect(begin('inherit', stamp, { recorded })).toEqual(resumed(true, 's9', 'f9'));
    expect(begin('persist', {}, { recorded, slots: { bot: { id: 's2', fingerprint: 'f2' } } })).toEqual(
      resumed(false, 's9', 'f9'),
    );
  });
});

describe('where a session comes from', () => {
  const forged = { _session_id: 's7', _session_fingerprint: 'f1' };

  it('R13.7: refuses an id that no agent gave, where the node insists on one', () => {
    for (const mode of ['inherit', 'fork'] as const) {
      expect(begin(mode, forged)).toEqual({ refused: expect.stringContaining('no agent of this run') });
    }
  });

  it('begins anew with what was said and tells of it, where the node does not insist', () => {
    expect(begin('inherit_if_available', forged)).toEqual({
      start: { mode: 'fresh', recap },
      degraded: expect.stringContaining('not taken'),
    });
  });

  it.each([
    ['a person', 'chat'],
    ['a compute node', 'gate'],
  ])('does not believe %s', (_who, node) => {
    expect(begin('inherit', stamp, { outputs: { [node]: stamp } })).toHaveProperty('refused');
  });

  it('R13.6: does not take a session under another signature than the one it was given with', () => {
    expect(begin('inherit', { ...stamp, _session_fingerprint: 'f2' })).toHaveProperty('refused');
  });

  it('takes a session that two agents went on with, but not one that they sign differently', () => {
    const other = { _session_id: 's1', _session_fingerprint: 'f2' };
    expect(begin('inherit', stamp, { outputs: { bot: stamp, second: stamp } })).toEqual(resumed(true));
    expect(begin('inherit', { _session_id: 's1' }, { outputs: { bot: stamp, second: other } })).toEqual({
      refused: expect.stringContaining('different signers'),
    });
  });

  it('resumes by the id alone: the signature comes from the stamp', () => {
    expect(begin('inherit', { _session_id: 's1' })).toEqual(resumed(true));
  });
});

describe('a copy of a session', () => {
  it.each([
    ['another signer', stamp, 'f2'],
    ['no fingerprint in the input', { _session_id: 's1' }, 'f1'],
  ])('is not made with %s: a new session, which is told', (_why, input, signer) => {
    expect(begin('fork', input, { signer })).toEqual({
      ...fresh,
      degraded: expect.stringContaining('new one'),
    });
  });

  it('is made when who signs now is not known', () => {
    expect(begin('fork', stamp, { signer: null })).toHaveProperty('start.mode', 'fork');
  });

  it('leaves a plain resume to another signer alone', () => {
    expect(begin('inherit', stamp, { signer: 'f2' })).toEqual(resumed(true));
  });
});

describe('a session that the run keeps', () => {
  const slots = { bot: { id: 's3', fingerprint: 'f3' }, shared: { id: 's4', fingerprint: 'f4' } };

  it('is the node’s own, or that of its slot', () => {
    expect(begin('persist', {}, { slots })).toEqual(resumed(false, 's3', 'f3'));
    expect(begin('persist', {}, { slots, slot: 'shared' })).toEqual(resumed(false, 's4', 'f4'));
  });

  it('is for the trunk alone, and not for what an edge brings', () => {
    expect(begin('persist', {}, { slots, branch: 'branch_a' })).toEqual(fresh);
    expect(begin('persist', stamp, {})).toEqual(fresh);
  });
});
