import type { KeptWorktree, Program, Surroundings } from '@hearth/engine/surroundings.ts';
import { expect, test } from 'vitest';
import { scenario, type World } from './harness.ts';
import { flow, from, HEAD, home, text } from './parts.ts';

/* `worktree: auto`, with a crash between every two commits. */

/** Worktrees as the port promises them, all of which hold changes at their run's end. */
function world(makes: boolean, fails = false): () => World {
  return () => {
    const log: string[] = [];
    const made = new Map<string, KeptWorktree>();
    const told = new Set<string>();
    const surroundings: Surroundings = {
      expand: words => words,
      servers: { connect: () => Promise.reject(new Error('There is no server here.')) },
      programs: {
        run: ({ node, workspace }: Program) => {
          const output = JSON.stringify({ text: workspace });
          // An idempotent tool may run again after a crash; where it did is what matters.
          const line = `${node} in ${workspace}`;
          if (!log.includes(line)) log.push(line);
          return Promise.resolve({ exit: 0, output, cut: false, errors: '', ended: null });
        },
      },
      worktrees: {
        open: ({ run, workspace }) => {
          // The disk is full once, when the first turn is over.
          if (fails && log.some(line => line.startsWith('work in')) && !log.includes('no room')) {
            log.push('no room');
            return Promise.reject(new Error('There is no room for a worktree.'));
          }
          if (!makes) return Promise.resolve({ is: 'none', why: 'it is not the root of a git checkout' });
          const path = `/trees/${run}${workspace}`;
          const fresh = !made.has(path);
          if (fresh) log.push(`made ${path}`);
          made.set(path, { path, branch: run });
          return Promise.resolve({ is: 'open', path, branch: run, made: fresh });
        },
        tidy: (_, active) =>
          Promise.resolve(
            [...made.values()].filter(({ path, branch }) => branch !== active && !told.has(path)),
          ),
        told: ({ path }) => {
          told.add(path);
          log.push(`told ${path}`);
          return Promise.resolve();
        },
      },
    };
    return { log, surroundings };
  };
}

const source = (worktree: string): string =>
  HEAD +
  text('seed', 'vars.initial_message') +
  'tool work:\n  command: "work"\n  output: said\n  idempotent: true\n\n' +
  'tool rest:\n  command: "rest"\n  output: said\n  idempotent: true\n\n' +
  home() +
  flow(
    'seed',
    `seed -> work with ${from('seed')}`,
    `work -> home with ${from('work')}`,
    `home -> rest with { text: "{{outputs.home.message}}" }`,
    `rest -> done`,
  ).replace('entry: seed', `entry: seed\n  worktree: ${worktree}`);

test('a run has one worktree for all of its turns, and what is left in it is told at its end', async () => {
  const ending = await scenario({ source: source('auto'), world: world(true), says: ['one', 'two'] });
  expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  const [made, ...rest] = ending.log;
  expect(made).toMatch(/^made \/trees\/r1\//);
  const path = made?.slice('made '.length);
  expect(rest).toEqual([`work in ${path}`, `rest in ${path}`, `told ${path}`]);
});

test.each<[string, boolean]>([
  ['auto', false],
  ['none', true],
])('with `worktree: %s` and no worktree a run works in the workspace itself', async (worktree, makes) => {
  const ending = await scenario({ source: source(worktree), world: world(makes), says: ['one', 'two'] });
  expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  expect(ending.log).toHaveLength(2);
  expect(ending.log.join(' ')).not.toContain('/trees');
});

test('R13.14: a place to work that cannot be made again takes nothing of what was done, and a person may try again', async () => {
  const ending = await scenario({
    source: source('auto'),
    world: world(true, true),
    says: ['hi', 'more'],
    answers: pause =>
      pause.kind === 'recovery' && pause.code === 'missing' ? { do: 'answer', option: 'again' } : null,
  });
  expect(ending.run).toMatchObject({ status: 'ended', reason: 'done' });
  expect(ending.log.filter(line => line.startsWith('work in'))).toHaveLength(1);
  expect(ending.log).toEqual(expect.arrayContaining(['no room', expect.stringMatching(/^rest in \/trees/)]));
});
