import { documentOf } from './document.ts';
import type { Drive } from './drive.ts';
import type { Outcome } from './entry.ts';
import { digestOf } from './long-text.ts';
import { GUARD } from './machine/guard.ts';
import type { RunnableNode } from './runnable.ts';

/**
 * The guard once more, over the bodies as they are stored, right before a node uses them: the failure with which the node
 * ends when one of them is not what was confirmed, else `null`.
 */
export async function storedMismatch(drive: Drive, node: RunnableNode | undefined): Promise<Outcome | null> {
  const required = node !== undefined && 'requires' in node ? (node.requires ?? []) : [];
  for (const name of required) {
    const { run } = drive.state.machine;
    const current = run === null ? null : (documentOf(run, name)?.current ?? null);
    if (current === null) return failed(`There is no "${name}" that could be used`);
    const stored = await drive.artifact(name, current.version);
    if (stored === null) return failed(`${name}@${current.version} cannot be read any more`);
    if (digestOf(stored.body) !== current.digest)
      return failed(`${name}@${current.version} was changed where it is stored after it was confirmed`);
  }
  return null;
}

function failed(what: string): Outcome {
  return {
    is: 'failed',
    code: GUARD,
    message: `${what}, so nothing was started.`,
    began: false,
    lasting: true,
  };
}
