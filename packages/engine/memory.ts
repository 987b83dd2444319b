import { HOST_LINE } from './host-line.ts';
import type { Backend, BackendTurn } from './backend.ts';
import { isAllowed } from './grants.ts';
import type { ModelNode } from './runnable.ts';
import type { Tool } from './tool.ts';

/* What a node keeps from one run to the next: documents in the home, on a backend that reads them. */

/** Which documents are meant, and what a node may do with them. */
export interface MemoryWanted {
  readonly scope: string;
  /** Globs of documents that a session begins with; `null`: the index. */
  readonly autoload: readonly string[] | null;
  readonly read: boolean;
  readonly write: boolean;
  /** Who shares them; absent: whoever works in the same project. */
  readonly visibility?: string;
}

/** Where a memory is opened: an absolute path, and the name of the bot. */
export interface MemoryPlace {
  readonly workspace: string;
  readonly bot: string;
}

/** The documents of one node. */
export interface OpenMemory {
  /** The tools that the node may use. */
  readonly tools: readonly Tool[];
  /** What a session begins with, bounded. Rejects with a sentence when it cannot be read. */
  opening(): Promise<string>;
}

/** The documents that bots keep; whoever gives them confines every path and bounds every size. */
export interface Memories {
  open(wanted: MemoryWanted, place: MemoryPlace): OpenMemory;
}

/** What a turn is given of its node's memory. */
export interface GivenMemory {
  readonly tools: readonly Tool[];
  readonly turn: Pick<BackendTurn, 'memory'>;
  /** What a person is told when a session begins without the memory that the node asks for. */
  readonly unread: string | null;
}

const NONE: GivenMemory = { tools: [], turn: {}, unread: null };

/**
 * Opens the memory of a node for a turn. Where the backend reads none, the turn goes on without. Rejects with a sentence
 * when a document cannot be read.
 */
export async function givenMemory(
  node: ModelNode,
  place: MemoryPlace,
  memories: Memories | undefined,
  { name, capabilities }: Pick<Backend, 'name' | 'capabilities'>,
): Promise<GivenMemory> {
  const wanted = node.memory;
  if (wanted === undefined) return NONE;
  if (memories === undefined || capabilities.memory !== true) {
    const unread = `The memory of "${node.name}" is not read on ${name}; model-api reads it.`;
    return { ...NONE, unread };
  }
  const open = memories.open(wanted, place);
  const tools = open.tools.filter(tool => isAllowed(tool.name, node.toolPolicy));
  const text = wanted.read ? `${HOST_LINE}${await open.opening()}` : '';
  return { ...NONE, tools, turn: text === '' ? {} : { memory: { text, again: wanted.preCompactInject } } };
}
