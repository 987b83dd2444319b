import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import type { AgentNode, HumanNode } from '@hearth/language/plan/node.ts';
import type { Plan } from '@hearth/language/plan.ts';

/*
 * The bundles that come with Hearth: each compiles without a word from the compiler, and keeps the conversation in one
 * session. What is asserted of whats-next is the contract of the chat loop.
 */

const bots = join(import.meta.dirname, '..', 'bots');
const read = (...path: string[]) => readFileSync(join(bots, ...path), 'utf8');
const names = (...path: string[]) => readdirSync(join(bots, ...path), { withFileTypes: true });
const bundles = names()
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

function has(name: string, directory: string): boolean {
  return names(name).some(entry => entry.name === directory && entry.isDirectory());
}

function compile(name: string) {
  const files = has(name, 'prompts') ? names(name, 'prompts').map(entry => entry.name) : [];
  const prompts = Object.fromEntries(
    files.map(file => [file.replace(/\.md$/, ''), read(name, 'prompts', file)]),
  );
  return compileBundle({ main: read(name, 'main.bot'), prompts });
}

function planOf(name: string): Plan {
  const { plan, diagnostics } = compile(name);
  if (plan === null)
    throw new Error(diagnostics.map(({ code, message }) => `${name}: ${code} ${message}`).join('\n'));
  return plan;
}

const Manifest = z.strictObject({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  display_name: z.string().min(1),
  description: z.string().min(20),
  when_to_use: z.string().min(20),
  chat: z.strictObject({
    seed_var: z.string(),
    nodes: z.record(
      z.string(),
      z.strictObject({ kind: z.enum(['silent', 'banner', 'human']), text_field: z.string().optional() }),
    ),
  }),
});

test('the bundles that come with Hearth', () => {
  expect(bundles).toEqual(expect.arrayContaining(['confirm-first', 'hello', 'whats-next']));
});

describe.each(bundles)('%s', name => {
  test('compiles, and all that is said is that profile 1 did not have one of its capabilities', () => {
    const { plan, diagnostics } = compile(name);
    const later = (one: Diagnostic): boolean => one.code === 'C080' && one.message.includes('board.comment');
    expect(diagnostics.filter(one => !later(one))).toEqual([]);
    expect(plan).not.toBeNull();
  });

  test('leaves the model to its person', () => {
    const agents = Object.values(planOf(name).nodes).filter(
      (node): node is AgentNode => node.kind === 'agent',
    );
    expect(agents.length).toBeGreaterThan(0);
    for (const agent of agents) expect([agent.model, agent.backend]).toEqual(['${HEARTH_MODEL:-auto}', null]);
  });

  test('its skills say what they are for, under their own names', () => {
    const skills = has(name, 'skills') ? names(name, 'skills').map(entry => entry.name) : [];
    for (const skill of skills) {
      const [, front] = read(name, 'skills', skill, 'SKILL.md').split('---\n');
      expect(parse(front ?? '')).toEqual({ name: skill, description: expect.stringMatching(/.{40}/) });
    }
  });
});

describe.each(['hello', 'whats-next'])('the chat loop of %s', name => {
  const plan = planOf(name);
  const edge = plan.edges.find(({ loop }) => loop === 'conversation_loop')!;
  const agent = plan.nodes[edge.to] as AgentNode;
  const chat = plan.nodes[edge.from] as HumanNode;

  test('R13.2: carries the session of the agent back to the agent, a thousand times', () => {
    expect(plan.loops['conversation_loop']?.cap).toBe(1000);
    expect(agent.session).toBe('inherit_if_available');
    expect(edge.with.map(({ key }) => key)).toEqual([
      expect.any(String),
      '_session_id',
      '_session_fingerprint',
    ]);
    expect(JSON.stringify(edge.with[1]?.value)).toContain('_session_id');
    expect(JSON.stringify(edge.with[2]?.value)).toContain('_session_fingerprint');
  });

  test('R13.1: waits in one field whose words are the reply, and in no form', () => {
    expect(chat).toMatchObject({ kind: 'human', pause: 'chat', field: expect.any(String) });
    expect(JSON.stringify(plan.prompts[chat.instructions ?? ''])).toContain('reply');
  });

  test('ends on the turn that asks for it, and on nothing else', () => {
    const ends = plan.edges.filter(({ to }) => to === 'done' || to === 'fail');
    expect(ends).toMatchObject([{ to: 'done', when: { is: 'field', negated: false } }]);
  });

  test('has a manifest that fits the graph', () => {
    const manifest = Manifest.parse(parse(read(name, 'manifest.yaml')));
    expect(manifest.name).toBe(name);
    expect(plan.vars.find(({ name: each }) => each === manifest.chat.seed_var)).toMatchObject({
      type: 'string',
      default: '',
    });
    for (const [node, shown] of Object.entries(manifest.chat.nodes)) {
      expect(plan.nodes[node]?.kind === 'human').toBe(shown.kind === 'human');
      if (shown.text_field !== undefined)
        expect((plan.nodes[node] as HumanNode).field).toBe(shown.text_field);
    }
  });
});

