import { readdirSync, readFileSync } from 'node:fs';

/*
 * Whether a group of processes still works. The system is asked, and where it tells, the dead that nobody has buried yet do
 * not count: in many containers they stay for long. What it tells are files of its own, and none of a home.
 */

/** Whether anything works in a group, which is named by the process that it began with. */
export function groupWorks(group: number | undefined): boolean {
  if (group === undefined || !isThere(group)) return false;
  const names = process.platform === 'linux' ? namesOfProcesses() : null;
  return names === null || names.some(name => worksIn(name, group));
}

function isThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** `null` where the system keeps no list. */
function namesOfProcesses(): readonly string[] | null {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return null;
  }
}

/** What a program is called may hold anything; behind its last bracket are the state, the parent and the group. */
function worksIn(name: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const [state, , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(own) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It is gone meanwhile.
    return false;
  }
}
