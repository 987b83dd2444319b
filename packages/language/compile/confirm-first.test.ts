import { expect, test } from 'vitest';
import { codesOf } from '../testing/verdicts.ts';
import { compileBundle } from './compile.ts';

/* Two artifacts, one made from the other, each confirmed before anything is done: every word of reviews in one file. */

const SOURCE = `artifact interpretation:
  title: "Prompt Pseudocode"
  body: prompt_body
  lint: pseudocode

artifact approach:
  title: "Response Plan Pseudocode"
  body: plan_body
  from: [interpretation]

schema said:
  message: string

schema interpreted:
  prompt_body: string
  refused: bool
  bypass: bool

schema planned:
  plan_body: string

schema reading:
  task: string
  approach: string
  kind: string [enum: "none", "new_task", "protocol", "substance", "cancel"]
  progression: bool

schema result:
  status: string [enum: "done", "request_input"]
  reply: string

schema supplied:
  data: string
  source: string

prompt interpret:
  Write down what is asked for.

  Request: {{input.request}}
  Change: {{input.change}}
  Before: {{artifacts.interpretation}}

prompt plan:
  Plan how to answer {{artifacts.interpretation}}. Notes: {{artifacts.approach.notes}}

prompt act:
  {{artifacts.interpretation}}
  {{artifacts.approach}}
  Mode: {{input.mode}}, data: {{input.data}}

prompt after_confirmation:
  That is answered after the confirmation.

human home:
  output: said

agent draft_interpretation:
  model: "m"
  output: interpreted
  user: interpret
  publish: interpretation

agent draft_approach:
  model: "m"
  output: planned
  user: plan
  publish: approach

agent read_message:
  model: "m"
  output: reading

agent answer_protocol:
  model: "m"

agent execute:
  model: "m"
  output: result
  user: act
  requires: [interpretation, approach]

review check_interpretation:
  artifact: interpretation
  reader: read_message
  actions:
    revise:   "Revise interpretation"  [feedback, when: "length(task) > 0"]
    note:     "Note for the plan"      [text, notes: approach, when: "length(approach) > 0"]
    new_task: "New task"               [text, when: "kind == 'new_task'"]
    confirm:  "Confirm interpretation" [confirms, assent, when: "progression"]
    stop:     "Stop"                   [stops, when: "kind == 'cancel'"]

review check_approach:
  artifact: approach
  reader: read_message
  actions:
    change_request:     "Change request"     [feedback, reopens: interpretation, when: "length(task) > 0"]
    revise:             "Revise approach"    [feedback, notes: approach, when: "length(approach) > 0"]
    new_task:           "New task"           [text, when: "kind == 'new_task'"]
    protocol:           "Question"           [text, aside: answer_protocol, when: "kind == 'protocol'"]
    substance:          "Later"              [text, says: after_confirmation, when: "kind == 'substance'"]
    confirm_standard:   "Confirm standard"   [confirms, assent, when: "progression"]
    confirm_pseudocode: "Confirm pseudocode" [confirms]
    stop:               "Stop"               [stops, when: "kind == 'cancel'"]

human wait_input:
  pause: input
  output: supplied
  actions:
    change_request: "Change request" [feedback, reopens: interpretation]
    stop:           "Stop"           [stops]

workflow confirm_first:
  entry: home
  home -> draft_interpretation opens [interpretation] with { request: "{{outputs.home.message}}" }
  draft_interpretation -> home                 when "refused || bypass"
  draft_interpretation -> check_interpretation
  draft_approach -> check_approach
  check_interpretation -> draft_approach       on confirm
  check_interpretation -> draft_interpretation on revise with { change: "{{input.feedback}}" }
  check_interpretation -> draft_interpretation on new_task opens [interpretation] with { request: "{{input.feedback}}" }
  check_interpretation -> home                 on stop
  check_approach -> execute                    on confirm_standard   with { mode: "standard" }
  check_approach -> execute                    on confirm_pseudocode with { mode: "pseudocode" }
  check_approach -> draft_approach             on revise             with { change: "{{input.feedback}}" }
  check_approach -> draft_interpretation       on change_request     with { change: "{{input.feedback}}" }
  check_approach -> draft_interpretation       on new_task opens [interpretation] with { request: "{{input.feedback}}" }
  check_approach -> home                       on stop
  execute -> wait_input                        when "status == 'request_input'"
  execute -> home                              on interrupted
  execute -> home
  wait_input -> execute                        with { data: "{{outputs.wait_input.data}}" }
  wait_input -> draft_interpretation           on change_request     with { change: "{{input.feedback}}" }
  wait_input -> home                           on stop
`;

