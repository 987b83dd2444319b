import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import type { Scene, Stage } from '@hearth/backends/testing/conformance/subject.ts';
import { Stage as Board, ticket } from '@hearth/backends/testing/stage.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';

/* The rehearsal keeps the promises of the port. It cannot be told what to do: it is said in words that it knows. */

const DIRECTORY = '/epochs/1/backend/nexie';

const WORDS: Partial<Record<Scene, string>> = {
  answers: 'thanks',
  'calls a tool': 'list the tickets',
  asks: 'close HB-1, HB-2 and HB-3',
  'works while it is spoken to': 'list the tickets',
};

function open(): Promise<Stage> {
  const [disk, clock, ids] = [new SimDisk(), new SimClock(), countedIds()];
  const made = (): Rehearsal => new Rehearsal({ disk, ids });
  const board = new Board([1, 2, 3].map(number => ticket(number, `the only ticket ${number}`)));
  let backend = made();
  return Promise.resolve({
    get backend() {
      return backend;
    },
    directory: DIRECTORY,
    workspace: '/project',
    clock,
    arrange: scene => WORDS[scene] ?? null,
    tool: call => board.serve(call),
    heard: () => null,
    problems: () => [],
    restart: () => {
      backend = made();
      return Promise.resolve();
    },
    loseSessions: async () => {
      for (const name of await disk.list(DIRECTORY)) await disk.remove(`${DIRECTORY}/${name}`);
    },
    kill: null,
    processes: () => 0,
    close: () => Promise.resolve(),
  });
}

conforms({ name: 'rehearsal', open, deaths: 6 });
