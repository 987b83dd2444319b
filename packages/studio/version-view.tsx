import { changeWords, findingWords, lineCount } from '@hearth/client/card-words.ts';
import { asProblem } from '@hearth/client/problem.ts';
import type { ArtifactAnswer, ArtifactChanges, ArtifactRef, Finding } from '@hearth/protocol/artifact.ts';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { Desk } from './desk.ts';
import { cleaned, oneLine } from './text.ts';

/** What is at hand of a version that is fetched. */
export type Held =
  | { readonly is: 'coming' }
  | { readonly is: 'here'; readonly version: ArtifactAnswer }
  | { readonly is: 'failed'; readonly why: string; readonly again: () => void };

/** A version of an artifact, fetched when it is first drawn. What was here before is drawn no longer than it is shown. */
export function useVersion(
  desk: Desk,
  { artifact, version }: Pick<ArtifactRef, 'artifact' | 'version'>,
  since?: number,
): Held {
  const [held, setHeld] = useState<{ readonly key: string; readonly held: Held } | null>(null);
  const [tries, setTries] = useState(0);
  const key = `${artifact}@${version} ${since ?? ''} ${tries}`;
  useEffect(() => {
    let wanted = true;
    const settle = (next: Held): void => {
      if (wanted) setHeld({ key, held: next });
    };
    desk.operating.version({ artifact, version }, since).then(
      found => settle({ is: 'here', version: found }),
      (error: unknown) =>
        settle({ is: 'failed', why: asProblem(error).detail, again: () => setTries(count => count + 1) }),
    );
    return () => {
      wanted = false;
    };
  }, [desk, artifact, version, since, key]);
  return held?.key === key ? held.held : { is: 'coming' };
}

/** The text as it was written, in letters of one width; it scrolls by itself and is reached by keys. */
export function Body({ held, label }: { held: Held; label: string }): ReactNode {
  if (held.is === 'coming') return <p className="note">Reading the text…</p>;
  if (held.is === 'failed') {
    return (
      <p className="fault">
        The text could not be read: {oneLine(held.why)}{' '}
        <button type="button" className="chip small" onClick={held.again}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <section className="body" aria-label={label} tabIndex={0}>
      <pre>{cleaned(held.version.body)}</pre>
    </section>
  );
}

/** What was found in a version; nothing when nothing was. */
export function Findings({ findings }: { findings: readonly Finding[] }): ReactNode {
  if (findings.length === 0) return null;
  return (
    <div className="findings">
      <h3>Found in it</h3>
      <ul>
        {findings.map((one, at) => (
          <li key={at} className={one.severity}>
            {oneLine(findingWords(one))}
          </li>
        ))}
      </ul>
    </div>
  );
}

const SIGN = { same: ' ', added: '+', removed: '−' };

/** What changed, with a sign before each line, so that no colour says it alone. */
function Changes({ changes }: { changes: ArtifactChanges }): ReactNode {
  const { since, lines } = changes;
  return (
    <>
      <p>{changeWords(changes)}.</p>
      <section className="body" aria-label={`What changed since version ${since}`} tabIndex={0}>
        <pre>
          {lines.map((line, at) => (
            <span key={at} className={`line ${line.is}`}>
              {line.is === 'left'
                ? `… ${lineCount(line.lines)} the same`
                : `${SIGN[line.is]} ${cleaned(line.text)}`}
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
    </>
  );
}

/** An earlier version beside the one that is shown: what changed since, and its whole text. */
export function Earlier({
  desk,
  shown,
  version,
}: {
  desk: Desk;
  shown: ArtifactRef;
  version: number;
}): ReactNode {
  const changes = useVersion(desk, shown, version);
  const before = useVersion(desk, { artifact: shown.artifact, version });
  return (
    <>
      {changes.is === 'here' && changes.version.changes !== undefined ? (
        <Changes changes={changes.version.changes} />
      ) : null}
      <Body held={before} label={`Text of ${oneLine(shown.artifact)}, version ${version}`} />
    </>
  );
}
