/**
 * The directories of `SimDisk`: what a reader sees now, what is durable, and the changes between the two. A rename is
 * one change: after a power cut the old name or the new one is there, never both and never neither. A change survives
 * only together with the earlier ones to the same names.
 */
import { SimFile } from './sim-file.ts';
import type { Survival } from './sim-survival.ts';

/** What a name of `SimDisk` stands for. */
export type SimNode = SimFile | SimDirectory;

/** One directory of `SimDisk`: the names in it now, and those that a power cut would leave. */
export class SimDirectory {
  readonly kind = 'directory';
  readonly live = new Map<string, SimNode>();
  readonly durable = new Map<string, SimNode>();
}

/** What one name in one directory becomes; `null` removes it. */
export interface SimSlot {
  readonly directory: SimDirectory;
  readonly name: string;
  readonly node: SimNode | null;
}

interface SimChange {
  readonly slots: readonly SimSlot[];
  /** The directories whose sync it still waits for. */
  readonly awaits: Set<SimDirectory>;
}

/** All names of `SimDisk`. Paths are absolute. */
export class SimTree {
  readonly root = new SimDirectory();
  #pending: SimChange[] = [];

  /** What is at a path now. */
  at(path: string): SimNode | null {
    let node: SimNode = this.root;
    for (let from = 0; from < path.length; ) {
      const slash = path.indexOf('/', from);
      const until = slash < 0 ? path.length : slash;
      if (until > from) {
        const name = path.slice(from, until);
        const next: SimNode | undefined = node.kind === 'directory' ? node.live.get(name) : undefined;
        if (!next) return null;
        node = next;
      }
      from = until + 1;
    }
    return node;
  }

  /** Changes names, all of them at once. */
  change(...slots: readonly SimSlot[]): void {
    for (const slot of slots) assign(slot.directory.live, slot);
    this.#pending.push({ slots, awaits: new Set(slots.map(slot => slot.directory)) });
  }

  syncDirectory(directory: SimDirectory): void {
    for (const change of this.#pending) change.awaits.delete(directory);
    const synced = this.#pending.map(change => change.awaits.size === 0);
    const applied = this.#closed(synced);
    this.#pending.forEach((change, index) => {
      if (applied[index]) for (const slot of change.slots) assign(slot.directory.durable, slot);
    });
    this.#pending = this.#pending.filter((_, index) => !applied[index]);
  }

  /** A tree of what is left after a power cut; this one stays as it is. */
  survivor(survival: Survival): SimTree {
    const overlay = new Map<SimDirectory, Map<string, SimNode>>();
    const namesIn = (directory: SimDirectory): Map<string, SimNode> => {
      const names = overlay.get(directory) ?? new Map(directory.durable);
      overlay.set(directory, names);
      return names;
    };
    const happened = this.#closed(survival.happened(this.#pending.length));
    this.#pending.forEach((change, index) => {
      if (happened[index]) for (const slot of change.slots) assign(namesIn(slot.directory), slot);
    });
    const tree = new SimTree();
    const copy = (from: SimDirectory, to: SimDirectory): void => {
      for (const [name, node] of namesIn(from)) {
        const copied = node.kind === 'file' ? node.survivor(survival) : new SimDirectory();
        to.live.set(name, copied);
        to.durable.set(name, copied);
        if (node.kind === 'directory' && copied.kind === 'directory') copy(node, copied);
      }
    };
    copy(this.root, tree.root);
    return tree;
  }

  /** Adds to the chosen changes every earlier one that touches a name of theirs. */
  #closed(chosen: readonly boolean[]): readonly boolean[] {
    const closed = [...chosen];
    const needed: SimSlot[] = [];
    for (let index = this.#pending.length - 1; index >= 0; index -= 1) {
      const slots = this.#pending[index]?.slots ?? [];
      closed[index] ||= slots.some(slot => needed.some(other => sameName(slot, other)));
      if (closed[index]) needed.push(...slots);
    }
    return closed;
  }
}

function assign(names: Map<string, SimNode>, { name, node }: SimSlot): void {
  if (node) names.set(name, node);
  else names.delete(name);
}

function sameName(a: SimSlot, b: SimSlot): boolean {
  return a.directory === b.directory && a.name === b.name;
}

/** The bytes of a file, or of all files in a directory and below it, as a reader sees them now. */
export function bytesBelow(node: SimNode | null): number {
  if (node === null) return 0;
  if (node.kind === 'file') return node.length;
  return [...node.live.values()].reduce((sum, child) => sum + bytesBelow(child), 0);
}

/** Whether POSIX lets a rename put one in the place of the other: a file for a file, a directory for an empty one. */
export function replaceable(replaced: SimNode, by: SimNode): boolean {
  if (replaced.kind === 'file') return by.kind === 'file';
  return by.kind === 'directory' && replaced.live.size === 0;
}
