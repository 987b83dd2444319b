import { dirname, join } from 'node:path/posix';
import type { Disk } from '@hearth/store/disk.ts';
import type { Line } from './line.ts';
import { Transcript } from './transcript.ts';
import { TreeFile } from './tree-file.ts';

/*
 * The trees that sessions are in. The name of a session tells its file: a fork is called by the tree's name and a number.
 * While a tree is in use it is open once, so that two turns in sessions of one tree write one after the other.
 */

/** Ids come back from outside; one that is no plain word names no file. */
const SESSION = /^([A-Za-z0-9-]{1,64})(?:\.\d{1,9})?$/;

/** A file that is open, for as long as somebody uses it. */
class Used {
  readonly file: Promise<TreeFile | null>;
  users = 0;

  constructor(file: Promise<TreeFile | null>) {
    this.file = file;
  }
}

/** Opens, makes and forks sessions below the directories that turns give. Everything rejects with `DiskError`. */
export class Trees {
  readonly #disk: Disk;
  readonly #used = new Map<string, Used>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * Opens a session where it is; `null` when there is none or its file is damaged. One that another node began lies in the
   * directory beside.
   */
  async open(directory: string, session: string): Promise<Transcript | null> {
    const tree = SESSION.exec(session)?.[1];
    if (tree === undefined) return null;
    for (const place of await this.#places(directory)) {
      const path = fileOf(place, tree);
      const { file, left } = await this.#use(path, () => TreeFile.open(this.#disk, path));
      const leaf = file?.tree === tree ? file.leafOf(session) : null;
      if (file !== null && leaf !== null) return new Transcript(file, session, leaf, left);
      await left();
    }
    return null;
  }

  /** Begins a session in a tree of its own. */
  async create(directory: string, session: string, lines: readonly Line[]): Promise<Transcript> {
    const path = fileOf(directory, session);
    const { file, left } = await this.#use(path, () => TreeFile.create(this.#disk, path, session, lines));
    if (file === null) throw new Error(`The session "${session}" cannot be begun twice.`);
    return new Transcript(file, session, file.entries.length - 1, left);
  }

  async #use(path: string, made: () => Promise<TreeFile | null>) {
    const known = this.#used.get(path);
    // One that could not be written to is read again, once more from the disk.
    const sound = known !== undefined && (await known.file.catch(() => null))?.broken === false;
    const used = sound && this.#used.get(path) === known ? known : new Used(made());
    this.#used.set(path, used);
    used.users += 1;
    const left = async (): Promise<void> => {
      used.users -= 1;
      if (used.users > 0) return;
      if (this.#used.get(path) === used) this.#used.delete(path);
      await (await used.file.catch(() => null))?.close();
    };
    try {
      return { file: await used.file, left };
    } catch (error) {
      await left();
      throw error;
    }
  }

  /** The node's own directory first, then those of the other nodes. */
  async #places(directory: string): Promise<readonly string[]> {
    const beside = (await this.#disk.list(dirname(directory))).map(name => join(dirname(directory), name));
    return [directory, ...beside.filter(place => place !== directory)];
  }
}

function fileOf(directory: string, tree: string): string {
  return join(directory, `model-api-${tree}.jsonl`);
}
