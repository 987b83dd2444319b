import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { KeptRule } from '@hearth/protocol/view.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { conversationAt } from './runs-named.ts';

/* `hearth rules list` and `rules revoke`: what a person allowed or denied for good in a conversation. */

/** `hearth rules list`. */
export async function listRules(call: Invocation): Promise<ExitCode> {
  const { client, conversation } = await conversationAt(call);
  const { rules = [] } = await client.get(conversation);
  if (call.flag('json')) printJson(call.io, { rules });
  else if (rules.length === 0) print(call.io, 'Nothing is allowed or denied for good here.');
  else for (const rule of rules) print(call.io, lineOf(rule));
  return EXIT.done;
}

/** `hearth rules revoke`: the rule as it was listed; what it allowed is asked about again. */
export async function revokeRule(call: Invocation): Promise<ExitCode> {
  const { client, conversation } = await conversationAt(call);
  const [rule = ''] = call.words;
  const { view } = await client.revokeRule(conversation, rule);
  if (call.flag('json')) printJson(call.io, { rules: view.rules ?? [] });
  else print(call.io, `${sanitiseLine(rule)} holds no longer; you are asked again.`);
  return EXIT.done;
}

function lineOf({ rule, grant, by, at }: KeptRule): string {
  const said = grant === 'always' ? 'allowed' : 'denied ';
  return `${said}  ${sanitiseLine(rule)}  (by ${sanitiseLine(by.name)}, ${at})`;
}
