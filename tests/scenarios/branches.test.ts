import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { Values } from '@hearth/language/value.ts';
import { describe, expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';

/* Routers and branches: what a fork gives, where it meets, and what becomes of a branch that fails. */

const HEAD = `vars:
  initial_message: string = ""

schema said:
  text: string

schema request:
  message: string

prompt words:
  {{input.text}}

`;

const agent = (name: string): string => `agent ${name}:\n  model: "m"\n  user: words\n  output: said\n\n`;

const passing = (name: string, more = ''): string =>
  `compute ${name}:\n  output: said\n${more}  expr:\n    text: "input.text"\n\n`;

/** Answers every agent with its node's name and what it was asked. */
const echoes = (work?: (turn: BackendTurn) => Values | null): (() => World) => {
  return () => {
    const log: string[] = [];
    return {
      log,
      async *script(turn) {
        yield session;
        log.push(turn.node);
        const output = work?.(turn) ?? { text: `${turn.node}(${turn.prompt.user})` };
        yield { type: 'done', output, text: '' };
      },
    };
  };
};

describe('fan_out_all', () => {
  test('every edge becomes a branch, and what they put out is there where they meet', async () => {
    const ending = await scenario({
      source: `${HEAD}${passing('start')}router all:
  mode: fan_out_all

${agent('one')}${agent('two')}compute meet:
  output: said
  expr:
    text: "outputs.one.text + ' and ' + outputs.two.text + ', ' + input.last"

workflow w:
  entry: start
  start -> all with { text: "{{vars.initial_message}}" }
  all -> one with { text: "{{vars.initial_message}}" }
  all -> two with { text: "{{vars.initial_message}}" }
  one -> meet with { last: "{{outputs.one.text}}" }
  two -> meet with { last: "{{outputs.two.text}}" }
  meet -> done when "true"
  meet -> fail with { text: "{{outputs.meet.text}}" }
`.replace('text: "input.text"', `text: "'begun'"`),
      world: echoes(),
      says: ['hi'],
    });
    expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
    expect(ending.asked.toSorted()).toEqual(['one: hi', 'two: hi']);
  });
});
