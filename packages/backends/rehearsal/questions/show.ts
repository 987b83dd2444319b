import type { Question } from '../intents.ts';
import { said } from '../outcome.ts';
import { targets } from '../targets.ts';

const BODY = 1200;
const SHOWN = 3;

const asking =
  /^.*?\b(?:show|describe|open|about(?= [a-z#])|explain|details?|what (?:is|s)|look at|montre|affiche|detaille|decris|ouvre|explique|c est quoi|parle moi)\b(?: me| moi)?(?: about| of| de| sur)? /;
/** Nothing but a number: "12", "le 4", "ticket 7". */
const number = /^(?:(?:the|le|la|ticket|number|numero) )*\d+(?: [?.!])?$/;
/** "the tickets about orders" are a list. */
const manyAbout =
  /\b(?:tickets|issues|tasks|taches)\b.* (?:about|mentioning|concerning|concernant|sur|qui parlent)\b/;

/** One ticket, or a few, with body and last comment. `null` when the words name none. */
export const show: Question = async function* (scene, heard) {
  const { words } = scene;
  const board = yield* scene.board();
  if ('why' in board) return said([words.boardUnread(board.why)]);
  if (manyAbout.test(heard.plain)) return null;
  const plain = heard.plain.replace(asking, '');
  const bare = plain !== heard.plain || number.test(plain) ? { numbered: scene.numbered } : {};
  const found = targets({ plain, text: heard.text, earlier: [], ...bare }, board.ok.tickets, scene.memory);
  if (found.how === 'some')
    return said(
      [words.whichOf(board.ok.tickets.filter(ticket => found.ids.includes(ticket.id)))],
      found.ids.map(words.chips.show),
    );
  if (found.how === 'none' || found.how === 'all' || found.how === 'unclear' || found.ids.length === 0)
    return null;
  const lines: string[] = [];
  for (const id of found.ids.slice(0, SHOWN)) {
    const looked = await scene.look(id);
    if ('why' in looked) {
      lines.push(words.noTicket(id));
      continue;
    }
    const ticket = looked.ok;
    const comment = ticket.comments.at(-1);
    lines.push(
      words.show(ticket),
      ticket.body.trim().slice(0, BODY),
      comment === undefined ? '' : words.lastComment(comment),
    );
    scene.memory.focus = id;
  }
  const [first] = found.ids;
  const ticket = board.ok.tickets.find(one => one.id === first);
  const startable =
    ticket !== undefined &&
    ['inbox', 'backlog', 'ready'].includes(ticket.state) &&
    scene.granted('transition_issue');
  return said(lines, startable ? [words.chips.dispatch(ticket.id), words.chips.sweep] : [words.chips.sweep]);
};

/** Words that name a ticket by its id or title, whatever else they say: it is shown. */
export const mentioned: Question = async function* (scene, heard) {
  const board = yield* scene.board();
  if ('why' in board) return null;
  const { how } = targets(
    { plain: heard.plain, text: heard.text, earlier: [] },
    board.ok.tickets,
    scene.memory,
  );
  return how === 'ids' || how === 'title' ? yield* show(scene, heard) : null;
};
