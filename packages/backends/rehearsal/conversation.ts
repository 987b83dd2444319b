import type { BackendEvent } from '@hearth/engine/backend.ts';
import { answered } from './answers.ts';
import { type Clause, clauses, heard } from './clauses.ts';
import { settle } from './confirmation.ts';
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
  if (turn.answers.length > 0) {
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

/** Handles one text: its commands if it gives any, else the first intent that fits. Says when it read only a part. */
export async function* reply(scene: Scene, text: string): AsyncGenerator<BackendEvent, Outcome> {
  const read = heard(text);
  if (read.text.trim() === '') return (yield* greet(scene, read)) ?? said([]);
  const given = clauses(read);
  const cut = read.cut ? [scene.words.cut(READ)] : [];
  const commanded = yield* obey(scene, given, cut);
  if (commanded !== null) return commanded;
  const outcome = yield* remark(scene, read, given);
  return outcome.is === 'said' ? { ...outcome, say: [...cut, outcome.say].join('\n') } : outcome;
}

async function* remark(
  scene: Scene,
  read: Reading,
  given: readonly Clause[],
): AsyncGenerator<BackendEvent, Outcome> {
  for (const intent of intents) {
    if (intent.name === 'unknown' && given.length > 0) break;
    if (!intent.en.test(read.plain) && !intent.fr.test(read.plain)) continue;
    const outcome = yield* intent.answer(scene, read);
    if (outcome !== null) return outcome;
  }
  if (given.length > 0) return said([given.some(endDoubted) ? scene.words.endUnsure : scene.words.which]);
  return (yield* unknown(scene, read)) ?? said([scene.words.unknown]);
}

/**
 * Plans all commands of a text together, so that three small ones are asked about like one that changes three. `say` is
 * said before what they come to.
 */
async function* obey(
  scene: Scene,
  given: readonly Clause[],
  say: readonly string[],
): AsyncGenerator<BackendEvent, Outcome | null> {
  const plans: Plan[] = [];
  let ending = false;
  let unclear = false;
  for (const clause of given) {
    if (clause.command === 'end') {
      ending ||= endTold(clause);
      continue;
    }
    const plan = yield* planners[clause.command](scene, clause);
    if (plan === null) unclear = true;
    else plans.push(plan);
  }
  if (plans.length === 0 && !ending) return null;
  const plan: Plan = {
    acts: plans.flatMap(one => one.acts),
    explicit: plans.every(one => one.explicit),
    conditional: given.some(isConditional),
    say: [
      ...say,
      ...plans.flatMap(one => one.say),
      ...(unclear && plans.length > 0 ? [scene.words.which] : []),
    ],
  };
  const outcome = yield* settle(scene, plan);
  if (!ending || outcome.is === 'asked') return outcome;
  return {
    ...outcome,
    say: [outcome.say, `${scene.words.end} ${scene.words.kept}`].filter(line => line !== '').join('\n'),
    close: true,
  };
}

/** Whether the session is told to end: "end the session?" only asks, "can you end the session?" tells. */
export function endTold(clause: Clause): boolean {
  return clause.command === 'end' && (!clause.plain.endsWith('?') || asksPolitely.test(clause.plain));
}

function isConditional(clause: Clause): boolean {
  if (clause.command === 'create' || clause.command === 'comment') return false;
  const [head = ''] = clause.plainRest.split(/ ?(?::|because|since|car|parce) /, 1);
  return /\b(?:if|unless|when|once|until|as soon as|after|si|quand|lorsque|des que|une fois|apres)\b/.test(
    head,
  );
}

function endDoubted(clause: Clause): boolean {
  return clause.command === 'end' && !endTold(clause);
}

const asksPolitely =
  /\b(?:can|could|would|will) you\b|\b(?:peux|pourrais|veux) tu\b|\btu (?:peux|pourrais)\b|\b(?:pouvez|pourriez) vous\b/;
