import type { ArtifactChanges, ArtifactRef, ArtifactStatus, Finding } from '@hearth/protocol/artifact.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';

/* What is said of a card beside its body, the same on every surface. Pure; names and words come as they are. */

/** Hex digits of a digest that tell two versions apart for a person. */
const SHORT = 8;

/** A digest as people read it: its first digits. */
export function shortDigest(digest: ArtifactRef['digest']): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + SHORT);
}

/** What stands above the body. */
export function titleOf({ title, shown }: CardPause): string {
  return title ?? shown.artifact;
}

/** How things stand with the version that is shown, in one line. */
export function versionWords({ shown, earlier, status }: CardPause): string {
  const version = `version ${shown.version}${earlier.length === 0 ? '' : ` (${earlier.length + 1} so far)`}`;
  const standing =
    status === 'drafting' ? 'being redrafted, shown until the new version is there' : 'not confirmed yet';
  return `${version}, ${shortDigest(shown.digest)}, ${standing}`;
}

/** A version as people name it. */
export function refWords({ artifact, version }: ArtifactRef): string {
  return `${artifact} version ${version}`;
}

/** What the version was made from, in one line; empty when from nothing. `statusOf` says how a version stands, if it is known. */
export function fromWords(
  { from }: Pick<CardPause, 'from'>,
  statusOf: (ref: ArtifactRef) => ArtifactStatus | null = () => null,
): string {
  if (from.length === 0) return '';
  const named = from.map(ref => {
    const status = statusOf(ref);
    return `${refWords(ref)}${status === null ? '' : ` (${status})`}`;
  });
  return `made from ${named.join(', ')}`;
}

/** How much changed, in one sentence. */
export function changeWords({
  since,
  added,
  removed,
}: Pick<ArtifactChanges, 'since' | 'added' | 'removed'>): string {
  return `${lineCount(added)} added and ${removed} removed since version ${since}`;
}

/** A count of lines in words. */
export function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** A finding in one line. */
export function findingWords({ code, severity, message, line }: Finding): string {
  return `${severity}${line === undefined ? '' : `, line ${line}`}: ${message} (${code})`;
}

/** The words that asked for a version that is not there, because it is still made or could not be; empty when there are none. */
export function keptWords({ keptFeedback, status }: CardPause): string {
  if (keptFeedback === undefined) return '';
  return `${status === 'drafting' ? 'asked for with' : 'not done yet'}: “${keptFeedback.text}”`;
}

/** What a bare "ok" means here; empty when it means nothing. */
export function assentWords({ assent, actions }: CardPause): string {
  const action = actions.find(one => one.name === assent);
  return action === undefined ? '' : `A plain "ok" means "${action.label}".`;
}
