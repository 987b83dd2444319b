import { describe, expect, it } from 'vitest';
import { permitted, withoutGrant } from './permission.ts';
import { permitOf } from './permit.ts';
import type { PermissionRule } from './permission-rule.ts';
import type { Resume } from './state.ts';
import { ada, at } from './testing/bench.ts';

const policy = { mode: 'ask', allow: ['bash(ls:*)'], ask: ['bash(git:*)'], deny: ['bash(rm:*)'] } as const;
const call = (command: string, id = 'c1') => {
  const { digest } = permitOf({ id, name: 'bash', args: { command } });
  return { id, tool: 'bash', args: { command }, digest, infra: false };
};
const kept = (rule: string, grant: PermissionRule['grant']): PermissionRule => ({
  rule,
  grant,
  by: ada,
  at,
});
const said = (command: string, option: string, id = 'c1'): Resume['answers'][number] => ({
  ask: '?',
  call: id,
  options: [],
  result: { option },
  permit: { tool: 'bash', digest: call(command).digest },
});

describe('a call of a tool', () => {
  it.each([
    ['a denied one', 'rm -rf .', [kept('bash', 'always')], [said('rm -rf .', 'once')], 'deny'],
    ['one that the person denied for good', 'ls', [kept('bash(ls:*)', 'deny')], [], 'deny'],
    ['one that the person allowed this once', 'git push', [], [said('git push', 'once')], 'granted'],
    ['one for which the person allowed another', 'git pull', [], [said('git push', 'once')], 'ask'],
    ['one that the person has just denied', 'git push', [], [said('git push', 'deny')], 'deny'],
    ['one that the person allowed for good', 'git push', [kept('bash(git push)', 'always')], [], 'allow'],
    ['one that the bot asks about', 'git push', [], [], 'ask'],
    ['one that the bot allows', 'ls -l', [], [], 'allow'],
    ['any other', 'make', [], [], 'ask'],
  ] as const)('%s: %s', (_what, command, rules, answers, verdict) => {
    expect(permitted(policy, rules, answers, call(command)).is).toBe(verdict);
  });

  it('is refused by the mode `deny` and let through by `off`', () => {
    expect(permitted({ ...policy, mode: 'deny' }, [], [], call('make')).is).toBe('deny');
    expect(permitted({ ...policy, mode: 'off' }, [], [], call('rm -rf .')).is).toBe('allow');
  });

  it('of a tool that a capability grants is asked about only where a rule says so', () => {
    const board = { ...call('x'), tool: 'close_issue', infra: true };
    expect(permitted(policy, [], [], board).is).toBe('allow');
    expect(permitted({ ...policy, ask: ['close_issue'] }, [], [], board).is).toBe('ask');
  });

  it('uses its leave up, and only that of the very call where two are alike', () => {
    const answers = [said('git push', 'once', 'c1'), said('git push', 'once', 'c2')];
    const left = withoutGrant(answers, call('git push', 'c2'));
    expect(left).toEqual([answers[0]]);
    expect(withoutGrant(left, call('git push', 'c3'))).toEqual([]);
    expect(permitted(policy, [], [], call('git push')).is).toBe('ask');
  });
});
