import { type Code, error, warning } from './code.ts';
import { agent, base, plain, SCHEMA, withProperty, workflow } from './sources.ts';

const talk = (keys: string): string =>
  `schema m:\n  message: string\n\nhuman chat:\n  output: m\n\n${agent('a', 'session: inherit_if_available')}${workflow('a', 'a -> chat', `chat -> a as talk(1000) with { text: "{{outputs.chat.message}}"${keys} }`)}`;
const remembering = (properties: string): string =>
  agent('a', properties) + workflow('a', 'default_backend: "claude_code"', 'a -> done');
const chat = (fields: string): string =>
  `schema m:\n${fields}\n\nhuman chat:\n  output: m\n  pause: chat\n\n${workflow('chat', 'chat -> done')}`;

/** What Hearth says beyond the language that it has in common with others. */
export const HEARTH: readonly Code[] = [
  warning('H001', {
    meaning: 'an edge back to an agent drops the memory of the conversation',
    mend: 'let the edge carry `_session_id` and `_session_fingerprint` of the agent',
    wrong: talk(''),
    right: talk(
      ', _session_id: "{{outputs.a._session_id}}", _session_fingerprint: "{{outputs.a._session_fingerprint}}"',
    ),
  }),
  warning('H003', {
    meaning: 'a feature that is not supported yet',
    mend: 'leave it out',
    wrong: `dsl: 2\n\n${withProperty('full_access: true')}`,
    right: withProperty('readonly: true'),
  }),
  error('H004', {
    meaning: 'a chat pause without one place for the message',
    mend: 'give it an output schema with one string field, or write `pause: input`',
    wrong: chat('  ok: bool\n  n: int'),
    right: chat('  message: string'),
  }),
  warning('H005', {
    meaning: 'a duration that cannot be read',
    mend: 'write it like `45m`, `1h30m` or `90s`',
    wrong: plain('a') + workflow('a', 'budget:', '  max_duration: "soon"', 'a -> done'),
    right: plain('a') + workflow('a', 'budget:', '  max_duration: "45m"', 'a -> done'),
  }),
  warning('H007', {
    meaning: 'a loop cap in quotes that is neither a number nor one reference',
    mend: 'write a number, or one reference like `"{{vars.rounds}}"`',
    wrong: base('a -> a as l("many")', 'a -> done'),
    right: base('a -> a as l("3")', 'a -> done'),
  }),
  warning('H009', {
    meaning: "memory on a workflow's backend that does not read it",
    mend: 'add `backend: "model-api"` to the node with the memory',
    wrong: remembering('memory:\n    enabled: true\n    scope: "x"'),
    right: remembering('backend: "model-api"\n  memory:\n    enabled: true\n    scope: "x"'),
  }),
  warning('H006', {
    meaning: 'a property or a condition that has no effect',
    mend: 'leave it out: nothing changes',
    wrong: withProperty('backend: "claude_code"\n  max_tokens: 100'),
    right: SCHEMA + plain('a') + workflow('a', 'a -> done'),
  }),
  warning('H035', {
    meaning: 'an unknown word for the worktree, in profile 1',
    mend: 'write `worktree: auto` or `worktree: none`',
    wrong: plain('a') + workflow('a', 'worktree: always', 'a -> done'),
    right: plain('a') + workflow('a', 'worktree: none', 'a -> done'),
  }),
];
