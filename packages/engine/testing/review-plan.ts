import type { Values } from '@hearth/language/value.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import type { Plan } from '../runnable.ts';
import { Bench } from './bench.ts';
import { planOf } from './plan-of.ts';

/* A bot that proposes twice before it acts: the second artifact is made from the first, and both must be confirmed. */

export const REVIEW_SOURCE = `artifact task:
  title: "The task"
  body: text
  lint: pseudocode
artifact plan:
  title: "The plan"
  body: text
  from: [task]

schema said:
  message: string

schema draft:
  text: string
  refused: bool

schema reading:
  task: string
  plan: string
  kind: string [enum: "none", "new_task", "question", "later", "cancel"]
  agrees: bool

schema result:
  status: string [enum: "done", "request_input"]
  reply: string

schema supplied:
  data: string

prompt drafting:
  Request: {{input.request}}
  Change: {{input.change}}
  Before: {{artifacts.task}}

prompt planning:
  Task: {{artifacts.task}}
  Before: {{artifacts.plan}}
  Change: {{input.change}}
  Notes: {{artifacts.plan.notes}}

prompt acting:
  Task: {{artifacts.task}}
  Plan: {{artifacts.plan}}
  Mode: {{input.mode}}, data: {{input.data}}

prompt reply:
  {{input.reply}}

prompt after:
  That is answered after the confirmation.

human home:
  output: said
  instructions: reply

agent draft_task:
  model: "m"
  output: draft
  user: drafting
  publish: task

agent draft_plan:
  model: "m"
  output: draft
  user: planning
  publish: plan

agent read_words:
  model: "m"
  output: reading

agent answer:
  model: "m"

agent execute:
  model: "m"
  output: result
  user: acting
  requires: [task, plan]

review check_task:
  artifact: task
  reader: read_words
  actions:
    revise:   "Revise the task"   [feedback, when: "length(task) > 0"]
    note:     "Note for the plan" [text, notes: plan, when: "length(plan) > 0"]
    new_task: "New task"          [text, when: "kind == 'new_task'"]
    question: "Question"          [text, aside: answer, when: "kind == 'question'"]
    later:    "Later"             [text, says: after, when: "kind == 'later'"]
    confirm:  "Confirm the task"  [confirms, assent, when: "agrees"]
    stop:     "Stop"              [stops, when: "kind == 'cancel'"]

review check_plan:
  artifact: plan
  reader: read_words
  actions:
    change:   "Change request"    [feedback, reopens: task, when: "length(task) > 0"]
    revise:   "Revise the plan"   [feedback, notes: plan, when: "length(plan) > 0"]
    new_task: "New task"          [text, when: "kind == 'new_task'"]
    standard: "Confirm standard"  [confirms, assent, when: "agrees"]
    pseudo:   "Confirm pseudocode" [confirms]
    stop:     "Stop"              [stops, when: "kind == 'cancel'"]

human wait_input:
  pause: input
  output: supplied
  actions:
    change: "Change request" [feedback, reopens: task]
    stop:   "Stop"           [stops]

workflow propose:
  entry: home
  home -> draft_task opens [task] with { request: "{{outputs.home.message}}" }
  draft_task -> home          when refused with { reply: "{{outputs.draft_task.text}}" }
  draft_task -> check_task
  check_task -> draft_task    on revise with { change: "{{input.feedback}}" }
  check_task -> draft_task    on new_task opens [task] with { request: "{{input.feedback}}" }
  check_task -> draft_plan    on confirm
  check_task -> home          on stop
  draft_plan -> check_plan
  check_plan -> draft_plan    on revise with { change: "{{input.feedback}}" }
  check_plan -> draft_task    on change with { change: "{{input.feedback}}" }
  check_plan -> draft_task    on new_task opens [task] with { request: "{{input.feedback}}" }
  check_plan -> execute       on standard with { mode: "standard" }
  check_plan -> execute       on pseudo with { mode: "pseudocode" }
  check_plan -> home          on stop
  execute -> wait_input       when "status == 'request_input'"
  execute -> home             on interrupted
  execute -> home             with { reply: "{{outputs.execute.reply}}" }
  wait_input -> execute       with { data: "{{outputs.wait_input.data}}" }
  wait_input -> draft_task    on change with { change: "{{input.feedback}}" }
  wait_input -> home          on stop
`;

export function reviewPlan(): Plan {
  return planOf(REVIEW_SOURCE);
}

export const drafted = (text: string, refused = false): Values => ({ text, refused });
export const result = (reply: string, status = 'done'): Values => ({ status, reply });
export const reading = (more: Values = {}): Values => ({
  task: '',
  plan: '',
  kind: 'none',
  agrees: false,
  ...more,
});

/** A bench of that bot, and its steps in the words of a test. */
export class ReviewBench extends Bench {
  constructor(plan: Plan = reviewPlan()) {
    super(plan);
  }

  /** The open card; throws when there is none. */
  get card(): CardPause {
    const card = this.open.find((pause): pause is CardPause => pause.kind === 'card');
    if (card === undefined)
      throw new Error(`no card is open, but ${this.open.map(({ kind }) => kind).join()}`);
    return card;
  }

  /** What is ready runs and gives that. */
  gives(output: Values): void {
    this.end(this.start(), { is: 'done', output });
  }

  act(action: string, feedback?: string) {
    return this.decide(this.card.id, { do: 'act', action, ...(feedback === undefined ? {} : { feedback }) });
  }

  /** The first card, of the task. */
  toTask(text = 'DO it'): this {
    this.send('please');
    this.gives(drafted(text));
    return this;
  }

  /** The second card, of the plan; the task is confirmed. */
  toPlan(text = 'DO it slowly'): this {
    this.toTask();
    this.act('confirm');
    this.gives(drafted(text));
    return this;
  }

  /** Where artifacts stand. */
  get standing(): Record<string, string> {
    const { documents = {} } = this.state.machine.run ?? {};
    return Object.fromEntries(
      Object.entries(documents).map(([name, { current, status, change }]) => [
        name,
        `${current?.version ?? 0} ${status}${change === null ? '' : ' changing'}`,
      ]),
    );
  }

  /** The changes that were told of artifacts, as `task@1 published`. */
  get history(): string[] {
    return this.told('artifact').map(({ ref, change }) => `${ref.artifact}@${ref.version} ${change}`);
  }

  get node(): string {
    return this.state.machine.run?.tokens.find(token => token.branch === null)?.node ?? '';
  }
}
