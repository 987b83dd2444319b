import { compileBundle } from '@hearth/language/compile/compile.ts';
import { format } from '@hearth/language/format/format.ts';
import { expect, test } from 'vitest';
import { readManifest } from '@hearth/service/manifest.ts';
import { BOT_NAME, scaffold } from './scaffold.ts';

test.each(['greeter', 'my-bot-2', 'chat', 'seed', 'done', 'agent', 'workflow', 'assistant'])(
  'a bot called %s compiles without a word, and is formatted',
  name => {
    expect(name).toMatch(BOT_NAME);
    const files = scaffold(name);
    const main = files.get('main.bot') ?? '';
    const prompts = { manner: files.get('prompts/manner.md') ?? '' };
    const { plan, diagnostics } = compileBundle({ main, prompts });
    expect(diagnostics).toEqual([]);
    expect(plan).not.toBeNull();
    expect(format(main, 'main.bot')).toEqual({ is: 'formatted', text: main });
  },
);

test.each(['greeter', 'true', 'null', 'on'])('a bot called %s has a manifest that says so', name => {
  const { manifest, diagnostics } = readManifest(scaffold(name).get('manifest.yaml') ?? '');
  expect(diagnostics).toEqual([]);
  expect(manifest).toMatchObject({ name, display_name: name });
});

test.each(['', 'Greeter', '2nd', 'a b', 'a_b', '../up', 'é', '-a'])('%j cannot name a bot', name => {
  expect(name).not.toMatch(BOT_NAME);
});
