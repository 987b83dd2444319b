import { describe, expect, it } from 'vitest';
import { ready } from '../machine.ts';
import { drafted, reading, result, ReviewBench } from '../testing/review-plan.ts';

const refusal = (judged: ReturnType<ReviewBench['act']>): string =>
  'refused' in judged ? judged.refused.code : 'accepted';

describe('a proposal from the first draft to the result', () => {
  it('is shown with its actions, confirmed twice, and acted on', () => {
    const bench = new ReviewBench().toTask();
    expect(bench.card).toMatchObject({
      status: 'shown',
      title: 'The task',
      text: 'The task',
      shown: { artifact: 'task', version: 1 },
      assent: 'confirm',
    });
    expect(bench.card.actions.filter(({ button }) => button)).toMatchObject([
      { name: 'revise', needs: 'feedback', confirms: false, enabled: true },
      { name: 'confirm', needs: 'nothing', confirms: true, enabled: true },
      { name: 'stop', stops: true, enabled: true },
    ]);
    expect(bench.act('confirm')).toMatchObject({ did: { as: 'confirmed' } });
    expect(bench.standing).toEqual({ task: '1 confirmed' });
    expect(bench.open).toEqual([]);
    bench.gives(drafted('DO it slowly'));
    expect(bench.card).toMatchObject({
      shown: { artifact: 'plan', version: 1 },
      from: [{ artifact: 'task', version: 1 }],
    });
    bench.act('pseudo');
    expect(bench.standing).toEqual({ task: '1 confirmed', plan: '1 confirmed' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'execute', input: { mode: 'pseudocode' } },
    ]);
    bench.gives(result('It is done.'));
    expect(bench.open).toMatchObject([{ kind: 'chat', text: 'It is done.' }]);
    expect(bench.history).toEqual([
      'task@1 published',
      'task@1 confirmed',
      'plan@1 published',
      'plan@1 confirmed',
    ]);
    expect(bench.told('turn').at(-1)).toMatchObject({ change: 'completed' });
  });

  it('opens no card for what is refused before any artifact', () => {
    const bench = new ReviewBench();
    bench.send('something bad');
    bench.gives(drafted('', true));
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    expect(bench.history).toEqual([]);
  });
});

describe('a revision', () => {
  it('keeps the card and its pause, closes its actions, and shows the whole new version there', () => {
    const bench = new ReviewBench().toTask();
    const { id } = bench.card;
    expect(bench.act('revise', 'for two')).toMatchObject({ did: { as: 'revised', pause: id } });
    expect(bench.card).toMatchObject({
      id,
      status: 'drafting',
      shown: { version: 1 },
      keptFeedback: { action: 'revise', text: 'for two' },
    });
    expect(bench.card.actions.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(['stop']);
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'draft_task', input: { change: 'for two' } },
    ]);
    expect(refusal(bench.act('confirm'))).toBe('busy');
    bench.gives(drafted('DO it for two'));
    expect(bench.card).toMatchObject({ id, status: 'shown', shown: { version: 2 }, earlier: [1] });
    expect(bench.card.keptFeedback).toBeUndefined();
    const late = bench.decide(id, { do: 'act', action: 'confirm' }, { artifact: 'task', version: 1 });
    expect(refusal(late)).toBe('stale_version');
    expect(bench.told('pause.changed').map(({ why }) => why)).toEqual(['drafting', 'new_version']);
    expect(bench.history).toEqual(['task@1 published', 'task@1 superseded', 'task@2 published']);
  });

  it('of the plan keeps the confirmed task, and adds its words to the notes once it is made', () => {
    const bench = new ReviewBench().toPlan();
    bench.act('revise', 'primary sources only');
    expect(bench.standing).toEqual({ task: '1 confirmed', plan: '1 pending changing' });
    expect(bench.state.machine.run?.documents?.plan?.notes).toEqual([]);
    bench.gives(drafted('DO it from sources'));
    expect(bench.standing).toEqual({ task: '1 confirmed', plan: '2 pending' });
    expect(bench.state.machine.run?.documents?.plan?.notes).toEqual(['primary sources only']);
  });

  it('is what a confirmation with words is', () => {
    const bench = new ReviewBench().toTask();
    expect(bench.act('confirm', 'but for two')).toMatchObject({ did: { as: 'revised' } });
    expect(bench.standing).toEqual({ task: '1 pending changing' });
    const second = new ReviewBench().toPlan();
    expect(refusal(second.act('standard', 'but for two'))).toBe('kind_required');
    expect(second.standing).toEqual({ task: '1 confirmed', plan: '1 pending' });
  });
});

