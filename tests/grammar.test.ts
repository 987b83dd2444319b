import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@hearth/language/testing/sources.ts';
import { VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';

/* The grammar as an editor runs it: which scope each piece of a source gets. */

const PATH = fileURLToPath(new URL('../editors/vscode/syntaxes/bot.tmLanguage.json', import.meta.url));

let grammar: textmate.IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: () => Promise.resolve(textmate.parseRawGrammar(readFileSync(PATH, 'utf8'), PATH)),
  });
  const loaded = await registry.loadGrammar('source.bot');
  if (loaded === null) throw new Error('the grammar does not load');
  grammar = loaded;
});

interface Piece {
  readonly text: string;
  readonly scopes: readonly string[];
}

function pieces(source: string): readonly Piece[] {
  let state = textmate.INITIAL;
  return source.split('\n').flatMap(line => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

/** The innermost scope of the first piece with that text, behind an optional earlier text. */
function scopeOf(source: string, text: string, behind = ''): string {
  const found = pieces(source);
  const from = behind === '' ? 0 : found.findIndex(piece => piece.text.includes(behind)) + 1;
  return (
    found
      .slice(from)
      .find(piece => piece.text.trim() === text)
      ?.scopes.at(-1) ?? 'none'
  );
}

const AGENT =
  'agent a:\n  model: "m ${HOME:-x} {{vars.x}}"  ## note\n  tools: [read_file, mcp.x.*]\n  readonly: true\n';
const REVIEW =
  'review check:\n  artifact: plan\n  actions:\n    stop: "Stop" [stops, notes: plan, when: "ok and length(x) > 3"]\n';
const FLOW =
  'workflow w:\n  entry: a\n  a -> b when not ready as again(10) with {\n    when: "{{outputs.a.ok}}", ## c\n    x: "1"\n  }\n  b -> done on stop\n  b -> a opens [plan]\n  with -> on when "kind == \'x\'"\n';

test.each([
  ['a declaration', AGENT, 'agent', '', 'keyword.declaration.bot'],
  ['its name', AGENT, 'a', '', 'entity.name.type.bot'],
  ['a property', AGENT, 'model', '', 'support.type.property-name.bot'],
  ['a string', AGENT, 'm', '"', 'string.quoted.double.bot'],
  ['a variable of the environment', AGENT, '${HOME:-x}', '', 'variable.other.environment.bot'],
  ['a namespace in a reference', AGENT, 'vars', '', 'variable.language.bot'],
  ['a name in a list', AGENT, 'read_file', '', 'variable.other.bot'],
  ['a truth value', AGENT, 'true', '', 'constant.language.bot'],
  ['a type', 'schema s:\n  x: string[]\n', 'string[]', '', 'storage.type.bot'],
  ['a field', 'schema s:\n  agent: string\n', 'agent', '', 'variable.other.member.bot'],
  ['a number', 'vars:\n  x: int = 42\n', '42', '', 'constant.numeric.bot'],
  ['the profile', 'dsl: 2\n', 'dsl', '', 'keyword.control.profile.bot'],
  ['a modifier', REVIEW, 'stops', '', 'keyword.other.modifier.bot'],
  ['an action', REVIEW, 'stop', '', 'entity.name.function.bot'],
  ['a word of an expression', REVIEW, 'and', '', 'keyword.operator.logical.bot'],
  ['a function', REVIEW, 'length', '', 'support.function.bot'],
  ['an arrow', FLOW, '->', '', 'keyword.operator.arrow.bot'],
  ['a clause', FLOW, 'with', '', 'keyword.control.bot'],
  ['not in a condition', FLOW, 'not', '', 'keyword.operator.logical.bot'],
  ['a loop', FLOW, 'again', '', 'entity.name.label.bot'],
  ['a key in braces, on a line of its own', FLOW, 'when', '{', 'variable.other.member.bot'],
  ['an action on an edge', FLOW, 'stop', '', 'entity.name.function.bot'],
  ['opens', FLOW, 'opens', '', 'keyword.control.bot'],
  ['a node called like a clause', FLOW, 'with', 'plan', 'entity.name.function.node.bot'],
  ['another, behind the arrow', FLOW, 'on', 'plan', 'entity.name.function.node.bot'],
  ['a text in an expression', FLOW, "'x'", '', 'string.quoted.single.bot'],
])('%s has its scope', (_what, source, text, behind, scope) => {
  expect(scopeOf(source, text, behind)).toBe(scope);
});

test('a comment is one, behind code and by itself', () => {
  for (const [source, text] of [
    [AGENT, 'note'],
    ['## agent a:\n', 'agent a'],
  ] as const) {
    const found = pieces(source).find(one => one.text.includes(text));
    expect(found?.scopes).toEqual(['source.bot', 'comment.line.number-sign.bot']);
  }
});

describe('contextual words are words only where they are', () => {
  test.each([
    ['a prompt called review', 'prompt review:\n  review x:\n', 'review', 'entity.name.type.bot'],
    ['an agent called artifact', 'agent artifact:\n  model: "m"\n', 'artifact', 'entity.name.type.bot'],
    ['a var called secrets', 'vars:\n  secrets: string\n', 'secrets', 'variable.other.member.bot'],
    ['a field called stops', 'schema s:\n  stops: bool\n', 'stops', 'variable.other.member.bot'],
    ['a tool called confirms', 'agent a:\n  tools: [confirms]\n', 'confirms', 'variable.other.bot'],
  ])('%s', (_what, source, text, scope) => {
    expect(scopeOf(source, text)).toBe(scope);
  });
});

test('the words of a prompt are text, whatever they look like', () => {
  const source = 'prompt p:\n  agent a: "x" ## no comment\n\n  -> {{input.x}}\nagent b:\n  model: "m"\n';
  const [first] = pieces(source).filter(one => one.text.includes('no comment'));
  expect(first?.scopes).toEqual(['source.bot', 'string.unquoted.prompt.bot']);
  expect(scopeOf(source, 'input')).toBe('variable.language.bot');
  expect(scopeOf(source, 'b')).toBe('entity.name.type.bot');
});

test('a block scalar ends where its property’s column is reached', () => {
  const source = 'tool t:\n  script: |\n    echo "a"\n\n      b: c\n  input: s\n';
  expect(pieces(source).find(one => one.text.includes('echo'))?.scopes).toContain(
    'string.unquoted.block.bot',
  );
  expect(pieces(source).find(one => one.text.includes('b: c'))?.scopes).toContain(
    'string.unquoted.block.bot',
  );
  expect(scopeOf(source, 'input')).toBe('support.type.property-name.bot');
});

test('every declaration of the language is a word of the grammar', () => {
  for (const { name, header } of VOCABULARY) {
    expect(scopeOf(header.replace('NAME', 'x'), name), name).toBe('keyword.declaration.bot');
  }
});

test('every source ends outside of all strings and groups', () => {
  for (const source of SOURCES) {
    const scopes =
      pieces(`${source.trimEnd()}\nagent last:\n`).find(one => one.text === 'last')?.scopes ?? [];
    if (/"[^"\n]*$/m.test(source.replaceAll(/"[^"\n]*"/g, '')) || source.includes('`')) continue;
    expect(scopes, source).toContain('entity.name.type.bot');
  }
});
