import { bytesIn } from './disk-use.ts';
import { type BenchHome, benchHome } from './home.ts';
import { type PeerChat, peerChat } from './langgraph.ts';
import { rawAppends } from './raw.ts';
import { many, quantile, type Row, row, timed } from './row.ts';

/*
 * A chat turn with a backend that answers at once, against the same loop in LangGraph JS with its SQLite saver: what a
 * turn takes and what is on disk as the conversation grows. Words are of 256 bytes, since the peer writes the whole
 * conversation again at every step: 2 000 turns of 1 KiB would be six gigabytes.
 */

const WORDS = 'w'.repeat(256);
/** Turns at which both are looked at. */
const MARKS = [10, 100, 1000, 2000] as const;
/** A turn's time is the median of so many, up to the mark. */
const WINDOW = 10;
const LATE = 10_000;

/** What was seen at one mark. */
interface Seen {
  readonly turn: number;
  readonly ms: number;
  readonly bytes: number;
}

/** Plays turns up to the last mark, and looks at each. */
async function grow(marks: readonly number[], path: string, turn: () => Promise<void>): Promise<Seen[]> {
  const seen: Seen[] = [];
  let played = 0;
  for (const mark of marks) {
    await many(mark - WINDOW - played, turn);
    const times = await many(WINDOW, turn);
    played = mark;
    seen.push({ turn: mark, ms: quantile(times, 0.5), bytes: bytesIn(path) });
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

const against = (work: string, ours: number, peer: number, floor: number | null, unit = 'ms'): Row => ({
  work,
  ours,
  peer,
  floor,
  unit,
  ratio: ours / peer,
});

export async function turning(): Promise<readonly Row[]> {
  await warm();
  const append = quantile(await rawAppends(100), 0.5);
  const home = await benchHome();
  const peer = await peerChat();
  try {
    const answered = await answers(home, peer);
    return [
      against('human answer → backend called, p50', answered.ours, answered.theirs, append),
      ...(await growth(append)),
    ];
  } finally {
    await home.close();
    peer.close();
  }
}

async function growth(append: number): Promise<readonly Row[]> {
  const home = await benchHome();
  const peer = await peerChat();
  try {
    const empty = bytesIn(home.path);
    const ours = await grow([...MARKS, LATE], home.path, () => home.turn(WORDS));
    const theirs = await grow(MARKS, peer.path, () => peer.turn(WORDS));
    const rows = theirs.flatMap(({ turn, ms, bytes }, index): Row[] => {
      const own = ours[index];
      if (own === undefined) return [];
      return [
        against(`a chat turn at turn ${turn}, p50`, own.ms, ms, append),
        against(`bytes on disk after ${turn} turns`, own.bytes, bytes, turn * WORDS.length, 'B'),
      ];
    });
    return [...rows, ...itself(ours, empty)];
  } finally {
    await home.close();
    peer.close();
  }
}

/** What a long conversation costs, against a young one of our own. */
function itself(seen: readonly Seen[], empty: number): readonly Row[] {
  const at = (turn: number): Seen => seen.find(one => one.turn === turn) ?? { turn, ms: NaN, bytes: NaN };
  const [young, middle, old, late] = [at(10), at(1000), at(2000), at(LATE)];
  return [
    row(`a chat turn at turn ${LATE}, against turn 10, p50`, late.ms, young.ms),
    row(
      'bytes kept per turn from turn 1000 to 2000, against the first 10',
      (old.bytes - middle.bytes) / 1000,
      (young.bytes - empty) / 10,
      'B',
    ),
  ];
}