describe('whats-next', () => {
  const plan = planOf('whats-next');
  const nexie = plan.nodes['nexie'] as AgentNode;

  test('has five nodes and fewer than 350 lines', () => {
    const kinds = Object.values(plan.nodes)
      .filter(({ kind }) => kind !== 'fail')
      .map(({ name, kind }) => `${name} ${kind}`);
    expect(kinds.sort()).toEqual(['chat human', 'done done', 'gate compute', 'nexie agent', 'seed compute']);
    expect(read('whats-next', 'main.bot').split('\n').length).toBeLessThan(350);
  });

  test('ends every turn with the envelope', () => {
    expect(plan.schemas[nexie.output ?? '']?.fields).toEqual([
      { name: 'reply', type: 'string' },
      { name: 'close', type: 'bool' },
      { name: 'quick_replies', type: 'json' },
      { name: 'dispatched_ids', type: 'json' },
    ]);
  });

  test('reads the project, and writes to the board only', () => {
    expect(nexie.tools).toEqual(['read_file', 'glob', 'grep', 'git_log', 'skill']);
    const acts = ['read', 'create', 'move', 'assign', 'label', 'close', 'comment'];
    expect(nexie.capabilities).toEqual(acts.map(act => `board.${act}`));
    expect(nexie).toMatchObject({ interaction: 'human', toolMaxSteps: 80, inbox: 'on' });
    expect(plan.worktree).toBe('none');
  });

  test('is bounded from one message to the next, and in all', () => {
    expect(plan.budget).toEqual({
      maxParallelBranches: 1,
      burst: { duration: 45 * 60_000, cost: 15, iterations: 80 },
      lifetime: { duration: 24 * 3_600_000, cost: 200 },
    });
  });

  test('names in its instructions only tools that it has', () => {
    const words = read('whats-next', 'prompts', 'nexie_system.md').match(/`[a-z]+_[a-z]+`/g) ?? [];
    const board = ['list_issues', 'get_issue', 'list_labels', 'close_issue'];
    const known = [
      ...(nexie.tools ?? []),
      ...board,
      'ask_user',
      'quick_replies',
      'dispatched_ids',
      'in_progress',
    ];
    expect(words.map(word => word.slice(1, -1)).filter(word => !known.includes(word))).toEqual([]);
  });
});

describe('confirm-first', () => {
  const plan = planOf('confirm-first');
  const agents = Object.values(plan.nodes).filter((node): node is AgentNode => node.kind === 'agent');

  test('has the two documents, each with its review, and a result that names both', () => {
    expect(plan.artifacts).toMatchObject({
      interpretation: { title: 'Prompt Pseudocode', lint: 'pseudocode', from: [] },
      approach: { title: 'Response Plan Pseudocode', lint: 'pseudocode', from: ['interpretation'] },
      result: { from: ['interpretation', 'approach'] },
    });
    const reviews = Object.values(plan.nodes).flatMap(node =>
      node.kind === 'review' ? [node.artifact] : [],
    );
    expect(reviews.toSorted()).toEqual(['approach', 'interpretation']);
  });

  test('gives tools to the execution alone, and only such as read', () => {
    for (const agent of agents) {
      expect(agent.tools).toEqual(agent.name === 'execute' ? ['read_file', 'glob', 'grep', 'git_log'] : []);
      expect([agent.capabilities, agent.mcp]).toEqual([[], undefined]);
    }
  });

  test('begins every call in a session of its own, which no edge carries on', () => {
    for (const agent of agents) expect([agent.name, agent.session]).toEqual([agent.name, 'fresh']);
    expect(JSON.stringify(plan.edges)).not.toContain('_session');
  });

  test('executes only what is confirmed, and only behind both reviews', () => {
    expect(agents.filter(({ requires }) => requires !== undefined)).toMatchObject([
      { name: 'execute', requires: ['interpretation', 'approach'] },
    ]);
    const before = plan.edges
      .filter(({ to }) => to === 'start')
      .map(({ from, on }) => `${from} ${on ?? ''}`.trim());
    expect(before.sort()).toEqual([
      'check_approach confirm_pseudocode',
      'check_approach confirm_standard',
      'wait_input',
    ]);
    expect(plan.edges.filter(({ to }) => to === 'execute').map(({ from }) => from)).toEqual(['start']);
  });

  test('has a manifest that fits the graph', () => {
    const manifest = Manifest.parse(parse(read('confirm-first', 'manifest.yaml')));
    expect(manifest.name).toBe('confirm-first');
    expect(plan.vars.find(({ name }) => name === manifest.chat.seed_var)).toMatchObject({ default: '' });
    for (const [node, shown] of Object.entries(manifest.chat.nodes)) {
      expect(plan.nodes[node]?.kind === 'human').toBe(shown.kind === 'human');
    }
  });
});
