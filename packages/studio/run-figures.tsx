import { asProblem } from '@hearth/client/problem.ts';
import type { Fact } from '@hearth/client/run-figures.ts';
import type { Model } from '@hearth/client/view.ts';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { Desk } from './desk.ts';
import { oneLine } from './text.ts';

interface Props {
  readonly model: Model;
  readonly desk: Desk;
}

/** What is known: figures, that there is no run, or why they could not be read. */
type Read = readonly Fact[] | 'none' | { readonly why: string };

/** The run in figures, for who opens them; they are read when it is opened, and again when a turn begins or ends. */
export function RunFigures({ model, desk }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<Read | null>(null);
  const { run, turn } = model.now;
  useEffect(() => {
    if (!open) return;
    let over = false;
    desk.operating.facts().then(
      facts => over || setRead(facts ?? 'none'),
      (error: unknown) => over || setRead({ why: asProblem(error).detail }),
    );
    return () => {
      over = true;
    };
  }, [open, desk, run, turn?.id, turn?.status]);
  return (
    <details className="figures" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>The run in figures</summary>
      <Figures read={read} />
    </details>
  );
}

function Figures({ read }: { read: Read | null }): ReactNode {
  if (read === null) return <p>Reading…</p>;
  if (read === 'none') return <p>No run has begun here yet.</p>;
  if ('why' in read) return <p className="fault">{oneLine(read.why)}</p>;
  return (
    <dl>
      {read.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{oneLine(text)}</dd>
        </div>
      ))}
    </dl>
  );
}
