import type { KeptRule } from '@hearth/protocol/view.ts';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { Desk } from './desk.ts';
import { oneLine } from './text.ts';

interface Props {
  readonly rules: readonly KeptRule[];
  readonly desk: Desk;
}

/** What was allowed or denied for good here. Each can be taken back; nothing is drawn while there is nothing. */
export function Rules({ rules, desk }: Props): ReactNode {
  const summary = useRef<HTMLElement>(null);
  if (rules.length === 0) return null;
  const takeBack = async (rule: string): Promise<void> => {
    // The button goes with its rule; whoever pressed it by the keyboard goes on from here.
    if (rules.length > 1) summary.current?.focus();
    else document.getElementById('composer')?.focus();
    await desk.operating.revokeRule(rule);
  };
  return (
    <details className="rules">
      <summary ref={summary}>
        {rules.length === 1 ? '1 rule' : `${rules.length} rules`} of this conversation
      </summary>
      <ul aria-label="Rules of this conversation">
        {rules.map(({ rule, grant, by }) => (
          <li key={rule}>
            <span className="head">
              {grant === 'always' ? 'Allowed' : 'Denied'}: <code>{oneLine(rule)}</code>{' '}
              <span className="note">by {oneLine(by.name)}</span>
            </span>
            <button
              type="button"
              className="chip small"
              aria-label={`Take back: ${oneLine(rule)}`}
              onClick={() => void takeBack(rule)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
