import { type Code, error } from './code.ts';
import { agent, base, plain, SCHEMA, workflow } from './sources.ts';

const router = (properties: string): string => `router r:\n  ${properties}\n\n`;

/** What the compiler says about the workflow, its edges and its routers. */
export const GRAPH: readonly Code[] = [
  error('C001', {
    meaning: 'an edge names an unknown node',
    mend: 'declare the node, or write the name of one that is declared',
    wrong: base('a -> ghost'),
    right: base('a -> done'),
  }),
  error('C005', {
    meaning: 'edges of one loop with different caps',
    mend: 'give all edges of a loop the same cap, or name two loops',
    wrong: base('a -> a when ok as l(2)', 'a -> a when not ok as l(3)', 'a -> done'),
    right: base('a -> a when ok as l(2)', 'a -> a when not ok as l(2)', 'a -> done'),
  }),
  error('C006', {
    meaning: 'no workflow',
    mend: 'add a `workflow` with an `entry` and edges',
    wrong: plain('a'),
    right: plain('a') + workflow('a', 'a -> done'),
  }),
  error('C007', {
    meaning: 'more than one workflow',
    mend: 'keep one workflow in the file and move the other into a file of its own',
    wrong: `${base('a -> done')}\nworkflow v:\n  entry: a\n`,
    right: base('a -> done'),
  }),
  error('C008', {
    meaning: 'a missing or unknown entry',
    mend: 'add `entry:` with the name of the node at which a run begins',
    wrong: 'workflow w:\n  done -> fail\n',
    right: workflow('done', 'done -> fail'),
  }),
  error('C010', {
    meaning: 'more than one edge without a condition',
    mend: 'give all edges but one a `when`, or let a router take them all',
    wrong: base('a -> done', 'a -> fail'),
    right: base('a -> done when ok', 'a -> fail'),
  }),
  error('C011', {
    meaning: 'two edges with the same condition',
    mend: 'take one of the edges out, or change its condition',
    wrong: base('a -> done when ok', 'a -> fail when ok', 'a -> done'),
    right: base('a -> done when ok', 'a -> fail when "n > 3"', 'a -> done'),
  }),
  error('C012', {
    meaning: 'only conditions, and nowhere to go when none holds',
    mend: 'add an edge without a condition, or one for the opposite of a condition',
    wrong: base('a -> done when ok'),
    right: base('a -> done when ok', 'a -> fail'),
  }),
  error('C013', {
    meaning: 'a condition that is not a bool',
    mend: 'compare the field in an expression in quotes',
    wrong: base('a -> done when n', 'a -> fail'),
    right: base('a -> done when "n > 0"', 'a -> fail'),
  }),
  error('C014', {
    meaning: 'a condition on an unknown field',
    mend: 'write a field of the schema that the node puts out',
    wrong: base('a -> done when nope', 'a -> fail'),
    right: base('a -> done when ok', 'a -> fail'),
  }),
  error('C016', {
    meaning: 'a node that is never reached',
    mend: 'add an edge to the node, or take the node out',
    wrong: SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> done'),
    right: SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> b', 'b -> done'),
  }),
  error('C019', {
    meaning: 'a cycle that nothing bounds',
    mend: 'make an edge of the cycle a loop with a cap',
    wrong:
      SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> b', 'b -> a when ok', 'b -> done when not ok'),
    right:
      SCHEMA +
      agent('a') +
      agent('b') +
      workflow('a', 'a -> b', 'b -> a when ok as again(5)', 'b -> done when not ok'),
  }),
  error('C020', {
    meaning: 'a round_robin router with fewer than two edges',
    mend: 'add the edges that are to be taken in turn',
    wrong: router('mode: round_robin') + plain('a') + workflow('r', 'r -> a', 'a -> done'),
    right: router('mode: round_robin') + plain('a') + workflow('r', 'r -> a', 'r -> done', 'a -> done'),
  }),
  error('C021', {
    meaning: 'an llm router with fewer than two edges',
    mend: 'add the edges that the model is to choose from',
    wrong: router('mode: llm\n  model: "m"') + plain('a') + workflow('r', 'r -> a', 'a -> done'),
    right: router('mode: llm\n  model: "m"') + plain('a') + workflow('r', 'r -> a', 'r -> done', 'a -> done'),
  }),
  error('C022', {
    meaning: 'a field as condition on an edge of an llm router',
    mend: 'take the condition away: the model chooses the edge',
    wrong: router('mode: llm\n  model: "m"') + workflow('r', 'r -> done when ok', 'r -> fail'),
    right: router('mode: llm\n  model: "m"') + workflow('r', 'r -> done', 'r -> fail'),
  }),
  error('C023', {
    meaning: 'a property that only llm routers have',
    mend: 'take the property out, or write `mode: llm`',
    wrong: router('mode: fan_out_all\n  model: "m"') + workflow('r', 'r -> done'),
    right: router('mode: fan_out_all') + workflow('r', 'r -> done'),
  }),
  error('C026', {
    meaning: 'a loop that could never be taken',
    mend: 'write a cap of at least 1, or take the edge out',
    wrong: base('a -> a as l(0)', 'a -> done'),
    right: base('a -> a as l(1)', 'a -> done'),
  }),
  error('C142', {
    meaning: 'an unknown word for the worktree, in profile 2',
    mend: 'write `worktree: auto` or `worktree: none`',
    wrong: `dsl: 2\n\n${plain('a')}${workflow('a', 'worktree: always', 'a -> done')}`,
    right: `dsl: 2\n\n${plain('a')}${workflow('a', 'worktree: none', 'a -> done')}`,
  }),
];
