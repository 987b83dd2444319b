import { bytesIn } from './disk-use.ts';
import { type BenchHome, benchHome } from './home.ts';
import { type PeerChat, peerChat } from './langgraph.ts';
import { rawAppends } from './raw.ts';
import { many, quantile, type Row, row, timed } from './row.ts';
import { overHttp } from './served-turn.ts';

/*
 * A chat turn with a backend that answers at once, against the same loop in LangGraph JS with its SQLite saver: what a
 * turn takes and what is on disk as the conversation grows. Both are in this process: store and engine against store and
 * engine; what the service adds is a row of its own. Words are of 256 bytes, since the peer writes the whole conversation
 * again at every step: 2 000 turns of 1 KiB would be six gigabytes.
 */

const WORDS = 'w'.repeat(256);
/** Turns at which both are looked at. */
const MARKS = [10, 100, 1000, 2000] as const;
/** A turn's time is the median of so many, up to the mark. */
const WINDOW = 10;
const LATE = 10_000;
/** How often a young conversation and a long one are measured by turns. */
const ROUNDS = 20;
/** Turns of the peer that syncs. */
const SYNCED = 100;

/** What was seen at one mark. */
interface Seen {
  readonly turn: number;
  readonly ms: number;
  readonly bytes: number;
  /** What all turns took up to here. */
  readonly all: number;
}

/** Plays turns up to the last mark, and looks at each once `rest` has written what waits to be. */
async function grow(
  marks: readonly number[],
  path: string,
  turn: () => Promise<void>,
  rest: () => Promise<void> = () => Promise.resolve(),
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let played = 0;
  let all = 0;
  for (const mark of marks) {
    const before = await many(mark - WINDOW - played, turn);
    const times = await many(WINDOW, turn);
    all = [...before, ...times].reduce((sum, ms) => sum + ms, all);
    played = mark;
    await rest();
    seen.push({ turn: mark, ms: quantile(times, 0.5), bytes: bytesIn(path), all });
  }
  return seen;
}

/** Both programs' code is compiled before anything is measured: turn 10 is of a young conversation, not of a cold one. */
async function warm(): Promise<void> {
  const [home, peer] = [await benchHome(), await peerChat()];
  await many(200, () => home.turn(WORDS));
  await many(50, () => peer.turn(WORDS));
  await home.close();
  peer.close();
}

/** From a person's answer to the backend that is called with it. */
async function answers(home: BenchHome, peer: PeerChat): Promise<{ ours: number; theirs: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let n = 0; n < 50; n += 1) {
    const called = Promise.withResolvers<void>();
    home.onBackend(() => called.resolve());
    let settled: Promise<void> | undefined;
    ours.push(
      await timed(() => {
        settled = home.turn(WORDS);
        return called.promise;
      }),
    );
    await settled;
    const heard = Promise.withResolvers<void>();
    peer.onAgent(() => heard.resolve());
    let saved: Promise<void> | undefined;
    theirs.push(
      await timed(() => {
        saved = peer.turn(WORDS);
        return heard.promise;
      }),
    );
    await saved;
  }
  return { ours: quantile(ours, 0.5), theirs: quantile(theirs, 0.5) };
}

const against = (
  work: string,
  ours: number,
  peer: number,
  { floor = null, unit = 'ms', target = '' }: { floor?: number | null; unit?: string; target?: string } = {},
): Row => ({ work, ours, peer, floor, unit, ratio: ours / peer, target });

export async function turning(): Promise<readonly Row[]> {
  await warm();
  const append = quantile(await rawAppends(100), 0.5);
  const home = await benchHome();
  const peer = await peerChat();
  try {
    const answered = await answers(home, peer);
    const target = '≤ 5 ms';
    return [
      against('human answer → backend called, p50', answered.ours, answered.theirs, {
        floor: append,
        target,
      }),
      ...(await growth(append)),
      ...(await overHttp()),
    ];
  } finally {
    await home.close();
    peer.close();
  }
}

async function growth(floor: number): Promise<readonly Row[]> {
  const home = await benchHome();
  const peer = await peerChat();
  try {
    const empty = bytesIn(home.path);
    const turn = (): Promise<void> => home.turn(WORDS);
    const ours = await grow([...MARKS, LATE], home.path, turn, () => home.lane.settled());
    const theirs = await grow(MARKS, peer.path, () => peer.turn(WORDS));
    const rows = theirs.flatMap(({ turn: mark, ms, bytes }, index): Row[] => {
      const own = ours[index];
      if (own === undefined) return [];
      return [
        against(`a chat turn at turn ${mark}, p50`, own.ms, ms, { floor }),
        against(`bytes on disk after ${mark} turns`, own.bytes, bytes, {
          floor: mark * WORDS.length,
          unit: 'B',
        }),
      ];
    });
    return [...rows, ...(await rates(ours, theirs)), ...(await itself(home, ours, empty))];
  } finally {
    await home.close();
    peer.close();
  }
}

/** Whole conversations, and the first turns beside a peer that syncs each step too. */
async function rates(ours: readonly Seen[], theirs: readonly Seen[]): Promise<readonly Row[]> {
  const rate = (seen: readonly Seen[], turns: number): number =>
    turns / ((seen.find(one => one.turn === turns)?.all ?? NaN) / 1000);
  const last = MARKS.at(-1) ?? 0;
  const target = '≥ 5 ×';
  const peer = await peerChat({ synced: true });
  try {
    const synced = await grow([10, SYNCED], peer.path, () => peer.turn(WORDS));
    return [
      against(`turns a second, over ${last}`, rate(ours, last), rate(theirs, last), { unit: '/s', target }),
      against(
        `turns a second, over ${SYNCED}, the peer syncing each step too`,
        rate(ours, SYNCED),
        rate(synced, SYNCED),
        { unit: '/s', target },
      ),
    ];
  } finally {
    peer.close();
  }
}

/** What a long conversation costs, against young ones of our own in the same minute. */
async function itself(home: BenchHome, seen: readonly Seen[], empty: number): Promise<readonly Row[]> {
  const late: number[] = [];
  const young: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const other = await benchHome();
    young.push(...(await many(WINDOW, () => other.turn(WORDS))));
    late.push(...(await many(WINDOW, () => home.turn(WORDS))));
    await other.close();
  }
  const bytes = (turn: number): number => seen.find(one => one.turn === turn)?.bytes ?? NaN;
  return [
    row(
      `a chat turn after ${LATE}, against the first ${WINDOW}, p50`,
      quantile(late, 0.5),
      quantile(young, 0.5),
      'ms',
      '≤ 1.1 ×',
    ),
    row(
      'bytes kept per turn from turn 1000 to 2000, against the first 10',
      (bytes(2000) - bytes(1000)) / 1000,
      (bytes(10) - empty) / 10,
      'B',
      '≤ 1.1 ×',
    ),
  ];
}
