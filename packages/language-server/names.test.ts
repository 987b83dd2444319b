import fc from 'fast-check';
import { sourceLike } from '@hearth/language/testing/source-like.ts';
import { expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { aboutName, aboutWord } from './hover.ts';
import { namesIn } from './names.ts';
import { outlineOf } from './outline.ts';
import { Source } from './source.ts';

const SOURCE = `vars:
  topic: string = "x"

presets:
  quick:
    topic: "y"

schema words:
  message: string
  ok: bool

cursor zeal:
  values:
    low: "calm"

artifact plan:
  body: message

prompt said:
  {{ input.message }} on {{vars.topic}}

agent nexie:
  model: "m"
  input: words
  output: words
  user: said
  publish: plan
  cursors:
    zeal: low

compute gate:
  input: words
  output: words
  expr:
    message: "input.message + vars.topic + 'ok'"
    ok: "!ok && length(message) > 0"

review check:
  artifact: plan
  reader: nexie
  actions:
    stop: "Stop" [stops, reopens: plan, aside: gate, says: said, when: "ok"]

workflow w:
  entry: nexie
  nexie -> check when not ok with { message: "{{outputs.nexie.message}}" } as talk(3)
  check -> gate on stop opens [plan]
  gate -> nexie when "ok && outputs.nexie.ok" as talk(3)
`;

/** Every name as `kind text@line`, with `*` where it is declared. */
function named(text: string): readonly string[] {
  return namesIn(new Source(text, 'main.bot')).map(({ kind, text: name, owner, role, start, end }) => {
    expect(text.slice(start, end)).toBe(name);
    const line = text.slice(0, start).split('\n').length;
    return `${line} ${kind} ${owner === '' ? '' : `${owner}.`}${name}${role === 'declared' ? '*' : ''}`;
  });
}

test('finds every name, what it names, and where', () => {
  expect(named(SOURCE)).toEqual(
    `2 var topic*
5 preset quick*
6 var topic
8 schema words*
9 field words.message*
10 field words.ok*
12 cursor zeal*
16 artifact plan*
17 field words.message
19 prompt said*
20 field words.message
20 var topic
22 node nexie*
24 schema words
25 schema words
26 prompt said
27 artifact plan
29 cursor zeal
31 node gate*
32 schema words
33 schema words
35 field words.message
35 field words.message
35 var topic
36 field words.ok
36 field words.ok
36 field words.message
38 node check*
39 artifact plan
40 node nexie
42 action check.stop*
42 artifact plan
42 node gate
42 prompt said
42 field words.ok
44 workflow w*
45 node nexie
46 node nexie
46 node check
46 field words.ok
46 node nexie
46 field words.message
46 loop talk*
47 node check
47 node gate
47 action check.stop
47 artifact plan
48 node gate
48 node nexie
48 field words.ok
48 node nexie
48 field words.ok
48 loop talk`.split('\n'),
  );
});

test('of any text and at any place there is an answer', () => {
  fc.assert(
    fc.property(fc.oneof(sourceLike, cutting()), fc.nat(), (text, at) => {
      const source = new Source(text, 'main.bot');
      const names = namesIn(source);
      for (const one of names) {
        expect(text.slice(one.start, one.end)).toBe(one.text);
        aboutName(source, names, one, new Map());
      }
      const offset = at % (text.length + 1);
      completionsAt({ source, prompts: [] }, offset);
      aboutWord(source, offset);
      for (const { start, end, nameStart, nameEnd } of outlineOf(source)) {
        expect(start <= nameStart && nameStart <= nameEnd && nameEnd <= end).toBe(true);
      }
    }),
  );
});

/** The source with a piece cut out. */
function cutting(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(SOURCE.length), fc.nat(30))
    .map(([start, length]) => SOURCE.slice(0, start) + SOURCE.slice(start + length));
}
