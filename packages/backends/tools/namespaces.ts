import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * A command in namespaces of its own: it sees the workspace, which it may write, the system's programs, which it may not,
 * an empty /tmp, and no other process. It has no network unless that is allowed. Nothing is left of it when its first
 * process ends. Linux offers this to any user where nobody has turned it off.
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
}

const UNSHARE = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child', '--ipc'] as const;

/** Directories of the system, which are shown and cannot be written. */
const SYSTEM = 'usr bin sbin lib lib32 lib64 libx32 etc opt nix run/systemd/resolve';

/**
 * Makes the room over /sys, which is on every system and where no workspace is, and runs the command in it. What git runs
 * by itself, hooks and what its configuration names, is not the command's to change.
 */
const SCRIPT = `
set -e
root=/sys; workspace=$1; git=$2; more=$3; shift 3
mount -t tmpfs -o mode=755 hearth "$root"
shown() {
  if [ -L "/$1" ]; then cp -P "/$1" "$root/$1"
  elif [ -d "/$1" ]; then mkdir -p "$root/$1"; mount --rbind "/$1" "$root/$1"; mount -o remount,bind,ro "$root/$1"
  fi
}
written() {
  mkdir -p "$root$1"; mount --bind "$1" "$root$1"
  for name in hooks config; do
    if [ -e "$2/$name" ]; then mount --bind "$2/$name" "$root$2/$name"; mount -o remount,bind,ro "$root$2/$name"; fi
  done
}
for name in ${SYSTEM}; do shown "$name"; done
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
mount -t proc proc "$root/proc"
for name in null zero full random urandom; do : >"$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
printf '%s' "$more" | while IFS= read -r name; do [ -z "$name" ] || shown "\${name#/}"; done
written "$workspace" "$workspace/.git"
[ -z "$git" ] || written "$git" "$git"
export HOME=/tmp TMPDIR=/tmp
exec chroot "$root" sh -c 'cd "$1" && shift && exec "$@"' sh "$workspace" "$@"
`;

/** The words that run a command in a room. */
export function inRoom(room: Room, command: readonly string[], path: string): [string, ...string[]] {
  const alone = room.network ? UNSHARE : [...UNSHARE, '--net'];
  const more = programsOf(path, room.workspace)
    .map(name => `${name}\n`)
    .join('');
  return ['unshare', ...alone, 'sh', '-c', SCRIPT, 'sh', room.workspace, room.git ?? '', more, ...command];
}

/** Directories of programs that a person has elsewhere, with what those need beside them. */
function programsOf(path: string, workspace: string): readonly string[] {
  const own = path
    .split(':')
    .filter(name => name.startsWith('/') && !/^\/(?:usr|bin|sbin|lib|opt|nix)(?:\/|$)/.test(name))
    .filter(name => name !== workspace && !name.startsWith(`${workspace}/`) && existsSync(name));
  const beside = own.filter(name => name.endsWith('/bin')).map(name => join(dirname(name), 'lib'));
  return [...new Set([...own, ...beside.filter(existsSync)])];
}

let offered: Promise<boolean> | null = null;

/** Whether this system offers it; it is tried once. */
export function offersNamespaces(): Promise<boolean> {
  offered ??= new Promise(resolve => {
    if (process.platform !== 'linux') return resolve(false);
    const room = { workspace: '/usr', git: null, network: false };
    const [program, ...words] = inRoom(room, ['true'], '');
    execFile(program, words, { timeout: 10_000 }, error => resolve(error === null));
  });
  return offered;
}