describe('a change request', () => {
  it('makes the plan invalid at once, and the task pending until it is confirmed anew', () => {
    const bench = new ReviewBench().toPlan();
    const { id } = bench.card;
    bench.act('change', 'for two');
    expect(bench.standing).toEqual({ task: '1 pending changing', plan: '1 invalidated' });
    expect(bench.open).toEqual([]);
    expect(refusal(bench.decide(id, { do: 'act', action: 'standard' }))).toBe('closed');
    bench.gives(drafted('DO it for two'));
    expect(bench.card).toMatchObject({ shown: { artifact: 'task', version: 2 } });
    bench.act('confirm');
    bench.gives(drafted('DO it for two slowly'));
    expect(bench.standing).toEqual({ task: '2 confirmed', plan: '2 pending' });
    expect(bench.history.slice(3)).toEqual([
      'task@1 invalidated',
      'plan@1 invalidated',
      'task@1 superseded',
      'task@2 published',
      'task@2 confirmed',
      'plan@2 published',
    ]);
  });

  it('while data is waited for clears that, and returns to the task', () => {
    const bench = new ReviewBench().toPlan();
    bench.act('standard');
    bench.gives(result('How many?', 'request_input'));
    expect(bench.open).toMatchObject([{ kind: 'input', actions: [{ name: 'change' }, { name: 'stop' }] }]);
    const [input] = bench.open;
    if (input === undefined) throw new Error('nothing is open');
    expect(refusal(bench.decide(input.id, { do: 'act', action: 'confirm' }))).toBe('wrong_state');
    bench.decide(input.id, { do: 'act', action: 'change', feedback: 'for two' });
    expect(bench.standing).toEqual({ task: '1 pending changing', plan: '1 invalidated' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'draft_task', input: { change: 'for two' } },
    ]);
  });

  it('is not what supplied data is: that is no third gate', () => {
    const bench = new ReviewBench().toPlan();
    bench.act('standard');
    bench.gives(result('How many?', 'request_input'));
    const [input] = bench.open;
    if (input === undefined) throw new Error('nothing is open');
    bench.decide(input.id, { do: 'answer', fields: { data: '42' } });
    expect(ready(bench.plan, bench.state)).toMatchObject([{ node: 'execute', input: { data: '42' } }]);
  });
});

