/** A conversation's workspace becomes the directory that agents work in, so it is looked at before it is believed. */
import { dirname, isAbsolute, normalize } from 'node:path';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { RegistryError } from './registry-error.ts';

/** Rejects with `invalid_workspace` unless the path is absolute, canonical and an existing directory. */
export async function checkScope(disk: Disk, scope: Scope): Promise<void> {
  if (scope.kind === 'global') return;
  const { path } = scope;
  if (!isAbsolute(path)) throw invalid(path, 'is not absolute; give the whole path');
  if (normalize(path) !== path || (path.length > 1 && path.endsWith('/'))) {
    throw invalid(path, 'is not in its shortest form; leave out "..", "." and a "/" at the end');
  }
  // One directory must not be two workspaces, which a link on the way would allow.
  for (let at = path; ; at = dirname(at)) {
    const found = await disk.stat(at);
    if (found === null) throw invalid(path, 'does not exist; create it or choose another');
    if (found.kind !== 'directory')
      throw invalid(path, `is not reached through directories alone (see "${at}")`);
    if (at === dirname(at)) return;
  }
}

function invalid(path: string, why: string): RegistryError {
  return new RegistryError('invalid_workspace', `The workspace "${path}" ${why}.`);
}
