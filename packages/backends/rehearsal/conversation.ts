import type { BackendEvent } from '@hearth/engine/backend.ts';
import { answered } from './answers.ts';
import { type Clause, clauses, heard } from './clauses.ts';
import type { CommandName } from './grammar.ts';
import { mustAsk, settle } from './confirmation.ts';
import { alternatives, doubtOf, endTold, retracted } from './doubts.ts';
import { leftovers } from './leftovers.ts';
import { apart, looked } from './looks.ts';
import { intents, planners } from './intents.ts';
import { spoken } from './language.ts';
import { type Outcome, type Said, said } from './outcome.ts';
import type { Plan } from './plan.ts';
import { greet } from './questions/greet.ts';
import { unknown } from './questions/remarks.ts';
import { READ, type Reading } from './reading.ts';
import type { Scene } from './scene.ts';
import { idsIn } from './targets.ts';

/*
 * One turn as the board's assistant: the answer to its question if it parked, then the message, then the messages that a
 * broken attempt took and never showed to have seen. A question that is asked half-way keeps what was said and what is
 * still to be heard.
 */

/** What the person wrote: without the host's notes, and without the pointer at what they have on screen. */
export function personsWords(user: string): { readonly text: string; readonly onScreen: string | null } {
  const lines = user.split('\n');
  const first = lines.findIndex(line => !line.startsWith('[hearth] ') && line.trim() !== '');
  if (first < 0) return { text: '', onScreen: null };
  const page = /^\[page context: [a-z]+\/([^\]\s]+)\]$/.exec(lines[first]?.trim() ?? '');
  const text = lines.slice(page === null ? first : first + 1).join('\n');
  const onScreen = page === null ? null : (idsIn(heard(page[1] ?? '').plain)[0] ?? null);
  return { text: text.trim(), onScreen };
}

/** Handles everything that the turn brings. */
export async function* converse(scene: Scene): AsyncGenerator<BackendEvent, Outcome> {
  const { turn, memory } = scene;
  const unseen = (turn.interrupted?.unseen ?? []).map(message => message.text);
  const outcomes: Said[] = [];
  let texts: string[];
  // Leave for a call lets the same turn be done again.
  if (turn.answers.some(answer => answer.permit === undefined)) {
    scene.language = memory.language ?? 'en';
    const { pending } = memory;
    const outcome = yield* answered(scene);
    if (outcome.is === 'said')
      outcomes.push(
        pending === null
          ? outcome
          : { ...outcome, say: [pending.said, outcome.say].filter(Boolean).join('\n\n') },
      );
    texts = [...(pending?.unheard ?? []), ...unseen];
  } else {
    const { text, onScreen } = personsWords(turn.prompt.user);
    memory.focus = onScreen ?? memory.focus;
    texts = [text, ...unseen];
  }
  texts = texts.flatMap(apart);
  for (const [at, text] of texts.entries()) {
    scene.language = spoken(text, memory.language);
    memory.language = scene.language;
    const outcome = yield* reply(scene, text);
    if (outcome.is === 'said') {
      outcomes.push(outcome);
      continue;
    }
    if (memory.pending !== null) {
      memory.pending = {
        ...memory.pending,
        said: outcomes.map(one => one.say).join('\n\n'),
        unheard: texts.slice(at + 1),
      };
    }
    return outcome;
  }
  return {
    is: 'said',
    say: outcomes.map(one => one.say).join('\n\n'),
    chips: outcomes.at(-1)?.chips ?? [],
    close: outcomes.some(one => one.close === true),
    dispatched: [...new Set(outcomes.flatMap(one => one.dispatched ?? []))],
  };
}

/**
 * Handles one text: its commands if it gives any, else the first intent that fits. Of a text that was read only in part
 * no command is carried out, since the rest may take it back.
 */
export async function* reply(scene: Scene, text: string): AsyncGenerator<BackendEvent, Outcome> {
  const read = heard(text);
  scene.numbered = scene.memory.numbered;
  scene.memory.numbered = [];
  if (read.text.trim() === '') return (yield* greet(scene, read)) ?? said([]);
  const given = clauses(read);
  const cut = read.cut ? [scene.words.cut(READ)] : [];
  if (read.cut && given.length > 0) return said([...cut, scene.words.tooLong]);
  const commanded = yield* obey(scene, given);
  if (commanded !== null) return commanded;
  const outcome = yield* remark(scene, read, given);
  return outcome.is === 'said' ? { ...outcome, say: [...cut, outcome.say].join('\n') } : outcome;
}

async function* remark(
  scene: Scene,
  read: Reading,
  given: readonly Clause[],
): AsyncGenerator<BackendEvent, Outcome> {
  // "Send me the list" and "start with what?" are questions; what begins with any other command is none.
  const asks = given.every(({ command }) => command === 'dispatch');
  for (const intent of asks ? intents : []) {
    if (intent.name === 'unknown' && given.length > 0) break;
    if (!intent.en.test(read.plain) && !intent.fr.test(read.plain)) continue;
    const outcome = yield* intent.answer(scene, read);
    if (outcome !== null) return outcome;
  }
  if (given.length > 0) return said([scene.words.which, scene.words.leftAlone]);
  return (yield* unknown(scene, read)) ?? said([scene.words.unknown]);
}

/**
 * Plans all commands of a text together, so that three small ones are asked about like one that changes three. On a doubt
 * about what is meant nothing is planned at all.
 */
async function* obey(scene: Scene, given: readonly Clause[]): AsyncGenerator<BackendEvent, Outcome | null> {
  const { words } = scene;
  const orders = given.filter(isOrder);
  const ending = endTold(given);
  const open = orders.length < given.length && !ending ? words.endUnsure : null;
  if (orders.length > 0 && retracted(given)) return said([words.retracted, open]);
  if (orders.some(alternatives)) return said([words.alternatives, open]);
  const plans: Plan[] = [];
  const failed: Clause[] = [];
  for (const clause of orders) {
    const plan = yield* planners[clause.command](scene, clause);
    if (plan === null) failed.push(clause);
    else plans.push(plan);
  }
  if (plans.length === 0 && !ending) return open === null ? null : said([open]);
  const doubts = orders.map(doubtOf);
  const seen: string[] = [];
  for (const part of leftovers(given, failed)) {
    const outcome = yield* looked(scene, part);
    seen.push(outcome?.is === 'said' ? outcome.say : words.notUnderstood(part));
  }
  const plan: Plan = {
    acts: plans.flatMap(one => one.acts),
    explicit: plans.every(one => one.explicit),
    doubtful: doubts.some(doubt => doubt !== null),
    say: [...plans.flatMap(one => one.say), ...seen, ...(doubts.includes('time') ? [words.onlyNow] : [])],
  };
  if (plan.acts.length === 0 && !ending && !plan.say.includes(words.noSuchTickets))
    return said([...plan.say, words.leftAlone, open]);
  const parks = mustAsk(plan);
  const kept = ending && parks ? words.endUnsure : open;
  const outcome = yield* settle(scene, kept === null ? plan : { ...plan, say: [...plan.say, kept] });
  if (!ending || parks || outcome.is === 'asked') return outcome;
  return {
    ...outcome,
    say: [outcome.say, `${words.end} ${words.kept}`].filter(line => line !== '').join('\n'),
    close: true,
  };
}

type Order = Clause & { readonly command: Exclude<CommandName, 'end'> };

function isOrder(clause: Clause): clause is Order {
  return clause.command !== 'end';
}
