import type { Backend, BackendEvent, BackendRun, BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';

/** Where a service is cut off: at the nth time that it comes by. */
export interface Fault {
  readonly at:
    | 'before commit'
    | 'after commit'
    | 'before snapshot'
    | 'after snapshot'
    | 'before tool'
    | 'in tool'
    | 'after tool'
    | BackendEvent['type'];
  readonly nth: number;
}

/**
 * One place where a service is cut off. What `onReached` does is left to its maker: it ends the process by SIGKILL, or
 * tells somebody who will. From then on this service stands still, so that the kill finds it as it was at that moment,
 * whatever else the process does until then.
 */
class Trap {
  readonly #fault: Fault | null;
  readonly #onReached: () => void;
  #count = 0;
  #reached = false;

  constructor(fault: Fault | null, onReached: () => void) {
    this.#fault = fault;
    this.#onReached = onReached;
  }

  /** A promise that is never settled once the service stands still. */
  get still(): Promise<never> | null {
    return this.#reached ? new Promise(() => undefined) : null;
  }

  async pass(at: Fault['at']): Promise<void> {
    if (this.#fault?.at === at && !this.#reached) {
      this.#count += 1;
      if (this.#count === this.#fault.nth) {
        this.#reached = true;
        this.#onReached();
      }
    }
    await this.still;
  }
}

const JOURNAL = /\/journal\.\d+\.jsonl$/;
const SNAPSHOT = /\/snapshot\.json$/;

/** The disk of a conversation's home, with a trap around each commit and each snapshot. */
function trapDisk(disk: Disk, trap: Trap): Disk {
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    const isJournal = JOURNAL.test(path);
    return {
      write: bytes => trap.still ?? handle.write(bytes),
      sync: async () => {
        if (isJournal) await trap.pass('before commit');
        await (trap.still ?? handle.sync());
        if (isJournal) await trap.pass('after commit');
      },
      close: () => trap.still ?? handle.close(),
    };
  };
  const rename = async (from: string, to: string): Promise<void> => {
    if (SNAPSHOT.test(to)) await trap.pass('before snapshot');
    await (trap.still ?? disk.rename(from, to));
    if (SNAPSHOT.test(to)) await trap.pass('after snapshot');
  };
  return new Proxy(disk, {
    get(target, name) {
      if (name === 'append') return append;
      if (name === 'rename') return rename;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => trap.still ?? Reflect.apply(member, target, given);
    },
  });
}

/** A backend with a trap around each tool call and before each of its events. */
function trapBackend(backend: Backend, trap: Trap): Backend {
  const call = (host: Host) => async (made: ToolCall) => {
    await trap.pass('before tool');
    const running = host.call(made);
    // The intent is on its way to the disk, and the tool perhaps at work.
    setImmediate(() => void trap.pass('in tool'));
    const result = await running;
    await trap.pass('after tool');
    return result;
  };
  const start = (turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun => {
    const run = backend.start(turn, { call: call(host), permit: made => host.permit(made) }, signal);
    return {
      offer: message => run.offer(message),
      interrupt: () => run.interrupt(),
      async *[Symbol.asyncIterator]() {
        for await (const event of run) {
          await trap.pass(event.type);
          yield event;
        }
      },
    };
  };
  return {
    name: backend.name,
    capabilities: backend.capabilities,
    detect: () => backend.detect(),
    fingerprint: model => backend.fingerprint(model),
    start,
  };
}

/** Wraps both for one fault. */
export function trapped(
  fault: Fault | null,
  disk: Disk,
  backend: Backend,
  onReached: () => void,
): { disk: Disk; backend: Backend } {
  const trap = new Trap(fault, onReached);
  return { disk: trapDisk(disk, trap), backend: trapBackend(backend, trap) };
}
