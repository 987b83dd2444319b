import { describe, expect, test } from 'vitest';
import { explore, type Model, traps } from './testing/model-check.ts';
import type { State } from './state.ts';
import { planOf } from './testing/plan-of.ts';

/*
 * All states that small plans can come to, whatever backends, people and crashes do: nothing waits for nobody, every node
 * is asked something that is there, the parts of a state fit one another, and rest can be come to from everywhere.
 */

const HEAD = `schema said:
  text: string

schema verdict:
  text: string
  good: bool

schema request:
  message: string

prompt words:
  {{input.text}}

human home:
  output: request

`;
const agent = (name: string, output = 'said', more = ''): string =>
  `agent ${name}:\n  model: "m"\n  user: words\n  output: ${output}\n${more}\n`;
const form = (name: string): string => `human ${name}:\n  output: said\n  pause: input\n\n`;
const meet = (strategy: string): string =>
  `compute meet:\n  output: said\n  await: ${strategy}\n  expr:\n    text: "'met'"\n\n`;
const flow = (...edges: string[]): string => `workflow w:\n  entry: home\n  ${edges.join('\n  ')}\n`;
const ASKED = 'with { text: "{{outputs.home.message}}" }';
const SAID = [{ text: 'a' }];
const FORK = 'router all:\n  mode: fan_out_all\n\n';

const REVIEW = `artifact first:
  body: text

artifact second:
  body: text
  from: [first]

schema said:
  text: string

schema request:
  message: string

schema draft:
  text: string

schema reading:
  act: string

prompt drafting:
  {{input.text}} {{artifacts.first}} {{artifacts.second}}

human home:
  output: request

`;
const maker = (name: string, artifact: string): string =>
  `agent ${name}:\n  model: "m"\n  user: drafting\n  output: draft\n  publish: ${artifact}\n\n`;
const worker = (...required: string[]): string =>
  `agent work:\n  model: "m"\n  user: drafting\n  requires: [${required.join(', ')}]\n\n`;
const review = (name: string, artifact: string, ...actions: string[]): string =>
  `review ${name}:\n  artifact: ${artifact}\n  reader: read\n  actions:\n    ${actions.join('\n    ')}\n\n`;
const READER = 'agent read:\n  model: "m"\n  output: reading\n\n';
const DRAFTS = [{ text: 'a' }, { text: '' }];