describe('a change whose making is cut short', () => {
  const changed = (cut: (bench: ReviewBench) => void): ReviewBench => {
    const bench = new ReviewBench().toPlan();
    bench.act('change', 'for two');
    cut(bench);
    return bench;
  };
  const turn = (bench: ReviewBench) => bench.state.machine.turn?.id ?? 't0';
  const ada = { kind: 'person', name: 'ada', surface: 'console' } as const;

  it.each<[string, (bench: ReviewBench) => void]>([
    ['a crash', bench => bench.enter({ is: 'restarted', effects: [bench.start()] })],
    [
      'an interrupt',
      bench => {
        const effect = bench.start();
        bench.enter({ is: 'interrupted', turn: turn(bench), by: ada });
        bench.end(effect, { is: 'stopped' });
      },
    ],
    ['a pause of the run', bench => bench.enter({ is: 'paused', run: 'r1', by: ada })],
    [
      'a lost session',
      bench =>
        bench.end(bench.start(), { is: 'failed', code: 'session_lost', message: 'gone', began: false }),
    ],
  ])('by %s can be taken back: what it touched is pending again, and nothing of it is done', (_how, cut) => {
    const bench = changed(cut);
    const recovery = bench.open.find(pause => pause.kind === 'recovery');
    const choices = recovery?.kind === 'recovery' ? recovery.choices.map(({ id }) => id) : [];
    expect(choices.slice(-2)).toEqual(['withdraw', 'stop']);
    expect(refusal(bench.decide(recovery?.id ?? 'p0', { do: 'answer', option: 'withdraw' }))).toBe(
      'accepted',
    );
    expect(bench.standing).toEqual({ task: '1 pending', plan: '1 pending' });
    expect(bench.card).toMatchObject({ status: 'shown', shown: { artifact: 'task', version: 1 } });
    expect(bench.card.keptFeedback).toBeUndefined();
    expect(bench.open).toHaveLength(1);
    expect(ready(bench.plan, bench.state)).toEqual([]);
  });

  it('is not offered where no change was asked for', () => {
    const bench = new ReviewBench();
    bench.send('please');
    bench.enter({ is: 'restarted', effects: [bench.start()] });
    const [recovery] = bench.open;
    expect(recovery?.kind === 'recovery' ? recovery.choices.map(({ id }) => id) : []).toEqual([
      'again',
      'it_happened',
      'stop',
    ]);
  });
});

describe('stop', () => {
  it('closes the case from the card', () => {
    const bench = new ReviewBench().toPlan();
    expect(bench.act('stop')).toMatchObject({ did: { as: 'stopped' } });
    expect(bench.standing).toEqual({ task: '1 closed', plan: '1 closed' });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    expect(bench.told('turn').at(-1)).toMatchObject({ change: 'cancelled', code: 'STOPPED' });
  });

  it('works while another version is made, of whatever version it is taken, and what comes late is not taken', () => {
    const bench = new ReviewBench().toTask();
    bench.act('revise', 'for two');
    const effect = bench.start();
    const stopped = bench.decide(
      bench.card.id,
      { do: 'act', action: 'stop' },
      { artifact: 'task', version: 7 },
    );
    expect(refusal(stopped)).toBe('accepted');
    expect(bench.standing).toEqual({ task: '1 closed' });
    bench.end(effect, { is: 'done', output: drafted('DO it for two') });
    expect(bench.standing).toEqual({ task: '1 closed' });
    expect(bench.history.filter(line => line.endsWith('published'))).toEqual(['task@1 published']);
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
  });

  it('works at work: an interrupt takes the edge for it, and the turn is cancelled', () => {
    const bench = new ReviewBench().toPlan();
    bench.act('standard');
    const effect = bench.start();
    const turn = bench.state.machine.turn?.id ?? 't0';
    bench.enter({ is: 'interrupted', turn, by: { kind: 'person', name: 'ada', surface: 'console' } });
    bench.end(effect, { is: 'stopped' });
    expect(bench.open).toMatchObject([{ kind: 'chat' }]);
    expect(bench.told('turn').at(-1)).toMatchObject({ change: 'cancelled', code: 'interrupted' });
  });
});

