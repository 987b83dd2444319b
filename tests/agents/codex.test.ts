import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Talk } from '@hearth/backends/testing/conformance/talk.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codex } from '../support/agent-kinds.ts';
import { type AgentStage, agentStage } from '../support/agent-stage.ts';
import { furnished, NEEDLE } from '../support/closed-home.ts';
import { calls } from '../support/fake-provider.ts';
import { answered } from '../support/provider-moves.ts';

/* What is particular to the real Codex: what its shell reaches. */

let stage: AgentStage;
let talk: Talk;

beforeEach(async () => {
  stage = await agentStage(codex);
  talk = new Talk(stage);
});

afterEach(async () => {
  expect(stage.problems()).toEqual([]);
  await stage.close();
});

/** Runs a command in a workspace, and gives what the model reads of it. */
async function ran(workspace: string, command: string): Promise<string> {
  const done = answered({ reply: 'Done.', close: false }, codex.dialect);
  stage.provider.forget().plays(calls([codex.shell(command)]), done);
  const { last } = await talk.start(talk.turn('Go on.', { workspace, native: ['shell'] })).told;
  expect(last).toMatchObject({ type: 'done', output: { reply: 'Done.' } });
  const results = stage.provider.requests
    .at(-1)
    ?.body.input?.filter(item => (item as { type?: string }).type === 'function_call_output');
  return JSON.stringify(results?.at(-1));
}

test("its shell reads no profile of the person's", async () => {
  const home = process.env['HOME'];
  const persons = join(stage.root, 'persons');
  mkdirSync(persons);
  for (const name of ['.bashrc', '.profile', '.bash_profile'])
    writeFileSync(join(persons, name), 'echo a-profile-was-read\n');
  process.env['HOME'] = persons;
  try {
    const said = await ran(stage.workspace, 'echo "in $HOME"');
    expect(said).toContain(`in ${persons}`);
    expect(said).not.toContain('a-profile-was-read');
  } finally {
    if (home === undefined) delete process.env['HOME'];
    else process.env['HOME'] = home;
  }
});

test("its shell is kept from Hearth's own home, by no name that is written, and works in its workspace", async () => {
  const { token, secret, plain } = furnished(stage);
  const reads = `cat ${token} ${secret} ${plain}; cat ${stage.root}/link/token; ls ${stage.hearth}`;
  const writes = `echo x > ${stage.hearth}/settings.json; echo here > made.txt; echo t > $TMPDIR/t; cat $TMPDIR/t made.txt`;
  for (const workspace of [stage.root, stage.workspace]) {
    const said = await ran(workspace, `${reads}; ${writes}`);
    expect(said).toContain(`${NEEDLE} plain`);
    expect(said).not.toMatch(new RegExp(`${NEEDLE} (?:token|secret)`));
    expect(said).not.toContain('conversations');
    expect(said).toContain('t\\nhere');
    expect(existsSync(join(stage.hearth, 'settings.json'))).toBe(false);
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('here\n');
  }
  // One that works in the home works there, and reads no secret, also where there are no keys to keep from it.
  const inside = join(stage.hearth, 'workspace');
  mkdirSync(inside);
  rmSync(join(stage.hearth, 'secrets'), { recursive: true });
  const said = await ran(inside, `cat ../token ${plain}; echo here > made.txt`);
  expect(said).toContain(`${NEEDLE} plain`);
  expect(said).not.toMatch(new RegExp(`${NEEDLE} (?:token|secret)`));
  expect(readFileSync(join(inside, 'made.txt'), 'utf8')).toBe('here\n');
});
