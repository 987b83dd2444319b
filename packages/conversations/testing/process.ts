import type { AppendHandle } from '@hearth/store/disk.ts';
import type { SimCall, SimDisk } from '@hearth/store/sim-disk.ts';

/* For tests: what a process does on a disk that others have too, and that stays when it ends. */

/**
 * The disk as one process has it. The nth such call after `fail`, of files whose paths end with `of`, fails, and then the
 * process goes on, or is killed before it hears of it: no call of it does anything then, or comes back.
 */
export function processOn(disk: SimDisk, call: SimCall, then: 'goes on' | 'is killed') {
  const killed = Promise.withResolvers<'killed'>();
  const never = new Promise<never>(() => undefined);
  let left = Number.POSITIVE_INFINITY;
  let of = '';
  let gone = false;
  const run = (called: string, path: unknown, work: () => unknown): unknown => {
    if (gone) return never;
    if (called !== call || !String(path).endsWith(of) || (left -= 1) !== 0) return work();
    disk.failNext(call, 'disk_failed');
    const failed = work();
    if (then === 'goes on') return failed;
    gone = true;
    void Promise.resolve(failed).catch(() => killed.resolve('killed'));
    return never;
  };
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    return {
      write: async bytes => void (await run('appendWrite', path, () => handle.write(bytes))),
      sync: async () => void (await run('appendSync', path, () => handle.sync())),
      close: async () => void (await run('appendClose', path, () => handle.close())),
    };
  };
  const view = new Proxy(disk, {
    get(target, name) {
      const member: unknown = name === 'append' ? append : Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown =>
        run(String(name), args[0], () => member.apply(target, args) as unknown);
    },
  });
  const fail = (nth: number, path = ''): void => {
    left = nth;
    of = path;
  };
  return { disk: view, killed: killed.promise, fail, failed: () => left <= 0 };
}
