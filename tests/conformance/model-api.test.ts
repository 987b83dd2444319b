import { ModelApi } from '@hearth/backends/model-api/backend.ts';
import { conforms } from '@hearth/backends/testing/conformance/kit.ts';
import type { Stage } from '@hearth/backends/testing/conformance/subject.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { FakeProvider } from '../support/fake-provider.ts';
import { type Dialect, scripted } from '../support/provider-moves.ts';
import { faultsOf } from '../support/request-check.ts';

/* The API of a model keeps the promises of the port, on each of the three APIs that it speaks. */

const DIALECT: Dialect = { tool: name => name, answer: 'final_answer' };
const DIRECTORY = '/epochs/1/backend/nexie';

async function open(api: 'anthropic' | 'openai' | 'compatible'): Promise<Stage> {
  const provider = await FakeProvider.start();
  const [disk, clock, ids] = [new SimDisk(), new SimClock(), countedIds()];
  const made = (): ModelApi => new ModelApi({ disk, clock, ids, env: provider.env(api) });
  let backend = made();
  let turns = 0;
  return {
    get backend() {
      return backend;
    },
    directory: DIRECTORY,
    workspace: '/project',
    clock,
    arrange(_scene, plays) {
      scripted(provider, plays, DIALECT);
      turns += 1;
      return `The words of turn ${turns}.`;
    },
    tool: ({ name }) => ({ content: { did: name, found: 'the only ticket' } }),
    heard: () => provider.requests.map(request => request.text),
    problems: () => provider.requests.flatMap(faultsOf),
    restart: () => {
      backend = made();
      return Promise.resolve();
    },
    loseSessions: async () => {
      for (const name of await disk.list(DIRECTORY)) await disk.remove(`${DIRECTORY}/${name}`);
    },
    kill: null,
    processes: () => 0,
    close: () => provider.close(),
  };
}

for (const api of ['anthropic', 'openai', 'compatible'] as const) {
  conforms({ name: `model-api on ${api}`, open: () => open(api), deaths: 8 });
}