const MODELS: Readonly<Record<string, () => Model>> = {
  'a chat with a gate and a queue': () => ({
    plan: planOf(
      HEAD +
        agent('bot', 'verdict', '  interaction: human\n') +
        flow('home -> bot as talk(2) ' + ASKED, 'bot -> done when good', 'bot -> home'),
    ),
    outputs: {
      bot: [
        { text: 'a', good: true },
        { text: 'a', good: false },
      ],
    },
    asking: ['bot'],
    operated: true,
    queue: 2,
  }),
  'a loop of agents that is used up': () => ({
    plan: planOf(
      HEAD +
        agent('worker') +
        agent('critic', 'verdict') +
        flow(
          `home -> worker as talk(2) ${ASKED}`,
          'worker -> critic with { text: "{{outputs.worker.text}}" }',
          'critic -> home when good',
          'critic -> worker as improve(1) with { text: "{{outputs.critic.text}}" }',
        ),
    ),
    outputs: {
      worker: SAID,
      critic: [
        { text: 'a', good: true },
        { text: 'a', good: false },
      ],
    },
  }),
  'a fork of which all must succeed': () => ({
    plan: planOf(
      HEAD +
        FORK +
        agent('one', 'said', '  interaction: human\n') +
        form('two') +
        meet('wait_all') +
        flow(
          'home -> all as talk(2)',
          `all -> one ${ASKED}`,
          `all -> two ${ASKED}`,
          'one -> meet',
          'two -> meet',
          'meet -> home',
        ),
    ),
    outputs: { one: SAID, two: SAID },
    asking: ['one'],
    queue: 0,
    operated: true,
  }),
  'a fork that does with what it gets, one branch at a time': () => ({
    plan: planOf(
      HEAD +
        FORK +
        agent('one') +
        agent('two', 'said', '  interaction: human\n') +
        meet('best_effort') +
        flow(
          'budget:\n    max_parallel_branches: 1',
          'home -> all as talk(2)',
          `all -> one ${ASKED}`,
          `all -> two ${ASKED}`,
          'one -> meet',
          'two -> meet',
          'meet -> home',
        ),
    ),
    outputs: { one: SAID, two: SAID },
    asking: ['two'],
    queue: 0,
  }),
  'a fork in a fork, of which one may fail': () => ({
    plan: planOf(
      HEAD +
        FORK +
        'router inner:\n  mode: fan_out_all\n\n' +
        agent('one') +
        agent('two') +
        agent('three') +
        'compute join_up:\n  output: said\n  expr:\n    text: "\'both\'"\n\n' +
        meet('best_effort') +
        flow(
          'home -> all as talk(1)',
          'all -> inner',
          `all -> three ${ASKED}`,
          `inner -> one ${ASKED}`,
          `inner -> two ${ASKED}`,
          'one -> join_up',
          'two -> join_up',
          'join_up -> meet',
          'three -> meet',
          'meet -> home',
        ),
    ),
    outputs: { one: SAID, two: SAID, three: SAID },
    queue: 0,
  }),
  'a router where a model chooses, several ways at once': () => ({
    plan: planOf(
      HEAD +
        'router pick:\n  mode: llm\n  model: "m"\n  multi: true\n\n' +
        agent('one') +
        agent('two') +
        meet('wait_all') +
        flow(
          `home -> pick as talk(2) ${ASKED}`,
          `pick -> one ${ASKED}`,
          `pick -> two ${ASKED}`,
          'one -> meet',
          'two -> meet',
          'meet -> home',
        ),
    ),
    queue: 0,
    outputs: {
      one: SAID,
      two: SAID,
      pick: [
        { selected_routes: ['one'], reasoning: '' },
        { selected_routes: ['one', 'two'], reasoning: '' },
      ],
    },
  }),
  'a node that waits for what agents asked, in a branch and behind it': () => ({
    plan: planOf(
      'dsl: 2\n\n' +
        HEAD +
        FORK +
        agent('one', 'said', '  interaction: async\n') +
        agent('two') +
        'await_answers early:\n  from: [one]\n  timeout: "1m"\n\n' +
        'await_answers late:\n  timeout: "1m"\n  await: wait_all\n\n' +
        flow(
          'home -> all as talk(2)',
          `all -> one ${ASKED}`,
          `all -> two ${ASKED}`,
          'one -> early',
          'early -> late',
          'two -> late',
          'late -> home',
        ),
    ),
    outputs: { one: SAID, two: SAID },
    beside: ['one'],
    queue: 0,
  }),
  'a proposal that is read, revised, stopped and done': () => ({
    plan: planOf(
      REVIEW.replace(/artifact second:[^]*?\n\n/, '').replace(' {{artifacts.second}}', '') +
        READER +
        maker('make', 'first') +
        worker('first') +
        review(
          'check',
          'first',
          `revise: "Revise" [feedback, when: "act == 'revise'"]`,
          `confirm: "Confirm" [confirms, assent, when: "act == 'confirm'"]`,
          'stop: "Stop" [stops]',
        ) +
        flow(
          `home -> make opens [first] ${ASKED}`,
          'make -> check',
          'check -> make on revise with { text: "{{input.feedback}}" }',
          'check -> work on confirm',
          'check -> home on stop',
          'work -> home on interrupted',
          'work -> home on failed',
          'work -> home',
        ),
    ),
    outputs: {
      make: DRAFTS,
      work: [{}],
      read: [{ act: 'revise' }, { act: 'confirm' }, { act: '' }],
    },
    says: true,
    queue: 0,
  }),
  'two proposals, the second made from the first': () => ({
    plan: planOf(
      REVIEW +
        READER +
        maker('make', 'first') +
        maker('plan', 'second') +
        worker('first', 'second') +
        'human lack:\n  pause: input\n  output: said\n  actions:\n    change: "Change" [feedback, reopens: first]\n    stop: "Stop" [stops]\n\n' +
        review(
          'check',
          'first',
          'revise: "Revise" [feedback, reopens: first]',
          'confirm: "Confirm" [confirms]',
        ) +
        review(
          'look',
          'second',
          'change: "Change" [feedback, reopens: first]',
          'revise: "Revise" [feedback, notes: second]',
          'confirm: "Confirm" [confirms]',
          'stop: "Stop" [stops]',
        ) +
        flow(
          `home -> make opens [first] ${ASKED}`,
          'make -> check',
          'check -> make on revise with { text: "{{input.feedback}}" }',
          'check -> plan on confirm',
          'plan -> look',
          'look -> make on change with { text: "{{input.feedback}}" }',
          'look -> plan on revise with { text: "{{input.feedback}}" }',
          'look -> work on confirm',
          'look -> home on stop',
          `work -> lack when "outputs.work.lacks == true"`,
          'work -> home',
          'lack -> work with { text: "{{outputs.lack.text}}" }',
          'lack -> make on change with { text: "{{input.feedback}}" }',
          'lack -> home on stop',
        ),
    ),
    outputs: {
      make: SAID,
      plan: SAID,
      work: [{ lacks: true }, { lacks: false }],
      lack: SAID,
    },
    queue: 0,
  }),
};

const explored = new Map<string, ReturnType<typeof explore>>();

/** All states of a model, walked once. */
function statesOf(name: string): ReturnType<typeof explore> {
  const reached = explored.get(name) ?? explore(MODELS[name]!(), 40_000);
  explored.set(name, reached);
  return reached;
}

describe.each(Object.keys(MODELS))('%s', name => {
  test('has no state in which something is wrong, and none that leads nowhere', () => {
    const reached = statesOf(name);
    expect(reached.states.size).toBeGreaterThan(20);
    expect(traps(reached)).toEqual([]);
  });
});

/** Where a state stands in the product of pause, turn and run: one line for each pause that is open, or one without. */
function placesOf({ machine: { run, turn, pauses } }: State): readonly string[] {
  const at = `run ${run?.status ?? 'none'}, turn ${turn?.status ?? 'none'}`;
  const kinds = pauses.map(pause =>
    pause.kind === 'question' ? `question${pause.blocking ? '' : ' beside'}` : pause.kind,
  );
  return kinds.length === 0 ? [`${at}, no pause`] : kinds.map(kind => `${at}, ${kind}`);
}

test('the plans come together to every place that pause, turn and run have in common, and to no other', () => {
  const places = new Set(
    Object.keys(MODELS).flatMap(name =>
      [...statesOf(name).states.values()].flatMap(({ state }) => placesOf(state)),
    ),
  );
  // A run that has ended is for the next message what no run is, so it is not walked on from twice.
  expect([...places].toSorted()).toEqual([
    'run active, turn none, chat',
    'run active, turn none, question beside',
    'run active, turn none, recovery',
    'run active, turn running, card',
    'run active, turn running, input',
    'run active, turn running, no pause',
    'run active, turn running, question',
    'run active, turn running, question beside',
    'run active, turn running, recovery',
    'run active, turn waiting, card',
    'run active, turn waiting, input',
    'run active, turn waiting, question',
    'run active, turn waiting, question beside',
    'run active, turn waiting, recovery',
    'run none, turn none, no pause',
  ]);
});
