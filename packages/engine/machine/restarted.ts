import type { EntryOf } from '../entry.ts';
import type { Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { type Running, runningToken } from './effect.ts';
import { againOf, toolWords } from './ended.ts';
import { hold } from './recovery.ts';

/** What cut an effect short, in words for a person. */
const WHY: Readonly<Record<'stopped' | NonNullable<EntryOf<'restarted'>['why']>, (title: string) => string>> =
  {
    stopped: title => `The service stopped while ${title} was at work.`,
    not_saved: title => `The disk took no writes, so ${title} was stopped at work.`,
    fault: title => `A fault of the program stopped ${title} at work.`,
  };

/**
 * The process died while these effects ran, or what they did could not be saved. A compute node runs again; a backend's turn is never re-sent without a
 * person, since its tools may have run (docs/adr/0006).
 */
export function restarted(draft: Draft, entry: EntryOf<'restarted'>): void {
  for (const effect of entry.effects) {
    const token = runningToken(draft, effect);
    if (token === undefined) continue;
    if (draft.plan.nodes[token.node]?.kind === 'compute') {
      runAgain(token, token.stage.attempt);
      continue;
    }
    const uncertain = token.stage.open.filter(open => !open.idempotent);
    const detail = `${WHY[entry.why ?? 'stopped'](draft.plan.title)}${toolWords(token)}${uncertainWords(token)}`;
    const cause = uncertain.length > 0 ? 'uncertain' : 'interrupted';
    hold(draft, token, { cause, code: entry.why ?? cause, detail, effect }, againOf(token));
  }
}

function runAgain(token: Token, attempt: number): void {
  token.stage = { is: 'ready', attempt, resume: null, joined: [] };
}

function uncertainWords(token: Running): string {
  const names = token.stage.open.filter(open => !open.idempotent).map(open => open.name);
  return names.length === 0 ? '' : ` Whether this one took effect is not known: ${names.join(', ')}.`;
}
