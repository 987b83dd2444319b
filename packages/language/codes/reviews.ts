import { type Code, error, warning } from './code.ts';
import { plain, withPrompt, workflow } from './sources.ts';

/** A file with one artifact and its review, in which nothing is wrong. */
export const REVIEWED = `artifact plan:
  title: "Plan"
  body: text
  lint: pseudocode

schema draft:
  text: string

schema said:
  message: string

schema reading:
  change: string
  agrees: bool

prompt later:
  After the confirmation.

human home:
  output: said

agent writer:
  model: "m"
  output: draft
  publish: plan

agent reader:
  model: "m"
  output: reading

agent worker:
  model: "m"
  requires: [plan]

review check:
  artifact: plan
  reader: reader
  actions:
    revise: "Revise" [feedback, reopens: plan, when: "change != ''"]
    confirm: "Confirm" [confirms, assent, when: "agrees"]
    explain: "Explain" [text, aside: reader, when: "change == 'why'"]
    wait: "Later" [text, says: later, when: "change == 'then'"]
    stop: "Stop" [stops]

workflow talk:
  entry: home
  home -> writer opens [plan] with { request: "{{outputs.home.message}}" }
  writer -> check
  check -> writer on revise with { change: "{{input.feedback}}" }
  check -> worker on confirm
  check -> home on stop
  worker -> home on failed
  worker -> home
`;

/** The reviewed file with one text in place of another. */
export function reviewed(text: string, instead: string): string {
  if (!REVIEWED.includes(text)) throw new Error(`the example has no \`${text}\``);
  return REVIEWED.replace(text, instead);
}

/** An error that the reviewed file gets when one of its texts is replaced. */
function broken(code: string, meaning: string, mend: string, text: string, instead: string): Code {
  return error(code, { meaning, mend, wrong: reviewed(text, instead), right: REVIEWED });
}

const CHAT = 'schema said:\n  message: string\n\nhuman chat:\n  output: said';
const fan = (chat: string): string =>
  `router r:\n  mode: fan_out_all\n\n${chat}\n\n${plain('a')}${workflow('r', 'r -> chat', 'r -> a', 'chat -> done', 'a -> done')}`;
const remember = (memory: string): string =>
  withPrompt('Keep what you learn with memory_write.').replace('user: p', `user: p${memory}`);