const plan = (() => {
  const { plan: made } = compileBundle({ main: SOURCE });
  if (made === null) throw new Error('no plan');
  return made;
})();

test('the whole of it compiles, and nothing is to be said about it', () => {
  expect(codesOf(SOURCE)).toEqual([]);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
});

test('artifacts and reviews are in the plan as they are written', () => {
  expect(plan.artifacts?.approach).toEqual({
    name: 'approach',
    title: 'Response Plan Pseudocode',
    body: 'plan_body',
    lint: null,
    from: ['interpretation'],
  });
  expect(plan.artifacts?.interpretation).toMatchObject({ lint: 'pseudocode', from: [] });
  expect(plan.values).toBe('taken');
  const review = plan.nodes.check_approach;
  if (review?.kind !== 'review') throw new Error('no review');
  expect(review).toMatchObject({ artifact: 'approach', reader: 'read_message', input: null, output: null });
  const still = {
    assent: false,
    confirms: false,
    stops: false,
    reopens: null,
    notes: null,
    aside: null,
    says: null,
  };
  expect(review.actions.map(({ when, ...rest }) => ({ ...rest, when: when?.source ?? null }))).toEqual([
    {
      ...still,
      name: 'change_request',
      label: 'Change request',
      needs: 'feedback',
      button: true,
      reopens: 'interpretation',
      when: 'length(task) > 0',
    },
    {
      ...still,
      name: 'revise',
      label: 'Revise approach',
      needs: 'feedback',
      button: true,
      notes: 'approach',
      when: 'length(approach) > 0',
    },
    {
      ...still,
      name: 'new_task',
      label: 'New task',
      needs: 'nothing',
      button: false,
      when: "kind == 'new_task'",
    },
    {
      ...still,
      name: 'protocol',
      label: 'Question',
      needs: 'nothing',
      button: false,
      aside: 'answer_protocol',
      when: "kind == 'protocol'",
    },
    {
      ...still,
      name: 'substance',
      label: 'Later',
      needs: 'nothing',
      button: false,
      says: 'after_confirmation',
      when: "kind == 'substance'",
    },
    {
      ...still,
      name: 'confirm_standard',
      label: 'Confirm standard',
      needs: 'nothing',
      button: true,
      confirms: true,
      assent: true,
      when: 'progression',
    },
    {
      ...still,
      name: 'confirm_pseudocode',
      label: 'Confirm pseudocode',
      needs: 'nothing',
      button: true,
      confirms: true,
      when: null,
    },
    {
      ...still,
      name: 'stop',
      label: 'Stop',
      needs: 'nothing',
      button: true,
      stops: true,
      when: "kind == 'cancel'",
    },
  ]);
  expect(plan.prompts.after_confirmation).toEqual(['That is answered after the confirmation.']);
});

test('what is made for a review, or done after one, takes no passing words', () => {
  for (const name of ['draft_interpretation', 'draft_approach', 'execute']) {
    expect(plan.nodes[name]).toMatchObject({ inbox: 'off' });
  }
  expect(plan.nodes.execute).toMatchObject({ requires: ['interpretation', 'approach'] });
  expect(plan.nodes.answer_protocol).toMatchObject({ inbox: 'on' });
});

test('edges say which action or end takes them, and of which artifacts they open a new case', () => {
  const edge = (from: string, on: string) => plan.edges.find(one => one.from === from && one.on === on);
  expect(edge('check_approach', 'new_task')).toMatchObject({
    to: 'draft_interpretation',
    opens: ['interpretation'],
  });
  expect(edge('execute', 'interrupted')).toMatchObject({ to: 'home' });
  expect(plan.edges.filter(one => one.on === undefined).map(one => `${one.from} -> ${one.to}`)).toEqual([
    'home -> draft_interpretation',
    'draft_interpretation -> home',
    'draft_interpretation -> check_interpretation',
    'draft_approach -> check_approach',
    'execute -> wait_input',
    'execute -> home',
    'wait_input -> execute',
  ]);
});

test('the words of reviews are names everywhere else', () => {
  const words =
    'artifact review actions on opens requires inbox idempotent reader body lint title from confirms';
  for (const word of words.split(' ')) {
    const main = `vars:\n  ${word}: int = 1\n\nschema ${word}:\n  ${word}: bool\n\nprompt ${word}:\n  {{vars.${word}}}\n\nagent ${word}:\n  model: "m"\n  output: ${word}\n  user: ${word}\n\nworkflow ${word}:\n  entry: ${word}\n  ${word} -> done when ${word}\n  ${word} -> fail with { ${word}: "{{outputs.${word}.${word}}}" }\n`;
    expect([word, ...codesOf(main)]).toEqual([word]);
  }
});
