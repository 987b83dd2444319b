/**
 * What cannot be read is set aside and never thrown away: `quarantine/<time>-<name>/` holds it beside `why.json`.
 */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Instant } from '@hearth/protocol/ids.ts';
import { readJson, writeAtomic, writeJson } from '@hearth/store/atomic-file.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { stampOf } from './conversation-directory.ts';
import type { Quarantined } from './ports.ts';

const WHY = 'why.json';
const Why = z.object({ format: z.literal(1), at: Instant, name: z.string(), why: z.string() });

/** What was set aside in a home, by name. Only `discard` removes anything, and only when somebody asks for it. */
export class Quarantine {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #clock: Clock;

  constructor(disk: Disk, root: string, clock: Clock) {
    this.#disk = disk;
    this.#root = root;
    this.#clock = clock;
  }

  /** Keeps damaged bytes; durable when it resolves. Resolves to the directory's name. */
  async keep(name: string, bytes: Uint8Array, why: string): Promise<string> {
    const { directory, label } = await this.#place(name, why);
    await writeAtomic(this.#disk, join(directory, name), bytes);
    return label;
  }

  /** Moves a whole directory or file here. Resolves to the directory's name. */
  async move(path: string, why: string): Promise<string> {
    const name = basename(path);
    const { directory, label } = await this.#place(name, why);
    await this.#disk.rename(path, join(directory, name));
    await this.#disk.syncDirectory(directory);
    await this.#disk.syncDirectory(dirname(path));
    return label;
  }

  /** Removes what has been left of something that went back: why it was here. */
  async discard(name: string): Promise<void> {
    await this.#disk.remove(join(this.#root, name));
  }

  /** Everything that was set aside, oldest first. What only says why something was here is nothing any more. */
  async list(): Promise<Quarantined[]> {
    const found: Quarantined[] = [];
    for (const name of await this.#disk.list(this.#root)) {
      const held = await this.#disk.list(join(this.#root, name));
      if (held.length === 1 && held[0] === WHY) continue;
      const why = await readJson(this.#disk, join(this.#root, name, WHY), Why).catch(() => null);
      found.push({
        name,
        at: why?.at ?? '',
        why: why?.why ?? 'it was set aside and does not say why',
        inPlace: false,
      });
    }
    return found;
  }

  async #place(name: string, why: string): Promise<{ directory: string; label: string }> {
    const at = instant(this.#clock);
    let label = `${stampOf(at)}-${name}`;
    for (let again = 2; (await this.#disk.stat(join(this.#root, label))) !== null; again += 1) {
      label = `${stampOf(at)}-${again}-${name}`;
    }
    const directory = join(this.#root, label);
    await this.#disk.makeDirectory(directory);
    await writeJson(this.#disk, join(directory, WHY), { format: 1, at, name, why });
    await this.#disk.syncDirectory(this.#root);
    await this.#disk.syncDirectory(dirname(this.#root));
    return { directory, label };
  }
}
