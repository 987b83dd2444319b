import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, release } from 'node:os';
import { dirname, join, normalize } from 'node:path';

/*
 * A command in namespaces of its own: it sees the workspace, which it may write, the system's programs, which it may not,
 * an empty /tmp, and no other process. It has no network unless that is allowed, and no power that a namespace gives to
 * whoever makes it: none of what makes the room can be undone from inside. Nothing is left of it when its first process
 * ends. Linux offers this to any user where nobody has turned it off.
 */

/** What a person allows: `confined` by default, `network` besides, or `open`, which is no confinement at all. */
export type Reach = 'confined' | 'network' | 'open';

/** What `HEARTH_BASH` of the service says. A word that is none of these allows nothing. */
export function reachIn(env: Readonly<Record<string, string | undefined>>): Reach {
  const word = env['HEARTH_BASH']?.trim();
  return word === 'open' || word === 'network' ? word : 'confined';
}

/** Where a command works. */
export interface Room {
  readonly workspace: string;
  /** The git directory of the repository, where the workspace is a worktree of it. */
  readonly git: string | null;
  readonly network: boolean;
  /** A directory that is empty in it, wherever it would be, save where the workspace is inside: Hearth's own home. */
  readonly hidden: string | null;
}

const UNSHARE = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child', '--ipc'] as const;

/** Directories of the system, which are shown and cannot be written. */
const SYSTEM = 'usr bin sbin lib lib32 lib64 libx32 etc opt nix run/systemd/resolve';
/** What of /etc is nobody's to read; a service of root's could. */
const SHADOWED = 'shadow shadow- gshadow gshadow- sudoers ssh/ssh_host_*_key ssl/private/*';
/** How many processes it may have at once. Linux counts them for each room from 5.14 on, and never those of root. */
const PROCESSES = 1024;

/**
 * Makes the room over /sys, which is on every system and where no workspace is, and runs the command in it. What git runs
 * by itself, hooks and what its configuration names, is not the command's to change: each is mounted upon itself, and so is
 * all above it in the repository, since what is a mount can neither be renamed nor removed. A repository where that cannot
 * be done is only shown. The powers to mount and to leave a root are given up last.
 */