/** What is said about artifacts, their reviews and what a person may do there. */
export const REVIEWS: readonly Code[] = [
  warning('H008', {
    meaning: 'a promise of durable memory that no node can keep',
    mend: 'give an agent `memory:` on the backend `model-api`, or let the board be the record',
    wrong: remember(''),
    right: remember('\n  memory:\n    enabled: true\n    scope: "x"'),
  }),
  broken(
    'H010',
    'an unknown artifact',
    'declare the artifact, or write the name of one that is declared',
    'opens [plan]',
    'opens [sketch]',
  ),
  broken(
    'H011',
    'an artifact declared twice',
    'rename one of the two, or take one out',
    'schema draft:',
    'artifact plan:\n  body: text\n\nschema draft:',
  ),
  broken(
    'H012',
    'artifacts made from each other in a cycle',
    'let `from` name only what is made before',
    '  lint: pseudocode',
    '  lint: pseudocode\n  from: [plan]',
  ),
  broken(
    'H013',
    'an artifact without its text in the output that is published',
    'give the output schema of the publishing node the string field that `body` names',
    'body: text',
    'body: words',
  ),
  broken(
    'H014',
    'an artifact that no node publishes',
    'add `publish:` with its name to the node that writes it',
    '  publish: plan\n',
    '',
  ),
  broken(
    'H015',
    'an unknown lint',
    'write `lint: pseudocode`, or take the line out',
    'lint: pseudocode',
    'lint: grammar',
  ),
  error('H016', {
    meaning: 'a review without an artifact',
    mend: 'add `artifact:` with the name of what is reviewed',
    wrong: reviewed('  artifact: plan\n  reader', '  reader').replace('requires: [plan]', 'readonly: true'),
    right: REVIEWED,
  }),
  broken(
    'H017',
    'a node that requires what no review confirms',
    'add a review of the artifact with an action that `confirms`',
    '[confirms, assent,',
    '[assent,',
  ),
  error('H018', {
    meaning: 'a review in a branch',
    mend: 'put the review behind the node where the branches meet',
    wrong: reviewed('writer -> check\n', 'writer -> r\n  r -> check\n  r -> done\n').replace(
      'human home:\n',
      'router r:\n  mode: fan_out_all\n\nhuman home:\n  pause: input\n',
    ),
    right: REVIEWED,
  }),
  broken(
    'H019',
    'a reader that is no agent',
    'name an agent that reads what is typed at the review',
    'reader: reader',
    'reader: reeder',
  ),
  broken(
    'H020',
    'two actions of one name',
    'rename one of the two',
    '    stop: "Stop" [stops]',
    '    stop: "Stop" [stops]\n    stop: "Close" [stops]',
  ),
  error('H021', {
    meaning: 'an action called like an end of a node',
    mend: 'choose another name than `failed` and `interrupted`',
    wrong: reviewed('stop: "Stop"', 'failed: "Stop"').replace('on stop', 'on failed'),
    right: REVIEWED,
  }),
  broken(
    'H022',
    'a confirmation that asks for feedback',
    'make two actions of it: one that confirms, and one that revises with feedback',
    '[confirms, assent,',
    '[confirms, feedback, assent,',
  ),
  broken(
    'H023',
    'an action without exactly one edge',
    'give each action that moves the run one edge `on` it',
    '  check -> home on stop\n',
    '',
  ),
  broken(
    'H024',
    'an edge on an action that is not declared',
    'write the name of an action of the node; agents, judges and tools also have `failed` and `interrupted`',
    '  worker -> home on failed',
    '  worker -> home on broken',
  ),
  broken(
    'H025',
    'an edge on an action that leaves the pause open',
    'take the edge out: `aside` and `says` go nowhere',
    '  check -> home on stop\n',
    '  check -> home on stop\n  check -> home on wait\n',
  ),
  broken(
    'H026',
    'an unknown node that is to answer beside a card',
    'name an agent after `aside:`',
    'aside: reader',
    'aside: nobody',
  ),
  broken(
    'H027',
    'an unknown prompt that is to be shown',
    'declare the prompt that `says:` names',
    'says: later',
    'says: sometime',
  ),
  broken(
    'H028',
    'a `when` that is no expression over what the reader puts out',
    'read only fields of the output schema of the reader',
    'when: "agrees"',
    'when: "vars.agrees"',
  ),
  broken(
    'H029',
    'an action that contradicts itself',
    'make two actions of it',
    'stop: "Stop" [stops]',
    'stop: "Stop" [stops, reopens: plan]',
  ),
  broken(
    'H030',
    'an edge out of a review that no action takes',
    'write `on` and the action that takes it',
    '  check -> home on stop\n',
    '  check -> home on stop\n  check -> done\n',
  ),
  broken(
    'H031',
    'an edge with both `on` and a condition',
    'take the condition out, and decide behind the edge',
    '  check -> home on stop\n',
    '  check -> home on stop when "1 > 2"\n',
  ),
  broken(
    'H032',
    'an open inbox where words may not become authority',
    'take `inbox: on` out: what is typed meanwhile waits for the next pause',
    '  publish: plan\n',
    '  publish: plan\n  inbox: on\n',
  ),
  warning('H033', {
    meaning: 'a chat pause in a branch',
    mend: 'write `pause: input`, or put the pause behind the node where the branches meet',
    wrong: fan(CHAT),
    right: fan(`${CHAT}\n  pause: input`),
  }),
  error('H034', {
    meaning: 'a review that nobody can leave',
    mend: 'add an action with an edge',
    wrong: REVIEWED.replace(/ {4}(?:revise|confirm|stop): .*\n/g, '')
      .replace(/ {2}check -> .*\n/g, '')
      .replace('  requires: [plan]', '  readonly: true')
      .replace('writer -> check', 'writer -> check when "1 > 2"\n  writer -> worker'),
    right: REVIEWED,
  }),
];
