import { test, expect } from 'vitest';
import {
  conversationDirectory,
  epochDirectory,
  planPath,
} from '@hearth/conversations/conversation-directory.ts';
import { readPlan } from '@hearth/conversations/plans.ts';
import { runnable } from '@hearth/engine/runnable.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { writeJson } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';

/*
 * The plan of a source that uses nothing new is, to the byte, the plan that the first version made: its digest was taken
 * then. So conversations that were stored before go on, and no run is moved to another plan by an update.
 */

const SOURCE = `schema said:
  message: string

prompt words:
  {{input.message}}

compute seed:
  output: said
  expr:
    message: "vars.initial_message"

agent bot:
  model: "m"
  user: words
  output: said
  session: inherit_if_available
  interaction: human

human chat:
  output: said
  instructions: words

vars:
  initial_message: string = ""

workflow talk:
  entry: seed
  seed -> bot with { message: "{{outputs.seed.message}}" }
  bot -> chat with { message: "{{outputs.bot.message}}" }
  chat -> bot as talk(1000) with {
    message: "{{outputs.chat.message}}",
    _session_id: "{{outputs.bot._session_id}}",
    _session_fingerprint: "{{outputs.bot._session_fingerprint}}"
  }
`;
const DIGEST = 'sha256:2d1e7dcf1994ac3a48618cdfc560385598f73b37e17fbd9f545c40a688e04678';

test('an unchanged source keeps the digest of its plan, and a plan that was stored before is read and runs', async () => {
  const { plan } = compileBundle({ main: SOURCE });
  if (plan === null) throw new Error('no plan');
  expect(sha256(canonicalJson(plan))).toBe(DIGEST);
  const disk = new SimDisk();
  const epoch = epochDirectory(conversationDirectory('/home/c'), 1);
  await disk.makeDirectory(epoch.plans);
  await writeJson(disk, planPath(epoch, DIGEST), { plan, sources: {} });
  const stored = await readPlan(disk, epoch, DIGEST);
  expect(stored && runnable(stored.plan).missing).toBeNull();
});
