import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

/*
 * The peer of a chat turn: the same loop (an agent that answers at once, a gate, a human pause) in LangGraph JS, with
 * its own SQLite saver on the same disk, in this process like ours. Messages are plain objects in one channel, which is
 * the least that its own chat loops keep; `sync` is its promise that a step is saved before the next begins. As it comes
 * its saver syncs nothing of that: it outlives the process and not the machine. `synced` has it sync each step, which is
 * our promise.
 */

interface Said {
  readonly role: 'person' | 'bot';
  readonly text: string;
}

const Chat = Annotation.Root({
  messages: Annotation<Said[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  reply: Annotation<string>(),
});

/** A conversation that LangGraph keeps in a database of its own. */
export interface PeerChat {
  /** The directory that holds all it writes. */
  readonly path: string;
  /** Answers the open pause and waits until the next one is saved. */
  turn(text: string): Promise<void>;
  /** Called whenever the agent begins. */
  onAgent(heard: () => void): void;
  close(): void;
}

export async function peerChat({ synced = false } = {}): Promise<PeerChat> {
  const path = mkdtempSync(join(tmpdir(), 'hearth-bench-peer-'));
  const saver = SqliteSaver.fromConnString(join(path, 'checkpoints.sqlite'));
  if (synced) {
    // The saver chooses its own way of writing with its first statement; what is set before would be undone.
    await saver.getTuple({ configurable: { thread_id: 'none' } });
    saver.db.pragma('synchronous = FULL');
  }
  let heard = (): void => undefined;
  const graph = new StateGraph(Chat)
    .addNode('agent', () => {
      heard();
      return { messages: [{ role: 'bot' as const, text: 'ok' }], reply: 'ok' };
    })
    .addNode('gate', state => ({ reply: state.reply }))
    .addNode('chat', () => ({ messages: [{ role: 'person' as const, text: String(interrupt('?')) }] }))
    .addEdge(START, 'agent')
    .addEdge('agent', 'gate')
    .addConditionalEdges('gate', state => (state.reply === 'close' ? END : 'chat'), ['chat', END])
    .addEdge('chat', 'agent')
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 'bench' }, durability: 'sync' as const, recursionLimit: 100 };
  await graph.invoke({}, config);
  return {
    path,
    turn: async text => {
      await graph.invoke(new Command({ resume: text }), config);
    },
    onAgent: callback => {
      heard = callback;
    },
    close: () => {
      saver.db.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
