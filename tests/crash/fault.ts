import type { Backend, BackendEvent, BackendRun, BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';

/** Where a process kills itself: at the nth time that it comes by. */
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

export const NO_FAULT = '';

/** SIGKILL leaves no chance to flush, to close or to say anything. */
class Trap {
  readonly #fault: Fault | null;
  #count = 0;

  constructor(fault: Fault | null) {
    this.#fault = fault;
  }

  pass(at: Fault['at']): void {
    if (this.#fault?.at !== at) return;
    this.#count += 1;
    if (this.#count === this.#fault.nth) process.kill(process.pid, 'SIGKILL');
  }
}

const JOURNAL = /\/journal\.\d+\.jsonl$/;
const SNAPSHOT = /\/snapshot\.json$/;

/** The disk of a conversation's home, with a trap around each commit and each snapshot. */
function trapDisk(disk: Disk, trap: Trap): Disk {
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    if (!JOURNAL.test(path)) return handle;
    return {
      write: bytes => handle.write(bytes),
      sync: async () => {
        trap.pass('before commit');
        await handle.sync();
        trap.pass('after commit');
      },
      close: () => handle.close(),
    };
  };
  const rename = async (from: string, to: string): Promise<void> => {
    if (SNAPSHOT.test(to)) trap.pass('before snapshot');
    await disk.rename(from, to);
    if (SNAPSHOT.test(to)) trap.pass('after snapshot');
  };
  return new Proxy(disk, {
    get(target, name) {
      if (name === 'append') return append;
      if (name === 'rename') return rename;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** A backend with a trap around each tool call and before each of its events. */
function trapBackend(backend: Backend, trap: Trap): Backend {
  const call = (host: Host) => async (made: ToolCall) => {
    trap.pass('before tool');
    const running = host.call(made);
    // The intent is on its way to the disk, and the tool perhaps at work.
    setImmediate(() => trap.pass('in tool'));
    const result = await running;
    trap.pass('after tool');
    return result;
  };
  const start = (turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun => {
    const run = backend.start(turn, { call: call(host), permit: made => host.permit(made) }, signal);
    return {
      offer: message => run.offer(message),
      interrupt: () => run.interrupt(),
      async *[Symbol.asyncIterator]() {
        for await (const event of run) {
          trap.pass(event.type);
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
export function trapped(fault: Fault | null, disk: Disk, backend: Backend): { disk: Disk; backend: Backend } {
  const trap = new Trap(fault);
  return { disk: trapDisk(disk, trap), backend: trapBackend(backend, trap) };
}
