import { describe, expect, test } from 'vitest';
import { BackendMissing, chooseBackend, type Wish, wantedIn } from './choice.ts';
import { ScriptedBackend } from './testing/scripted/scripted-backend.ts';

const rehearsal = new ScriptedBackend([], { name: 'rehearsal' });
const api = new ScriptedBackend([], { name: 'model-api' });
const claude = new ScriptedBackend([], { name: 'claude-code', usable: false });
const all = [rehearsal, claude, api];
const wishes = (node: string | null, workflow: string | null, variable?: string): readonly Wish[] => [
  { name: node, by: 'the node names it', where: 'The node' },
  { name: workflow, by: "it is the workflow's default", where: 'The workflow' },
  { name: variable, by: 'HEARTH_BACKEND names it', where: 'HEARTH_BACKEND' },
];

describe('what a person writes', () => {
  test.each([
    ['auto', null, null],
    ['', null, null],
    ['claude-code', 'claude-code', null],
    ['claude_code/opus', 'claude-code', 'opus'],
    ['claude/auto', 'claude-code', null],
    ['claw/ollama/llama3:8b', 'model-api', 'ollama/llama3:8b'],
    ['ollama/llama3:8b', 'model-api', 'ollama/llama3:8b'],
    ['gpt-4o', null, 'gpt-4o'],
    ['meta/llama', null, 'meta/llama'],
  ])('%j', (text, backend, model) => {
    expect(wantedIn(text)).toEqual({ backend, model });
  });
});

describe('the first that somebody chose wins, then the first that can be used, then the rehearsal', () => {
  test.each([
    ['model_api', 'rehearsal', 'rehearsal', all, 'model-api', 'the node names it'],
    [null, 'model_api', 'rehearsal', all, 'model-api', "it is the workflow's default"],
    ['', 'auto', ' rehearsal ', all, 'rehearsal', 'HEARTH_BACKEND names it'],
    ['claw', null, undefined, all, 'model-api', 'the node names it'],
    [null, null, undefined, all, 'model-api', 'scripted'],
    [null, null, undefined, [rehearsal, claude], 'rehearsal', 'scripted'],
  ])('%j, %j, %j', async (node, workflow, HEARTH_BACKEND, available, name, why) => {
    const choice = await chooseBackend(wishes(node, workflow, HEARTH_BACKEND), available);
    expect([choice.backend.name, choice.why]).toEqual([name, why]);
  });
});

describe('a name that somebody chose is never replaced', () => {
  test.each([
    [
      'codex',
      null,
      'The node asks for the backend "codex", which is not there; use one of: rehearsal, claude-code, model-api.',
    ],
    [null, 'toString', 'The workflow asks for the backend "toString", which is not there'],
    [
      'claude_code',
      null,
      'The node asks for the backend "claude_code", which cannot be used: scripted as unusable.',
    ],
  ])('%j, %j', async (node, workflow, message) => {
    const choice = chooseBackend(wishes(node, workflow), all);
    await expect(choice).rejects.toThrow(message);
    await expect(choice).rejects.toBeInstanceOf(BackendMissing);
  });
  test('and nothing usable at all is an error too', async () => {
    await expect(chooseBackend([], [claude])).rejects.toThrow('No backend can be used here');
  });
});
