import { type Code, error, warning } from './code.ts';
import { agent, base, plain, SCHEMA, workflow, withProperty } from './sources.ts';

/*
 * What is said about sources of profile 2 and of nothing else: a source of profile 1 gets what it always got
 * (docs/adr/0027).
 */

/** The source, in profile 2. */
function in2(source: string): string {
  return `dsl: 2\n\n${source}`;
}

/** A compute node with one expression for each field. */
function computing(ok: string, n: string): string {
  return in2(
    `schema given:\n  name: string\n  kind: string [enum: "a", "b"]\n  size: int\n  list: string[]\n\n${SCHEMA}compute c:\n  input: given\n  output: s\n  expr:\n    ok: "${ok}"\n    n: "${n}"\n\n${workflow('c', 'c -> done')}`,
  );
}

function secrets(block: string, command = 'ls -l'): string {
  return in2(
    `vars:\n  region: string = "eu"\n\nsecrets:\n  ${block}\n\ntool t:\n  command: "${command}"\n\n${workflow('t', 't -> done')}`,
  );
}

function failing(code: string): string {
  return in2(`fail lost:\n  code: ${code}\n\n${base('a -> done when ok', 'a -> lost')}`);
}

/** Two branches, the first of which runs an agent with the property. */
function branching(property: string): string {
  return in2(
    `${SCHEMA}${agent('a', property)}${agent('b')}${agent('c')}router r:\n  mode: fan_out_all\n\n${workflow('r', 'r -> a', 'r -> b', 'a -> c', 'b -> c', 'c -> done')}`,
  );
}

