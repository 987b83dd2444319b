import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processes that work for a directory: those whose environment names it. */
export function processesIn(root: string): readonly number[] {
  if (!existsSync('/proc')) {
    const listed = execFileSync('ps', ['-Ao', 'pid=,command='], { encoding: 'utf8' });
    return listed
      .split('\n')
      .filter(line => line.includes(root))
      .map(line => Number.parseInt(line, 10));
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const dead = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
        return !dead && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(root);
      } catch {
        return false;
      }
    });
}

/** What a process was started as; its number alone when it is gone or the system does not tell. */
export function commandOf(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\u0000', ' ')}`;
  } catch {
    return String(pid);
  }
}