describe('typed words', () => {
  const say = (bench: ReviewBench, text: string) => bench.decide(bench.card.id, { do: 'say', text });

  it('are read beside the graph, from the body and the words alone, and act like a button', () => {
    const bench = new ReviewBench().toPlan();
    const { id } = bench.card;
    say(bench, 'add a database');
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'read_words', input: { body: 'DO it slowly', message: 'add a database' }, beside: true },
    ]);
    expect(bench.card).toMatchObject({ id, status: 'shown' });
    bench.gives(reading({ task: 'a database', plan: 'faster', agrees: true }));
    expect(bench.standing).toEqual({ task: '1 pending changing', plan: '1 invalidated' });
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'draft_task', input: { change: 'add a database' } },
    ]);
  });

  it('confirm only the version that they were said of', () => {
    const bench = new ReviewBench().toTask();
    say(bench, 'yes, that is it');
    const effect = bench.start();
    bench.act('revise', 'for two');
    bench.end(effect, { is: 'done', output: reading({ agrees: true }) });
    bench.gives(drafted('DO it for two'));
    expect(bench.standing).toEqual({ task: '2 pending' });
  });

  it('that nobody understands change nothing and are asked about', () => {
    const bench = new ReviewBench().toTask();
    say(bench, 'hmm');
    bench.gives(reading());
    expect(bench.card).toMatchObject({ status: 'shown', shown: { version: 1 } });
    expect(bench.standing).toEqual({ task: '1 pending' });
    expect(bench.told('message').at(-1)?.text).toMatch(/^It is not clear/);
  });

  it('are answered, put off, noted, or begin a new case', () => {
    const bench = new ReviewBench().toTask();
    const { id } = bench.card;
    say(bench, 'what does ENDIF mean?');
    bench.gives(reading({ kind: 'question' }));
    bench.gives({ text: 'It ends an IF.' });
    expect(bench.told('message').at(-1)).toMatchObject({ text: 'It ends an IF.' });
    say(bench, 'which is best?');
    bench.gives(reading({ kind: 'later' }));
    expect(bench.told('message').at(-1)?.text).toBe('That is answered after the confirmation.');
    say(bench, 'by hand please');
    bench.gives(reading({ plan: 'by hand' }));
    expect(bench.state.machine.run?.documents?.plan?.notes).toEqual(['by hand please']);
    expect(bench.card).toMatchObject({ id, status: 'shown', shown: { version: 1 } });
    say(bench, 'forget that, paint it');
    bench.gives(reading({ kind: 'new_task' }));
    expect(bench.standing).toEqual({});
    expect(bench.open).toEqual([]);
    bench.gives(drafted('PAINT it'));
    expect(bench.card).toMatchObject({ shown: { artifact: 'task', version: 2 }, earlier: [] });
    expect(bench.state.machine.run?.documents?.plan).toBeUndefined();
  });

  it('are refused where nobody reads them', () => {
    const plain = new ReviewBench().toTask();
    const node = plain.plan.nodes.check_task;
    if (node?.kind !== 'review') throw new Error('no review');
    const bench = new ReviewBench({
      ...plain.plan,
      nodes: { ...plain.plan.nodes, check_task: { ...node, reader: null } },
    }).toTask();
    expect(refusal(say(bench, 'yes'))).toBe('wrong_state');
  });
});

describe('findings', () => {
  it('let a draft be made once more, and stand beside the second, which nobody changes', () => {
    const bench = new ReviewBench();
    bench.send('please');
    bench.gives(drafted('OUTPUT: a table'));
    expect(bench.history).toEqual([]);
    expect(ready(bench.plan, bench.state)).toMatchObject([
      { node: 'draft_task', attempt: 2, findings: [{ code: 'label', line: 1 }] },
    ]);
    bench.gives(drafted('RESULT: a list'));
    expect(bench.card).toMatchObject({ shown: { version: 1 }, findings: [{ code: 'label', line: 1 }] });
    expect(bench.state.machine.run?.documents?.task?.body).toBe('RESULT: a list');
  });

  it('of the first draft are gone when the second has none', () => {
    const bench = new ReviewBench();
    bench.send('please');
    bench.gives(drafted('OUTPUT: a table'));
    bench.gives(drafted('PRESENT a table'));
    expect(bench.card.findings).toEqual([]);
    bench.act('revise', 'for two');
    bench.gives(drafted('OUTPUT: for two'));
    expect(ready(bench.plan, bench.state)).toMatchObject([{ attempt: 2, input: { change: 'for two' } }]);
  });
});
