import type { LeanClient } from '@hearth/client/lean.ts';
import type { StreamFrame } from '@hearth/client/frame.ts';
import type { Scope } from '@hearth/protocol/scope.ts';

/** What the life begins with. */
export interface Begun {
  readonly title: string;
  readonly scope: Scope;
}

/** What became of it. */
export interface Lived {
  /** Open pauses after the bot was asked for something that it must not do by itself. */
  readonly before: readonly string[];
  /** Open pauses after the answer. */
  readonly pauses: readonly string[];
  /** The code of a second answer. */
  readonly refused: string;
  /** The code of a call about a conversation that never was. */
  readonly unknown: string;
  /** Whether the stream had every event once and in order. */
  readonly gapless: boolean;
  /** What streams from cursors that cannot be continued were told, in turn. */
  readonly recovered: readonly string[];
  /** The last words of the person that the recovered stream brought. */
  readonly after: string;
}

/**
 * One conversation from its beginning, over two cursors that cannot be continued. Runs in Node and, as text, in a page:
 * it uses nothing but its arguments, and what both have.
 */
export async function lives(client: LeanClient, begun: Begun): Promise<Lived> {
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
  const { view } = await client.create(begun);
  const c = view.id;

  /** Follows from a cursor until a frame is the wanted one; resolves to all frames until then. */
  const until = async (
    after: string | null,
    wanted: (frame: StreamFrame) => boolean,
  ): Promise<StreamFrame[]> => {
    const over = new AbortController();
    const frames: StreamFrame[] = [];
    const onFrame = (frame: StreamFrame): void => {
      frames.push(frame);
      if (wanted(frame)) over.abort();
    };
    await client.follow(c, { after, onFrame, signal: over.signal });
    return frames;
  };
  const isEvent = (frame: StreamFrame, type: string): boolean =>
    frame.frame === 'event' && frame.event.type === type;

  await client.send(c, { text: 'close all tickets', delivery: 'queue' });
  const asked = await until(
    null,
    frame =>
      frame.frame === 'event' && frame.event.type === 'pause.opened' && frame.event.pause.kind !== 'chat',
  );
  const seqs = asked.flatMap(frame => (frame.frame === 'event' ? [frame.event.seq] : []));
  const gapless = seqs.every((seq, index) => seq === (seqs[0] ?? 0) + index);
  const waiting = await client.get(c);
  const [question] = waiting.pauses;
  if (question?.kind !== 'question') throw new Error('the bot asked nothing');
  const [option] = question.options.slice(-1);
  const act = { do: 'answer', option: option?.id ?? '' } as const;
  const decided = await client.decide(c, question.id, act);
  const refused = await codeOf(client.decide(c, question.id, act));
  await until(decided.view.head, frame => isEvent(frame, 'turn'));
  while ((await client.get(c)).state !== 'idle') await new Promise(resolve => setTimeout(resolve, 20));
  const rested = await client.get(c);

  // What was the head then is trimmed away.
  const old = Number(waiting.head.split('.')[1]);
  for (let retained = 0; retained <= old; ) {
    for (let turn = 0; turn < 15; turn += 1) await client.send(c, { text: 'hello', delivery: 'queue' });
    while ((await client.get(c)).turn !== null) await new Promise(resolve => setTimeout(resolve, 20));
    retained = Number((await client.get(c)).retained.split('.')[1]);
  }
  const expired = await until(waiting.head, frame => frame.frame === 'recover');
  const { head } = await client.get(c);
  await client.reset(c);
  await client.send(c, { text: 'hello after all', delivery: 'queue' });
  const anew = await until(head, frame => isEvent(frame, 'message'));

  const codes = [...expired, ...anew].flatMap(frame =>
    frame.frame === 'recover' ? [frame.recovery.code] : [],
  );
  const words = anew.flatMap(frame =>
    frame.frame === 'event' && frame.event.type === 'message' ? [frame.event.text] : [],
  );
  return {
    before: waiting.pauses.map(pause => pause.kind),
    pauses: rested.pauses.map(pause => pause.kind),
    refused,
    unknown: await codeOf(client.get('c_00000000000000000000000000')),
    gapless,
    recovered: codes,
    after: words.find(text => typeof text === 'string') ?? '',
  };
}
