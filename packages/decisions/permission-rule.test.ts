import { describe, expect, it } from 'vitest';
import { exactRule, fits, ruleOf } from './permission-rule.ts';

const shell = (command: string) => ({ tool: 'bash', args: { command } });
const file = (path: string, tool = 'write_file') => ({ tool, args: { path }, workspace: '/project' });
const page = (url: string) => ({ tool: 'web_fetch', args: { url } });

describe('a rule for calls', () => {
  it.each([
    // rule, call, allows, guards
    ['bash', shell('ls'), true, true],
    ['Bash(*)', shell('ls; rm x'), true, true],
    ['bash(git status)', shell('git status'), true, true],
    ['bash(git status)', shell('git status -s'), false, false],
    ['bash(git status:*)', shell('git  status -s'), true, true],
    ['bash(git status:*)', shell('git statusx'), false, false],
    // What is joined to a harmless command is not allowed with it, and is looked at by itself where it is guarded.
    ['bash(git status:*)', shell('git status; rm -rf .'), false, true],
    ['bash(git status:*)', shell('git status $(rm x)'), false, true],
    ['bash(git status:*)', shell('git status > file'), false, true],
    ['bash(rm:*)', shell('ls && rm -rf .'), false, true],
    ['bash(rm:*)', shell('A=1 rm -rf .'), false, true],
    ['bash(rm:*)', shell('echo rm'), false, false],
    ['bash(cd a && ls)', shell('cd a && ls'), true, true],
    ['bash(ls *.ts)', shell('ls a.ts'), true, true],
    // A shell is a shell, whatever a program calls its own.
    ['Bash(rm:*)', { tool: 'shell', args: { command: 'ls; rm x' } }, false, true],
    ['shell(ls)', shell('ls'), true, true],
    [String.raw`bash(ls \*.ts)`, shell('ls a.ts'), false, false],
    ['Write(src/*)', file('src/a/b.ts'), true, true],
    ['Write(src/*)', file('./src/a.ts'), true, true],
    ['Write(src/*)', file('/project/src/a.ts'), true, true],
    ['Write(src/*)', file('/project/test/a.ts'), false, false],
    ['Write(src/*)', file('src/../secret'), false, true],
    ['Edit(src/?.ts)', file('src/a.ts', 'MultiEdit'), true, true],
    ['Read', file('src/a.ts'), false, false],
    ['WebFetch(domain:example.org)', page('https://www.example.org/a'), true, true],
    ['WebFetch(domain:example.org)', page('https://example.org.evil.net/'), false, false],
    ['WebFetch(domain:example.org)', page('https://example.org./'), true, true],
    ['web_fetch(https://example.org/*)', page('https://example.org/a'), true, true],
    ['mcp.github.*', { tool: 'mcp__github__merge', args: {} }, true, true],
    ['mcp.github.merge', { tool: 'mcp__github__merge', args: {} }, true, true],
    ['mcp.github.merge', { tool: 'mcp__github__close', args: {} }, false, false],
    ['deploy({"to":"test"})', { tool: 'deploy', args: { to: 'test' } }, true, true],
    ['*', { tool: 'anything', args: {} }, true, true],
    // A text that is no rule must not open anything.
    ['no rule at all(', shell('ls'), false, true],
  ])('%s and %o', (rule, call, allows, guards) => {
    expect([fits(rule, call, 'allows'), fits(rule, call, 'guards')]).toEqual([allows, guards]);
  });

  it.each([
    [shell('ls *.ts | wc -l'), shell('ls a.ts | wc -l')],
    [file('src/[a]?.ts'), file('src/[a]b.ts')],
    [
      { tool: 'deploy', args: { to: '*' } },
      { tool: 'deploy', args: { to: 'all' } },
    ],
    [shell(String.raw`echo \*`), shell('echo x')],
  ])('made of a call fits that call and no other: %o', (call, other) => {
    const rule = exactRule(call);
    expect(fits(rule, call, 'allows')).toBe(true);
    expect(fits(rule, other, 'allows')).toBe(false);
  });

  it('is a name, or a name and a pattern', () => {
    expect(ruleOf('Bash(git push:*)')).toEqual({ tool: 'bash', pattern: 'git push:*' });
    expect(ruleOf('read_file')).toEqual({ tool: 'read_file', pattern: null });
    expect(ruleOf('rm -rf')).toBeNull();
  });
});
