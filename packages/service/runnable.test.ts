import { expect, test } from 'vitest';
import { runnable } from '@hearth/engine/runnable.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { CODES } from '@hearth/language/codes.ts';

/*
 * The language warns of what the engine refuses (H003), and of nothing else. Every mended example of a code, and every
 * wrong one that is only warned about, is asked of both.
 */

const FEATURES: readonly (readonly [string, string])[] = [
  ['a judge', 'judge a:\n  model: "m"\n'],
  ['a tool', 'tool a:\n  command: "ls"\n'],
  ['a script', 'tool a:\n  script: "ls"\n'],
  ['a router', 'router a:\n  mode: condition\n'],
  ['a sandbox', 'agent a:\n  model: "m"\n  sandbox: auto\n'],
  ['no sandbox', 'agent a:\n  model: "m"\n  sandbox: none\n'],
  ['compaction', 'agent a:\n  model: "m"\n  compaction:\n    preserve_recent: 3\n'],
  ['memory', 'agent a:\n  model: "m"\n  memory:\n    enabled: true\n    scope: "x"\n'],
  ['memory that is off', 'agent a:\n  model: "m"\n  memory:\n    scope: "x"\n'],
  ['a tool policy', 'agent a:\n  model: "m"\n  tool_policy: [bash]\n'],
  ['tool servers', 'agent a:\n  model: "m"\n  mcp:\n    inherit: false\n'],
  ['answers', 'human a:\n  min_answers: 2\n'],
  ['an answer', 'human a:\n  min_answers: 0\n'],
  ['a model that answers', 'agent a:\n  model: "m"\n  interaction: llm\n'],
  [
    'a prompt for no such model',
    'agent a:\n  model: "m"\n  interaction_prompt: p\n  interaction_model: "m"\n',
  ],
  ['an open inbox', 'agent a:\n  model: "m"\n  inbox: on\n'],
];

const sources = new Map([
  ...FEATURES.map(([what, node]) => [what, `${node}\nworkflow w:\n  entry: a\n  a -> done\n`] as const),
  ...CODES.map(one => [`${one.code}, mended`, one.right] as const),
  ...CODES.filter(one => one.severity === 'warning').map(one => [one.code, one.wrong] as const),
]);

test.each([...sources])('%s: a warning is given exactly where a run is refused', (_, main) => {
  const { plan, diagnostics } = compileBundle({ main });
  if (plan === null) return;
  const warned = diagnostics.some(one => one.code === 'H003');
  expect(runnable(plan).missing !== null).toBe(warned);
});
