import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Option } from '@hearth/protocol/pause.ts';
import type { Act, Pending } from './memory.ts';
import { type Outcome, said } from './outcome.ts';
import { perform } from './performance.ts';
import type { Plan } from './plan.ts';
import type { Scene } from './scene.ts';

/*
 * Decides whether planned changes are made at once or asked about first, and asks: the question lists exactly what would
 * happen, and an option that is not chosen changes nothing. The pending changes are remembered before the turn parks.
 */

/** From this many tickets on, changes are asked about first. */
export const BULK = 3;
/** How many changes are ever made at once. */
export const AT_ONCE = 20;
/** Up to this many, each change has an option of its own. */
const SINGLES = 4;

/** Many changes, changes that are not plainly told, and closing what was not named by its id, need the person's word; one named thing is done at once. */
export function mustAsk(plan: Plan): boolean {
  const things = new Set(plan.acts.map(act => (act.do === 'create' ? act.title : act.ticket)));
  if (plan.doubtful === true && plan.acts.length > 0) return true;
  return things.size >= BULK || (!plan.explicit && plan.acts.some(act => act.do === 'close'));
}

/** Makes the changes of a plan, or asks first. */
export async function* settle(scene: Scene, plan: Plan): AsyncGenerator<BackendEvent, Outcome> {
  if (plan.acts.length === 0) return said(plan.say);
  if (!mustAsk(plan)) {
    const { lines, dispatched } = yield* perform(scene, plan.acts);
    return { ...said([...plan.say, ...lines]), dispatched };
  }
  const asked = yield* question(scene, plan);
  if (asked === null) return said([...plan.say, scene.words.noSuchTickets]);
  const rows = asked.rows.map(row => `- ${row}`);
  if (!scene.turn.mayAsk) return said([...plan.say, ...rows, scene.words.cannotAsk]);
  const rest = plan.acts.length > AT_ONCE ? scene.words.bulkRest(plan.acts.length - AT_ONCE) : '';
  const text = [...plan.say, scene.words.askHead(rows.length), ...rows, rest]
    .filter(line => line !== '')
    .join('\n');
  scene.memory.pending = { ask: text, choices: asked.choices, said: '', unheard: [] };
  return { is: 'asked', ask: { text, options: asked.options, allowFreeText: false, confirms: true } };
}

interface Question {
  readonly rows: readonly string[];
  readonly options: readonly Option[];
  readonly choices: Pending['choices'];
}

async function* question(scene: Scene, plan: Plan): AsyncGenerator<BackendEvent, Question | null> {
  const { words } = scene;
  const board = yield* scene.board();
  const tickets = 'ok' in board ? board.ok.tickets : [];
  const known = plan.acts.flatMap((act): { act: Act; id: string; title: string }[] => {
    if (act.do === 'create') return [{ act, id: '', title: act.title }];
    const ticket = tickets.find(one => one.id === act.ticket);
    return ticket === undefined || (act.do === 'close' && ticket.state === 'done')
      ? []
      : [{ act, id: ticket.id, title: ticket.title }];
  });
  const rows = known.slice(0, AT_ONCE);
  const [first] = rows;
  if (first === undefined) return null;
  const what = (row: (typeof rows)[number]) => words.will(briefly(row.act), row);
  const acts = rows.map(row => row.act);
  const all =
    rows.length === 1
      ? words.yesOne(what(first))
      : words.yesAll(rows.length, words.list([...new Set(rows.map(row => row.id || `“${row.title}”`))]));
  const singles =
    rows.length === 1 || rows.length > SINGLES || new Set(rows.map(row => row.id)).size < rows.length
      ? []
      : rows.filter(row => row.id !== '');
  return {
    rows: rows.map(row => words.will(row.act, row)),
    options: [
      { id: 'yes', label: all, ...(rows.length === 1 ? {} : { detail: rows.map(what).join('; ') }) },
      ...singles.map(row => ({ id: row.id, label: words.only(what(row)) })),
      { id: 'no', label: words.no },
    ],
    choices: [
      { option: 'yes', acts },
      ...singles.map(row => ({ option: row.id, acts: [row.act] })),
      { option: 'no', acts: [] },
    ],
  };
}

function briefly(act: Act): Act {
  return act.do === 'close' ? { do: 'close', ticket: act.ticket } : act;
}
