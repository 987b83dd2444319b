import type { ToolNode } from '@hearth/language/plan/node.ts';
import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import type { EntryOf } from '../entry.ts';
import type { Token } from '../state.ts';
import { toolName } from '../tool-work.ts';
import type { Draft } from './draft.ts';
import { type Running, runningToken } from './effect.ts';
import { againOf, toolWords } from './ended.ts';
import { charge } from './ledgers.ts';
import { hold } from './recovery.ts';
import { tellingEnded } from './telling.ts';

/** What it used until then went with the process: one execution, and how much is not known. */
const CUT_SHORT: Spend = { ...NO_SPEND, tokens: null, costUsd: null, iterations: 1, unpriced: 1 };

/** What cut an effect short, in words for a person. */
const WHY: Readonly<Record<'stopped' | NonNullable<EntryOf<'restarted'>['why']>, (title: string) => string>> =
  {
    stopped: title => `The service stopped while ${title} was at work.`,
    not_saved: title => `The disk took no writes, so ${title} was stopped at work.`,
    fault: title => `A fault of the program stopped ${title} at work.`,
  };

/**
 * The process died while these effects ran, or what they did could not be saved. A compute node
 * runs again, and so does a tool that may; a backend's turn is never re-sent without a person, since its tools may have
 * run (docs/adr/0006).
 */
export function restarted(draft: Draft, entry: EntryOf<'restarted'>): void {
  for (const effect of entry.effects) {
    tellingEnded(draft, effect, false);
    const token = runningToken(draft, effect);
    if (token === undefined) continue;
    const node = draft.plan.nodes[token.node];
    if (node?.kind === 'compute' || (node?.kind === 'tool' && mayRunTwice(node, token))) {
      runAgain(token);
      continue;
    }
    charge(draft, CUT_SHORT);
    const why = WHY[entry.why ?? 'stopped'];
    if (node?.kind === 'tool') {
      const detail = `${why(`the tool "${node.name}"`)} Whether it took effect is not known.`;
      hold(
        draft,
        token,
        { cause: 'uncertain', code: entry.why ?? 'uncertain', detail, effect },
        againOf(token),
      );
      continue;
    }
    const uncertain = token.stage.open.filter(open => !open.idempotent);
    const detail = `${why(draft.plan.title)}${toolWords(token)}${uncertainWords(token)}`;
    const cause = uncertain.length > 0 ? 'uncertain' : 'interrupted';
    hold(draft, token, { cause, code: entry.why ?? cause, detail, effect }, againOf(token));
  }
}

function runAgain(token: Running): void {
  const { attempt, tries } = token.stage;
  const stage: Token['stage'] = { is: 'ready', attempt, resume: null, joined: [] };
  const again: Token = token;
  again.stage = tries === undefined ? stage : { ...stage, tries };
}

/**
 * Whether a tool's node may run again: its author says so, or it calls a tool of Hearth's that may be called again or had
 * not been called yet.
 */
function mayRunTwice(node: ToolNode, { stage }: Running): boolean {
  if (node.idempotent === true) return true;
  if (toolName(node) === null) return false;
  return (
    stage.toolsStarted.length === 0 || (stage.open.length > 0 && stage.open.every(open => open.idempotent))
  );
}

function uncertainWords(token: Running): string {
  const names = token.stage.open.filter(open => !open.idempotent).map(open => open.name);
  return names.length === 0 ? '' : ` Whether this one took effect is not known: ${names.join(', ')}.`;
}