/** What the parser says only in profile 2. */
export const LATER_SYNTAX: readonly Code[] = [
  error('E003', {
    meaning: 'an indentation that fits nowhere',
    mend: 'indent with spaces, as deep as a line above it',
    wrong: in2(`schema t:\n    x: int\n  y: int\n\n${base('a -> done')}`),
    right: in2(`schema t:\n    x: int\n    y: int\n\n${base('a -> done')}`),
  }),
  error('E004', {
    meaning: 'a string that is not closed',
    mend: 'end it with the mark it began with; only backticks and `|` go over several lines',
    wrong: in2(withProperty('model: "m')),
    right: in2(withProperty('model: "m"')),
  }),
  error('E005', {
    meaning: 'an escape that is none',
    mend: 'write a backslash twice, or use `n`, `t`, `r`, `0` or a quote after it',
    wrong: in2(withProperty('model: "a\\q"')),
    right: in2(withProperty('model: "a\\\\q"')),
  }),
  error('E031', {
    meaning: 'an edge with both a condition and `else`',
    mend: 'keep one of them: `else` is taken when no condition beside it holds',
    wrong: in2(base('a -> done when ok else', 'a -> fail')),
    right: in2(base('a -> done when ok', 'a -> fail else')),
  }),
  error('E032', {
    meaning: 'clauses in the middle of chained edges',
    mend: 'write the clauses behind the last node of the chain, or write two edges',
    wrong: in2(SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> b with { x: "y" } -> done')),
    right: in2(SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> b -> done with { x: "y" }')),
  }),
  error('E040', {
    meaning: 'a profile that there is not',
    mend: 'write `dsl: 1` or `dsl: 2`',
    wrong: `dsl: 9\n\n${base('a -> done')}`,
    right: in2(base('a -> done')),
  }),
  error('E041', {
    meaning: 'a profile that is named too late',
    mend: 'move `dsl:` in front of all declarations',
    wrong: `${SCHEMA}dsl: 2\n\n${agent('a')}${workflow('a', 'a -> done')}`,
    right: in2(base('a -> done')),
  }),
  error('E042', {
    meaning: 'a switch for escapes, which profile 2 always has',
    mend: 'leave the comment out',
    wrong: `## strict-escape: on\n${in2(base('a -> done'))}`,
    right: in2(base('a -> done')),
  }),
];

/** What the compiler says only in profile 2. */
export const LATER: readonly Code[] = [
  error('C015', {
    meaning: 'an `else` edge without a condition beside it',
    mend: 'leave `else` out, or give another edge of the node a `when`',
    wrong: in2(base('a -> done else')),
    right: in2(base('a -> done when ok', 'a -> fail else')),
  }),
  error('C090', {
    meaning: 'a secret declared twice',
    mend: 'keep one of them',
    wrong: secrets('token:\n  token:'),
    right: secrets('token:'),
  }),
  error('C091', {
    meaning: 'one name for a secret and a var',
    mend: 'rename one of them',
    wrong: secrets('region:'),
    right: secrets('token:'),
  }),
  error('C092', {
    meaning: 'a host of a secret that is none',
    mend: 'write it like `api.example.com`, `*.example.com` or `example.com:8443`',
    wrong: secrets('token:\n    hosts: ["http://x y"]'),
    right: secrets('token:\n    hosts: ["api.example.com"]'),
  }),
  error('C093', {
    meaning: 'an unknown secret',
    mend: 'declare it under `secrets:`, or write the name of one that is declared',
    wrong: secrets('token:', 'use {{secrets.tokn}}'),
    right: secrets('token:', 'use {{secrets.token}}'),
  }),
  error('C094', {
    meaning: 'a secret whose form is not consistent',
    mend: 'write `as: value` or `as: file`; only a file has a `mount_path`, which is absolute',
    wrong: secrets('token:\n    as: disk'),
    right: secrets('token:\n    as: file'),
  }),
  error('C095', {
    meaning: 'a part of a secret that it does not have, or its value where it may not stand',
    mend: 'write `{{secrets.name}}` in a command or script; a file has a `path` besides',
    wrong: secrets('token:', 'use {{secrets.token.colour}}'),
    right: secrets('token:', 'use {{secrets.token}}'),
  }),
  warning('C107', {
    meaning: 'an operator on values that it does not take',
    mend: 'compare numbers with numbers and text with text, and calculate with numbers',
    wrong: computing('input.name > 3', '1'),
    right: computing('length(input.name) > 3', '1'),
  }),
  warning('C108', {
    meaning: 'a condition that is a number',
    mend: 'compare it, for example with `> 0`',
    wrong: in2(base('a -> done when "input.n"', 'a -> fail')),
    right: in2(base('a -> done when "input.n > 0"', 'a -> fail')),
  }),
  error('C110', {
    meaning: 'an unknown word for a permission',
    mend: 'write `off`, `ask` or `deny`',
    wrong: in2(withProperty('permission: maybe')),
    right: in2(withProperty('permission: ask')),
  }),
  warning('C111', {
    meaning: 'rules for a permission that is off',
    mend: 'add `permission: ask` or `permission: deny`, or take the rules out',
    wrong: in2(withProperty('deny: ["Bash"]')),
    right: in2(withProperty('permission: ask\n  deny: ["Bash"]')),
  }),
  warning('C112', {
    meaning: 'a permission on a tool, which runs what its author wrote',
    mend: 'take it out; permissions are for what a model chooses',
    wrong: in2(`tool t:\n  command: "ls -l"\n  permission: ask\n\n${workflow('t', 't -> done')}`),
    right: in2(`tool t:\n  command: "ls -l"\n\n${workflow('t', 't -> done')}`),
  }),
  warning('C120', {
    meaning: 'an index on a value without elements',
    mend: 'read elements of lists and fields of json',
    wrong: computing("input.name[0] == 'x'", '1'),
    right: computing("input.list[0] == 'x'", '1'),
  }),
  error('C121', {
    meaning: 'a comparison with a word that the enum does not have',
    mend: 'compare with one of the words of the enum',
    wrong: computing("input.kind == 'zzz'", '1'),
    right: computing("input.kind == 'a'", '1'),
  }),
  error('C123', {
    meaning: 'more than one `else` edge',
    mend: 'keep one of them',
    wrong: in2(base('a -> done when ok', 'a -> fail else', 'a -> done else')),
    right: in2(base('a -> done when ok', 'a -> fail else')),
  }),
  error('C124', {
    meaning: 'an `else` edge beside an edge without a condition',
    mend: 'keep one of them: both are taken when no condition holds',
    wrong: in2(base('a -> done when ok', 'a -> fail else', 'a -> done')),
    right: in2(base('a -> done when ok', 'a -> fail else')),
  }),
  error('C138', {
    meaning: 'a function with too few or too many arguments',
    mend: 'give it the arguments that it takes',
    wrong: computing('true', 'length()'),
    right: computing('true', 'length(input.list)'),
  }),
  warning('C140', {
    meaning: 'a schema without fields',
    mend: 'add a field, or leave the schema out where nothing is known',
    wrong: in2(`schema empty:\n\n${base('a -> done')}`),
    right: in2(`schema empty:\n  x: int\n\n${base('a -> done')}`),
  }),
  warning('C145', {
    meaning: 'a loop that nothing leads out of when it has used all its rounds',
    mend: 'add an edge to leave by, such as `a -> done`',
    wrong: in2(plain('a') + workflow('a', 'a -> a as again(5)')),
    right: in2(plain('a') + workflow('a', 'a -> a as again(5)', 'a -> done')),
  }),
  warning('C146', {
    meaning: 'a division that fills an int',
    mend: 'put `floor(…)` or `round(…)` around it',
    wrong: computing('true', 'input.size / 2'),
    right: computing('true', 'floor(input.size / 2)'),
  }),
  warning('C147', {
    meaning: 'a loop that no edge has',
    mend: 'write the name of a loop that an edge has after `as`',
    wrong: in2(base('a -> a when ok as again(5)', 'a -> done with { x: "{{loop.agian.iteration}}" }')),
    right: in2(base('a -> a when ok as again(5)', 'a -> done with { x: "{{loop.again.iteration}}" }')),
  }),
  error('C240', {
    meaning: 'a human node that would not wait',
    mend: 'write `interaction: human`; only an agent can ask and go on meanwhile',
    wrong: in2(`${SCHEMA}human h:\n  output: s\n  interaction: async\n\n${workflow('h', 'h -> done')}`),
    right: in2(`${SCHEMA}human h:\n  output: s\n  interaction: human\n\n${workflow('h', 'h -> done')}`),
  }),
  error('C243', {
    meaning: 'a kept session in a branch',
    mend: 'write `session: fresh`, or put the node behind the one where the branches meet',
    wrong: branching('session: persist'),
    right: branching('session: fresh'),
  }),
  error('C247', {
    meaning: 'a code of a `fail` node that is not written like one',
    mend: 'write it in capitals with underscores, like `NOT_FOUND`',
    wrong: failing('oops'),
    right: failing('NOT_FOUND'),
  }),
  error('C248', {
    meaning: 'a code of a `fail` node that the engine has',
    mend: 'choose another code',
    wrong: failing('BUDGET_EXCEEDED'),
    right: failing('TOO_EXPENSIVE'),
  }),
  error('C268', {
    meaning: 'a slot without a session that is kept',
    mend: 'write `session: persist`, or take the slot out',
    wrong: in2(withProperty('session: fresh\n  session_slot: notes')),
    right: in2(withProperty('session: persist\n  session_slot: notes')),
  }),
];
