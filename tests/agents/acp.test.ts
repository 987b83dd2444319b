import { Talk } from '@hearth/backends/testing/conformance/talk.ts';
import { expect, test } from 'vitest';
import { acp } from '../support/agent-kinds.ts';
import { agentStage } from '../support/agent-stage.ts';
import { furnished, NEEDLE } from '../support/closed-home.ts';
import { calls } from '../support/fake-provider.ts';
import { answered } from '../support/provider-moves.ts';

/* What is particular to a real agent of the Agent Client Protocol, here the adapter for Claude Code. */

test("what it reads by itself and asks no leave for is not in Hearth's own home", async () => {
  const stage = await agentStage(acp);
  try {
    const { token, plain } = furnished(stage);
    const talk = new Talk(stage);
    talk.permit = () => 'allow';
    stage.provider
      .forget()
      .plays(
        calls([{ name: 'Read', args: { file_path: plain } }]),
        calls([{ name: 'Read', args: { file_path: token } }]),
        calls([{ name: 'Grep', args: { pattern: NEEDLE, output_mode: 'content' } }]),
        answered({ reply: 'Not there.', close: false }, acp.dialect),
      );
    const { last } = await talk.start(talk.turn('Go on.', { workspace: stage.root })).told;
    expect(last).toMatchObject({ type: 'done', output: { reply: 'Not there.' } });
    const heard = stage.heard()?.at(-1) ?? '';
    expect(heard).toContain(`${NEEDLE} plain`);
    expect(heard).not.toMatch(new RegExp(`${NEEDLE} (?:token|secret)`));
    expect(stage.problems()).toEqual([]);
  } finally {
    await stage.close();
  }
});
