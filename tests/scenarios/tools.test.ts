import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Program, Surroundings } from '@hearth/engine/surroundings.ts';
import { expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { agent, flow, from, HEAD, home, text } from './parts.ts';

/* Tool nodes, judges and what is published, with a crash between every two commits (reference, section 7.5). */

/** A world of programs that print `{"text": …}`; only those that may not run twice are noted. */
function programs(prints: (program: Program) => string, judged: (times: number) => boolean = () => true) {
  return (): World => {
    const log: string[] = [];
    let judgements = 0;
    const surroundings: Surroundings = {
      expand: words => words,
      servers: { connect: () => Promise.reject(new Error('There is no server here.')) },
      programs: {
        run: program => {
          if (program.node !== 'twice') log.push(`${program.node}: ${program.text}`);
          return Promise.resolve({
            exit: 0,
            output: prints(program),
            cut: false,
            errors: '',
            ended: null,
          });
        },
      },
    };
    async function* script(): AsyncGenerator<BackendEvent> {
      yield session;
      judgements += 1;
      yield { type: 'done', output: { text: 'judged', good: judged(judgements) }, text: '' };
    }
    return { log, surroundings, script };
  };
}

const tool = (name: string, more = ''): string =>
  `tool ${name}:\n  command: "${name} {{input.text}}"\n  output: said\n${more}\n`;
const IDEMPOTENT = '  idempotent: true\n';
const seed = text('seed', 'vars.initial_message');

test('a tool runs once for each turn, or is handed to a person', async () => {
  const source =
    HEAD +
    seed +
    tool('once') +
    home() +
    flow(
      'seed',
      `seed -> once with ${from('seed')}`,
      `once -> home with ${from('once')}`,
      `home -> once as round(9) with { text: "{{outputs.home.message}}" }`,
    );
  const ending = await scenario({
    source,
    world: programs(({ text: words }) => JSON.stringify({ text: `did ${words}` })),
    says: ["it's one", 'two'],
  });
  expect(ending.log).toEqual(["once: once 'it'\\''s one'", "once: once 'two'"]);
  expect(ending.replies).toEqual([`did once 'it'\\''s one'`, `did once 'two'`]);
});

test('an idempotent tool runs again by itself, and what follows from it is the same', async () => {
  const source =
    HEAD +
    seed +
    tool('twice', IDEMPOTENT) +
    tool('once') +
    home() +
    flow(
      'seed',
      `seed -> twice with ${from('seed')}`,
      `twice -> once with ${from('twice')}`,
      `once -> home with ${from('once')}`,
    );
  const ending = await scenario({
    source,
    world: programs(({ node }) => JSON.stringify({ text: node })),
    says: ['go'],
  });
  expect(ending.log).toEqual(["once: once 'twice'"]);
  expect(ending.outputs['once']).toEqual({ text: 'once' });
});

test('what a tool prints that is no object is its result, which must fit the schema', async () => {
  const source =
    HEAD + seed + tool('once') + flow('seed', `seed -> once with ${from('seed')}`, 'once -> done');
  const ending = await scenario({ source, world: programs(() => 'plain words'), says: ['go'] });
  expect(ending.open).toEqual(['recovery at once']);
  expect(ending.run).toMatchObject({ status: 'active' });
});

test('a judge gives a verdict by its schema, and edges go by it', async () => {
  const judge = 'judge look:\n  model: "m"\n  user: words\n  output: verdict\n\n';
  const source =
    HEAD +
    seed +
    judge +
    text('good', "'well'") +
    text('bad', "'ill'") +
    flow(
      'seed',
      `seed -> look with ${from('seed')}`,
      'look -> good when good',
      'look -> bad',
      'good -> done',
      'bad -> fail',
    );
  const ending = await scenario({ source, world: programs(() => ''), says: ['go'] });
  expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  expect(ending.asked).toEqual(['look: go']);
});

test('what is published is read, in the version that was published last', async () => {
  const source =
    `${HEAD}prompt shown:\n  {{artifacts.report.text}} of {{outputs.writer._backend}}\n\n` +
    seed +
    agent('writer', '  publish: report\n') +
    home().replace('words', 'shown') +
    flow(
      'seed',
      `seed -> writer with ${from('seed')}`,
      'writer -> home',
      `home -> writer as round(9) with { text: "{{outputs.home.message}}" }`,
    );
  const ending = await scenario({ source, world: programs(() => ''), says: ['one', 'two'] });
  expect(ending.replies).toEqual(['judged of script', 'judged of script']);
  expect(ending.state.counters.artifacts).toEqual({ report: 2 });
});