const SCRIPT = `
set -e
root=/sys; workspace=$1; git=$2; more=$3; hidden=$4; processes=$5; shift 5
mount -t tmpfs -o mode=755,size=1g hearth "$root"
shown() {
  if [ -L "/$1" ]; then cp -P "/$1" "$root/$1"
  elif [ -d "/$1" ]; then mkdir -p "$root/$1"; mount --rbind "/$1" "$root/$1"
  fi
}
fixed() { mount --bind "$1" "$1"; }
closed() {
  mount -o remount,bind,ro "$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec "$1"
}
kept() {
  if [ -e "$1" ]; then mount -o bind,ro "$1" "$1" 2>/dev/null || { fixed "$1"; closed "$1"; }; fi
}
repository() {
  for name in hooks config config.worktree commondir worktrees; do
    if [ -L "$1/$name" ]; then kept "$1"; return; fi
  done
  fixed "$1"
  mkdir -p "$1/hooks"
  if [ ! -e "$1/config.worktree" ] && grep -qi worktreeconfig "$1/config" 2>/dev/null; then : >"$1/config.worktree"; fi
  for name in hooks config config.worktree commondir; do kept "$1/$name"; done
  [ ! -d "$1/worktrees" ] || fixed "$1/worktrees"
  for one in "$1"/worktrees/*; do
    if [ -d "$one" ] && [ ! -L "$one" ]; then
      fixed "$one"
      for name in commondir gitdir config.worktree; do kept "$one/$name"; done
    fi
  done
}
hide() {
  if [ -n "$hidden" ] && [ -d "$root$hidden" ]; then mount -t tmpfs -o mode=755,size=64k hearth "$root$hidden"; fi
}
for name in ${SYSTEM}; do shown "$name"; done
printf '%s' "$more" | while IFS= read -r name; do [ -z "$name" ] || shown "\${name#/}"; done
while read -r _ _ _ _ at _; do
  case $at in "$root"/*) at=$(printf '%b' "$at"); [ ! -e "$at" ] || closed "$at" ;; esac
done </proc/self/mountinfo
for name in ${SHADOWED.split(' ')
  .map(name => `"$root"/etc/${name}`)
  .join(' ')}; do
  if [ -f "$name" ] && [ -r "$name" ]; then mount --bind /dev/null "$name"; fi
done
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
mount -t proc proc "$root/proc"
for name in sys sysrq-trigger bus fs irq; do kept "$root/proc/$name"; done
for name in null zero full random urandom; do : >"$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
hide
mkdir -p "$root$workspace"; mount --bind "$workspace" "$root$workspace"
case "$workspace/" in "$hidden"/*) ;; *) hide ;; esac
if [ -L "$workspace/.git" ]; then :
elif [ -d "$workspace/.git" ]; then repository "$root$workspace/.git"
else kept "$root$workspace/.git"
fi
if [ -n "$git" ]; then mkdir -p "$root$git"; mount --bind "$git" "$root$git"; repository "$root$git"; fi
[ -z "$processes" ] || ulimit -u "$processes" 2>/dev/null || ulimit -p "$processes" 2>/dev/null || :
export HOME=/tmp TMPDIR=/tmp
exec chroot "$root" setpriv --no-new-privs --inh-caps=-all --bounding-set=-all \\
  sh -c 'cd "$1" && shift && exec "$@"' sh "$workspace" "$@"
`;
/** The words that run a command in a room. */
export function inRoom(room: Room, command: readonly string[], path: string): [string, ...string[]] {
  const { workspace, git, network, hidden } = room;
  const alone = network ? UNSHARE : [...UNSHARE, '--net'];
  const more = programsOf(path, workspace)
    .map(name => `${name}\n`)
    .join('');
  const processes = countsProcesses(release()) ? String(PROCESSES) : '';
  const made = [workspace, git ?? '', more, hidden ?? '', processes];
  return ['unshare', ...alone, 'sh', '-c', SCRIPT, 'sh', ...made, ...command];
}

/**
 * Directories of programs that a person has elsewhere, with what those need beside them. None that holds the workspace or
 * all that is the person's.
 */
function programsOf(path: string, workspace: string): readonly string[] {
  const holds = (name: string): boolean =>
    [workspace, homedir()].some(one => `${one}/`.startsWith(name === '/' ? name : `${name}/`));
  const own = path
    .split(':')
    .filter(name => name.startsWith('/') && !/^\/(?:usr|bin|sbin|lib|opt|nix)(?:\/|$)/.test(name))
    .map(name => normalize(name).replace(/(?<=.)\/$/, ''))
    .filter(name => !holds(name) && !name.startsWith(`${workspace}/`) && existsSync(name));
  const beside = own.filter(name => name.endsWith('/bin')).map(name => join(dirname(name), 'lib'));
  return [...new Set([...own, ...beside.filter(existsSync)])];
}

/** Before, the limit was on everything that its user runs anywhere. */
function countsProcesses(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

let offered: Promise<boolean> | null = null;

/** Whether this system offers it. That it does is found out once; what failed may have been a busy moment, and is tried anew. */
export async function offersNamespaces(): Promise<boolean> {
  const found = (offered ??= tried());
  const offers = await found;
  if (!offers && offered === found) offered = null;
  return offers;
}

function tried(): Promise<boolean> {
  return new Promise(resolve => {
    if (process.platform !== 'linux') return resolve(false);
    const room = { workspace: '/usr', git: null, network: false, hidden: null };
    const [program, ...words] = inRoom(room, ['true'], '');
    execFile(program, words, { timeout: 30_000 }, error => resolve(error === null));
  });
}
