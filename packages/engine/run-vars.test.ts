import type { Var } from '@hearth/language/plan.ts';
import { expect, test } from 'vitest';
import { runVars } from './run-vars.ts';
import { chatPlan } from './testing/sample-plan.ts';

const of = (vars: readonly Var[], seed = '') => runVars({ ...chatPlan(), vars }, '/here/$&', seed);

test.each([
  ['${PROJECT_DIR}', '/here/$&'],
  ['$PROJECT_DIR/src', '/here/$&/src'],
  ['<${PROJECT_DIR}$PROJECT_DIR>', '</here/$&/here/$&>'],
  ['$PROJECT_DIRS', '$PROJECT_DIRS'],
  ['${PROJECT_DIR:-x}', '${PROJECT_DIR:-x}'],
  ['costs $5', 'costs $5'],
])('the default %j begins as %j', (value, expected) => {
  expect(of([{ name: 'x', type: 'string', default: value }])).toMatchObject({ x: expected });
});

test('other types and what has no default stay as they are', () => {
  const vars: readonly Var[] = [
    { name: 'list', type: 'string[]', default: ['$PROJECT_DIR'] },
    { name: 'data', type: 'json', default: '$PROJECT_DIR' },
    { name: 'none', type: 'string' },
  ];
  expect(of(vars)).toMatchObject({ list: ['$PROJECT_DIR'], data: '$PROJECT_DIR', none: null });
});

test('what a person typed is never expanded', () => {
  const vars: readonly Var[] = [{ name: 'initial_message', type: 'string', default: '$PROJECT_DIR' }];
  expect(of(vars, 'I pay ${PROJECT_DIR} $HOME')).toEqual({ initial_message: 'I pay ${PROJECT_DIR} $HOME' });
});
