import { expect, test } from 'vitest';
import { calibration } from './calibration.ts';
import { isModelNode, type Plan } from './runnable.ts';
import { planOf } from './testing/plan-of.ts';

const source = (settings: string): string => `cursor zeal:
  values:
    low: "Be calm."
    mid: "Be lively."
    high: "Be bold."

cursor depth:
  bands:
    "0..0.3": "Be short."
    "0.5..1": "Be thorough."

agent a:
  model: "m"
  cursors:
${settings}

workflow w:
  entry: a
  a -> done
`;

function tuned(settings: string, env: Readonly<Record<string, string>> = {}) {
  const plan: Plan = planOf(source(settings));
  const node = plan.nodes['a'];
  if (!isModelNode(node)) throw new Error('no agent');
  return calibration(plan, node, text =>
    text.replace(/\$\{(\w+)\}/, (all, name: string) => env[name] ?? all),
  );
}

test.each([
  ['    zeal: low', ['**zeal:** Be calm.']],
  ['    zeal: 0', ['**zeal:** Be calm.']],
  ['    zeal: 0.5', ['**zeal:** Be lively.']],
  ['    zeal: 1', ['**zeal:** Be bold.']],
  ['    depth: 0.3', ['**depth:** Be short.']],
  ['    zeal: high\n    depth: 0.9', ['**depth:** Be thorough.', '**zeal:** Be bold.']],
])('%s says %j', (settings, lines) => {
  expect(tuned(settings)).toEqual({ text: `## Calibration\n\n${lines.join('\n')}` });
});

test('the environment may set it, and is told when it sets what there is not', () => {
  expect(tuned('    zeal: "${ZEAL}"', { ZEAL: 'high' })).toEqual({
    text: '## Calibration\n\n**zeal:** Be bold.',
  });
  expect(tuned('    depth: "${DEPTH}"', { DEPTH: '0.4' })).toEqual({
    refused: 'The cursor "depth" of "a" has no value "0.4"; set one that it has.',
  });
});

test('without cursors nothing is added', () => {
  expect(tuned('    enabled: false')).toEqual({ text: '' });
});
