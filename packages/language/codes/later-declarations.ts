import { type Code, error, warning } from './code.ts';
import { agent, plain, withProperty, workflow } from './sources.ts';

/* What profile 2 says of declarations, modes and words that are passed over so far. */

/** The source, in profile 2. */
function in2(source: string): string {
  return `dsl: 2\n\n${source}`;
}

function beside(declaration: string): string {
  return in2(`${plain('a')}${declaration}\n\n${workflow('a', 'a -> done')}`);
}

function between(declaration: string, name: string): string {
  return in2(`${plain('a')}${declaration}\n\n${workflow('a', `a -> ${name}`, `${name} -> done`)}`);
}

/** A wait behind an agent that asks and goes on. */
function awaiting(properties: string): string {
  const wait = `await_answers g:\n  ${properties}\n\n`;
  return in2(`${agent('a', 'interaction: async')}${wait}${workflow('a', 'a -> g', 'g -> done')}`);
}

const router = (properties: string, ...edges: readonly string[]): string =>
  in2(`router r:\n  ${properties}\n\n${plain('a')}${workflow('r', ...edges, 'a -> done')}`);
const EACH = 'mode: fan_out_each';
const OVER = 'over: "{{vars.items}}"';
const EMIT = 'emit e:\n  event: "ready"';

/** The codes of declarations that came with profile 2. */
export const LATER_DECLARATIONS: readonly Code[] = [
  error('C100', {
    meaning: 'a review of changes without a worktree',
    mend: 'write `worktree: auto`',
    wrong: in2(agent('a', 'interaction: review') + workflow('a', 'worktree: none', 'a -> done')),
    right: in2(agent('a', 'interaction: review') + workflow('a', 'worktree: auto', 'a -> done')),
  }),
  error('C113', {
    meaning: 'a fan-out for each element without a list',
    mend: 'add `over:` with a reference to the list',
    wrong: router(EACH, 'r -> a'),
    right: router(`${EACH}\n  ${OVER}`, 'r -> a'),
  }),
  error('C114', {
    meaning: 'a property of `fan_out_each` on a router of another mode',
    mend: 'take it out, or write `mode: fan_out_each`',
    wrong: router(`mode: condition\n  ${OVER}`, 'r -> a'),
    right: router('mode: condition', 'r -> a'),
  }),
  error('C115', {
    meaning: 'a fan-out for each element with more or less than one edge',
    mend: 'give it one edge, along which each element goes',
    wrong: router(`${EACH}\n  ${OVER}`, 'r -> a', 'r -> done'),
    right: router(`${EACH}\n  ${OVER}`, 'r -> a'),
  }),
  error('C116', {
    meaning: 'an unknown group',
    mend: 'declare it, or write the name of one that is declared',
    wrong: beside('use nope as p'),
    right: beside('group g():\n  x: 1\n\nuse g as p'),
  }),
  error('C119', {
    meaning: 'a bot inside the bot without its source',
    mend: 'add `source:` with the path of the bot',
    wrong: between('subbot sb:\n  isolated: true', 'sb'),
    right: between('subbot sb:\n  source: "x.bot"', 'sb'),
  }),
  warning('C141', {
    meaning: 'an empty group',
    mend: 'add its nodes, or take it out',
    wrong: beside('group g():'),
    right: beside('group g():\n  x: 1'),
  }),
  warning('C190', {
    meaning: 'a supervisor of something that is no agent',
    mend: 'name agents only',
    wrong: beside('supervisor sv:\n  watches: [done]'),
    right: beside('supervisor sv:\n  watches: [a]'),
  }),
  warning('C191', {
    meaning: 'a supervisor that watches nothing',
    mend: 'add `watches:` with the names of agents',
    wrong: beside('supervisor sv:\n  cooldown: "30s"'),
    right: beside('supervisor sv:\n  watches: [a]'),
  }),
  error('C192', {
    meaning: 'a supervisor declared twice',
    mend: 'rename one of them',
    wrong: beside('supervisor sv:\n  watches: [a]\n\nsupervisor sv:\n  watches: [a]'),
    right: beside('supervisor sv:\n  watches: [a]\n\nsupervisor sw:\n  watches: [a]'),
  }),
  error('C196', {
    meaning: 'a node for an event that names none',
    mend: 'add `event:` with its name',
    wrong: between('emit e:\n  with:\n    x: "1"', 'e'),
    right: between(EMIT, 'e'),
  }),
  error('C197', {
    meaning: 'a wait without an end',
    mend: 'add `timeout:`, such as `"10m"`',
    wrong: between(`${EMIT}\n\nwait f:\n  event: "ready"`, 'f'),
    right: between(`${EMIT}\n\nwait f:\n  event: "ready"\n  timeout: "10m"`, 'f'),
  }),
  warning('C198', {
    meaning: 'a wait for an event that nothing emits',
    mend: 'add an `emit` node with the event, or mend its name',
    wrong: between('wait f:\n  event: "ready"\n  timeout: "10m"', 'f'),
    right: between(`${EMIT}\n\nwait f:\n  event: "ready"\n  timeout: "10m"`, 'f'),
  }),
  error('C241', {
    meaning: 'a wait for answers without an end',
    mend: 'add `timeout:`, such as `"10m"`',
    wrong: awaiting('from: [a]'),
    right: awaiting('from: [a]\n  timeout: "10m"'),
  }),
  warning('C242', {
    meaning: 'a wait for answers to what nobody asks',
    mend: 'name an agent with `interaction: async`',
    wrong: awaiting('from: [b]\n  timeout: "10m"'),
    right: awaiting('from: [a]\n  timeout: "10m"'),
  }),
  error('C267', {
    meaning: 'an agent that asks and goes on, on a backend that cannot',
    mend: 'write `interaction: human`, or choose another backend',
    wrong: in2(withProperty('backend: codex\n  interaction: async')),
    right: in2(withProperty('backend: claude_code\n  interaction: async')),
  }),
];
