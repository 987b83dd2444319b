import { expect, test } from 'vitest';
import { compileBundle } from './compile.ts';

/* The shape of a conversation: seed, agent, gate, and a person at the end of the loop. */

const SOURCE = `## A bot that looks at the board and says what to do next.
vars:
  workspace_dir: string = "\${PROJECT_DIR}"
  scope_notes: string = ""
  initial_message: string = ""

schema seed_input:
  unused: string

schema turn_input:
  operator_message: string

schema nexie_turn:
  reply: string
  close: bool
  quick_replies: json
  dispatched_ids: json

schema gate_out:
  is_close: bool
  reply: string
  quick_replies: json

schema chat_input:
  reply: string
  quick_replies: json

schema chat_output:
  message: string

prompt nexie_system:
  You are the home base of {{vars.workspace_dir}}.

  Notes on scope: {{vars.scope_notes}}

prompt nexie_user:
  {{input.operator_message}}

prompt chat_bubble:
  {{input.reply}}

compute seed:
  input: seed_input
  output: turn_input
  expr:
    operator_message: "vars.initial_message"

agent nexie:
  backend: "\${HEARTH_BACKEND:-claude_code}"
  model: "\${HEARTH_MODEL:-auto}"
  reasoning_effort: "\${HEARTH_EFFORT:-high}"
  input: turn_input
  output: nexie_turn
  system: nexie_system
  user: nexie_user
  session: inherit_if_available
  interaction: human
  tools: [bash, read_file, write_file, glob, grep]
  capabilities: [board.read, board.create, board.move, board.assign, board.label, board.close, board.comment]
  tool_max_steps: 80

compute gate:
  input: nexie_turn
  output: gate_out
  expr:
    is_close: "input.close"
    reply: "input.reply"
    quick_replies: "input.quick_replies"

human chat:
  input: chat_input
  output: chat_output
  instructions: chat_bubble

workflow whats_next:
  entry: seed
  worktree: none
  budget:
    max_parallel_branches: 1
    max_duration: "45m"
    max_cost_usd: 15
    max_iterations: 80
    lifetime:
      max_cost_usd: 200

  seed -> nexie with { operator_message: "{{outputs.seed.operator_message}}" }
  nexie -> gate with {
    reply: "{{outputs.nexie.reply}}",
    close: "{{outputs.nexie.close}}"
    quick_replies: "{{outputs.nexie.quick_replies}}"
  }
  gate -> done when is_close
  gate -> chat with { reply: "{{outputs.gate.reply}}", quick_replies: "{{outputs.gate.quick_replies}}" }
  chat -> nexie as conversation_loop(1000) with {
    operator_message: "{{outputs.chat.message}}",
    _session_id: "{{outputs.nexie._session_id}}",
    _session_fingerprint: "{{outputs.nexie._session_fingerprint}}"
  }
`;

/** Profile 1 does not know the last capability; the bot has it all the same. */
const LATER = { code: 'C080', severity: 'warning', node: 'nexie' };

test('a conversation compiles, with one word about a later capability', () => {
  const { plan, diagnostics } = compileBundle({ main: SOURCE });
  expect(diagnostics).toMatchObject([LATER]);
  expect(plan).toMatchObject({
    format: 1,
    name: 'whats_next',
    entry: 'seed',
    worktree: 'none',
    budget: {
      burst: { duration: 2_700_000, cost: 15, iterations: 80 },
      lifetime: { cost: 200 },
      maxParallelBranches: 1,
    },
    loops: {
      conversation_loop: { cap: 1000, body: ['chat', 'gate', 'nexie'], entries: ['nexie'] },
    },
    keeps: ['chat', 'gate', 'nexie', 'seed'],
  });
  expect(plan?.nodes.chat).toMatchObject({
    kind: 'human',
    pause: 'chat',
    field: 'message',
    interaction: 'human',
  });
  expect(plan?.nodes.nexie).toMatchObject({ session: 'inherit_if_available', inbox: 'on', toolMaxSteps: 80 });
  expect(plan?.edges.map(edge => `${edge.from} -> ${edge.to}`)).toEqual([
    'seed -> nexie',
    'nexie -> gate',
    'gate -> done',
    'gate -> chat',
    'chat -> nexie',
  ]);
  expect(plan?.edges[2]?.when).toEqual({ is: 'field', field: 'is_close', negated: false });
});

test('a plan is plain JSON and does not depend on the order of declarations', () => {
  const { plan } = compileBundle({ main: SOURCE });
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  const blocks = SOURCE.split(/\n(?=(?:schema|prompt) )/);
  const [first = '', ...others] = blocks;
  const last = others.pop() ?? '';
  const shuffled = [first, ...others.toReversed(), last].join('\n');
  expect(JSON.stringify(compileBundle({ main: shuffled }).plan)).toBe(JSON.stringify(plan));
});

test.each(['_session_id', '_session_fingerprint'])('a loop edge that drops %s is warned about', key => {
  const main = SOURCE.replace(new RegExp(`\n    ${key}: .*`), '');
  const { plan, diagnostics } = compileBundle({ main });
  expect(plan).not.toBeNull();
  expect(diagnostics).toMatchObject([
    LATER,
    { code: 'H001', severity: 'warning', edge: 'chat -> nexie', at: { line: 94, column: 3 } },
  ]);
  expect(diagnostics[1]?.fix).toContain(`${key}: "{{outputs.nexie.${key}}}"`);
});

test('a session key taken from another node does not carry the memory', () => {
  const main = SOURCE.replace('{{outputs.nexie._session_id}}', '{{outputs.gate._session_id}}');
  expect(compileBundle({ main }).diagnostics.map(one => one.code)).toEqual(['C080', 'H001']);
});

test('a prompt in a file of the bundle serves like a declared one, which comes before it', () => {
  const main = SOURCE.replace('prompt chat_bubble:\n  {{input.reply}}\n', '');
  const prompts = { chat_bubble: 'Said: {{input.reply}}\n', nexie_user: 'unused {{vars}}' };
  const { plan, diagnostics } = compileBundle({ main, prompts });
  expect(diagnostics).toMatchObject([LATER]);
  expect(plan?.prompts.chat_bubble).toEqual(['Said: ', { path: ['input', 'reply'], raw: false }]);
  expect(plan?.prompts.nexie_user).toEqual([{ path: ['input', 'operator_message'], raw: false }]);
  const wrong = compileBundle({ main, prompts: { chat_bubble: 'one\ntwo {{input.nope}}' } });
  expect(wrong.diagnostics).toMatchObject([
    { code: 'C034', file: 'prompts/chat_bubble.md', at: { line: 2, column: 5 }, node: 'chat' },
    LATER,
  ]);
});
