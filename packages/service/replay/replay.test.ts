import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRecording, type Recording } from '@hearth/backends/replay/recording.ts';
import type { Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import {
  ask,
  awaitOffers,
  done,
  end,
  fail,
  gate,
  narrate,
  reply,
  seen,
  take,
  tool,
} from '@hearth/backends/testing/scripted/step.ts';
import { writeFile } from '@hearth/backends/tools/write-file.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { BundleBots } from '../bots.ts';
import { endAll, newHome, serve, type Served } from '../testing/served.ts';
import { compare, type Difference } from './comparison.ts';
import { play } from './player.ts';
import { replayBundle } from './replay.ts';

afterEach(endAll);

const signal = new AbortController().signal;

async function recordingOf(served: Served, c: ConversationId): Promise<Recording> {
  const { recording, fault } = parseRecording(await served.client.recording(c, null, signal));
  if (recording === null) throw new Error(`${fault.line}: ${fault.why}`);
  return recording;
}

async function differences(
  recording: Recording,
  tools: readonly Tool[] = [],
): Promise<readonly Difference[]> {
  const bot = await new BundleBots().load(recording.head.bot);
  const played = await play({
    bot,
    recording,
    tools,
    disk: nodeDisk,
    clock: systemClock,
    ids: systemIds,
  });
  return compare(recording.steps, played.steps, played.stopped);
}

const idle = (served: Served, c: ConversationId) => served.until(c, view => view.state === 'idle');
const waiting = (served: Served, c: ConversationId) => served.until(c, view => view.state === 'waiting');

describe('what was recorded is played again as it was', () => {
  it('messages, to the end of the run', async () => {
    const script: Script = (_turn, number) => [
      narrate('Thinking.'),
      reply(`answer ${number}`, { close: number === 2, quick_replies: ['more'] }),
    ];
    const served = await serve(script);
    const c = await served.conversation();
    for (const text of ['one', 'two', 'three']) {
      await served.client.send(c, { text, delivery: 'queue' });
      await idle(served, c);
    }
    const recording = await recordingOf(served, c);
    // The run ended with the second answer; the third message began another one.
    expect(recording.steps.filter(step => step.is === 'message')).toHaveLength(1);
    expect(await differences(recording)).toEqual([]);
    const first = await served.client.recording(c, 'r1', signal);
    const ended = parseRecording(first).recording!;
    expect(ended.steps.filter(step => step.is === 'message')).toHaveLength(2);
    expect(ended.steps.at(-1)).toMatchObject({ is: 'ended', reason: 'done' });
    expect(await differences(ended)).toEqual([]);
  });

  it('a question that is answered after a restart, and one that is cancelled', async () => {
    const script: Script = turn =>
      turn.answers.length > 0
        ? [reply(JSON.stringify(turn.answers[0]?.result))]
        : [ask('Sure?', [{ id: 'yes', label: 'Yes' }])];
    const home = newHome();
    const served = await serve(script, { home });
    const c = await served.conversation();
    await served.client.send(c, { text: 'do it', delivery: 'queue' });
    const [first] = (await waiting(served, c)).pauses;
    await served.service.stop();
    const again = await serve(script, { home });
    await again.client.decide(c, first!.id, { do: 'answer', option: 'yes' });
    await idle(again, c);
    await again.client.send(c, { text: 'do it', delivery: 'queue' });
    const [second] = (await waiting(again, c)).pauses;
    await again.client.decide(c, second!.id, { do: 'cancel' });
    await idle(again, c);
    const recording = await recordingOf(again, c);
    expect(recording.steps.filter(step => step.is === 'decision')).toHaveLength(2);
    expect(await differences(recording)).toEqual([]);
  });

  it('a message that joined a turn, and one that waited for its end', async () => {
    const open = Promise.withResolvers<void>();
    const script: Script = (_turn, number) =>
      number === 1
        ? [awaitOffers(1), take(), narrate('I see.'), seen(), gate(open.promise), reply('both')]
        : [reply('later')];
    const served = await serve(script);
    const c = await served.conversation();
    await served.client.send(c, { text: 'begin', delivery: 'queue' });
    await served.client.send(c, { text: 'and this', delivery: 'steer' });
    await served.until(c, view => view.queue.length === 0 && view.revision > 5);
    await served.client.send(c, { text: 'afterwards', delivery: 'queue' });
    open.resolve();
    await idle(served, c);
    const recording = await recordingOf(served, c);
    expect(recording.steps.filter(step => step.is === 'taken')).toMatchObject([{ messages: [2] }]);
    expect(await differences(recording)).toEqual([]);
  });

  it('an interrupt that is taken up again, a failure, and a crash', async () => {
    const never = new Promise<void>(() => undefined);
    const script: Script = (_turn, number) => {
      if (number === 1 || number === 4) return [narrate('Working.'), gate(never), reply('never')];
      return number === 3 ? [fail('overloaded', 'too busy', true)] : [reply(`done ${number}`)];
    };
    const home = newHome();
    const served = await serve(script, { home });
    const c = await served.conversation();
    await served.client.send(c, { text: 'first', delivery: 'queue' });
    const { turn } = await served.until(c, view => view.turn?.status === 'running' && view.revision > 3);
    await served.client.interrupt(c, turn!.id);
    const [interrupted] = (await waiting(served, c)).pauses;
    await served.client.decide(c, interrupted!.id, { do: 'answer', option: 'again' });
    await idle(served, c);
    await served.client.send(c, { text: 'second', delivery: 'queue' });
    const [failed] = (await waiting(served, c)).pauses;
    await served.client.decide(c, failed!.id, { do: 'answer', option: 'again' });
    await served.until(c, view => view.turn?.status === 'running' && view.state === 'working');
    await new Promise(resolve => setTimeout(resolve, 50));
    await served.service.stop({ now: true });
    const again = await serve(() => [reply('well')], { home });
    const [crashed] = (await waiting(again, c)).pauses;
    await again.client.decide(c, crashed!.id, { do: 'answer', option: 'again' });
    await idle(again, c);
    const recording = await recordingOf(again, c);
    const kinds = recording.steps.map(step => step.is);
    expect(kinds).toContain('interrupt');
    expect(kinds).toContain('restart');
    expect(await differences(recording)).toEqual([]);
  });
});

const WITH_TOOL = `schema said:
  message: string

schema turn:
  reply: string

schema counted:
  result: string

prompt user:
  {{input.message}}

prompt chat_text:
  {{input.reply}}

agent talk:
  model: "auto"
  input: said
  output: turn
  user: user
  session: inherit_if_available

tool count:
  output: counted
  command: "printf '%s' {{input.text}} | wc -c"

human chat:
  output: said
  instructions: chat_text

workflow counting:
  entry: chat
  worktree: none
  chat -> talk as rounds(100) with {
    message: "{{outputs.chat.message}}",
    _session_id: "{{outputs.talk._session_id}}",
    _session_fingerprint: "{{outputs.talk._session_fingerprint}}"
  }
  talk -> count with { text: "{{outputs.talk.reply}}" }
  count -> chat with { reply: "{{outputs.count.result}}" }
`;

it('asks for leave for each call again, with what it was asked for, and a decision is for its own (B14)', async () => {
  const bundle = mkdtempSync(join(tmpdir(), 'hearth-bundle-'));
  const hello = readFileSync(new URL('../../../bots/hello/main.bot', import.meta.url), 'utf8');
  const gate = '  session: inherit_if_available\n  tools: [write_file]\n  permission: ask\n';
  writeFileSync(
    join(bundle, 'main.bot'),
    `dsl: 2\n\n${hello.replace('  session: inherit_if_available\n', gate)}`,
  );
  const write = (name: string) => tool('write_file', { path: name, content: name }, name);
  const script: Script = (_turn, number) => [
    write('one.txt'),
    write('two.txt'),
    number === 1 ? end(() => ({ type: 'parked', asks: [], permits: [] })) : reply('written'),
  ];
  const served = await serve(script);
  const c = (
    await served.client.create({ bot: bundle, title: 'Talk', scope: { kind: 'workspace', path: bundle } })
  ).view.id;
  await served.client.send(c, { text: 'write', delivery: 'queue' });
  const [first, second] = (await served.until(c, view => view.pauses.length === 2)).pauses;
  await served.client.decide(c, second!.id, { do: 'permit', grant: 'once' });
  expect((await served.client.get(c)).pauses.map(({ id }) => id)).toEqual([first!.id]);
  expect(existsSync(join(bundle, 'two.txt'))).toBe(false);
  await served.client.decide(c, first!.id, { do: 'permit', grant: 'deny' });
  await idle(served, c);
  expect([existsSync(join(bundle, 'one.txt')), existsSync(join(bundle, 'two.txt'))]).toEqual([false, true]);
  const recording = await recordingOf(served, c);
  rmSync(join(bundle, 'two.txt'));
  expect(await differences(recording, [writeFile])).toEqual([]);
  expect(existsSync(join(bundle, 'two.txt'))).toBe(false);
  rmSync(bundle, { recursive: true });
});

it('plays the work of tool nodes, and what was tried again by itself', async () => {
  const bundle = mkdtempSync(join(tmpdir(), 'hearth-bundle-'));
  writeFileSync(join(bundle, 'main.bot'), WITH_TOOL);
  const clock = new SimClock();
  const script: Script = (_turn, number) =>
    number === 2 ? [fail('overloaded', 'too busy', false)] : [done({ reply: `answer ${number}` })];
  const served = await serve(script, { clock });
  const c = (await served.client.create({ bot: bundle, title: 'Talk' })).view.id;
  await served.client.send(c, { text: 'one', delivery: 'queue' });
  await idle(served, c);
  await served.client.send(c, { text: 'two', delivery: 'queue' });
  await served.until(c, view => {
    clock.advance(1000);
    return view.state === 'idle';
  });
  const recording = await recordingOf(served, c);
  const kinds = recording.steps.flatMap(step => (step.is === 'started' ? [`${step.kind} ${step.node}`] : []));
  expect(kinds).toEqual(['agent talk', 'tool count', 'agent talk', 'agent talk', 'tool count']);
  // The program is not run again: what it gave is in the recording.
  writeFileSync(join(bundle, 'main.bot'), WITH_TOOL.replace('wc -c', 'false'));
  expect(await differences(recording)).toEqual([]);
  rmSync(bundle, { recursive: true });
});

describe('a bot that was changed', () => {
  const ours = fileURLToPath(new URL('../../../bots/whats-next/', import.meta.url));
  const copies: string[] = [];
  afterEach(() => {
    for (const copy of copies.splice(0)) rmSync(copy, { recursive: true });
  });
  const changed = (change: (source: string) => string): string => {
    const copy = mkdtempSync(join(tmpdir(), 'hearth-bundle-'));
    copies.push(copy);
    cpSync(ours, copy, { recursive: true });
    const main = join(copy, 'main.bot');
    const before = readFileSync(main, 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(main, after);
    return copy;
  };
  const replayed = async (change: (source: string) => string) =>
    (await replayBundle(changed(change), 'a-day'))[0]!;

  it('goes its way where nothing of that matters', async () => {
    for (const one of await replayBundle('whats-next', null)) expect(one).toMatchObject({ ok: true });
    const { ok, differences: found } = await replayed(source => `## another comment\n${source}`);
    expect([ok, found]).toEqual([true, []]);
  });

  it('is told when it drops its session', async () => {
    const { ok, differences: found } = await replayed(source =>
      source.replaceAll(/^ *_session_(?:id|fingerprint):.*\n/gm, ''),
    );
    expect(ok).toBe(false);
    expect(found).toMatchObject([{ what: 'routing', message: 2 }]);
    expect(found[0]?.text).toContain(
      'the session of turn 2 was resumed; now the session of turn 2 was opened',
    );
  });

  it('is told when it may not use a tool any more', async () => {
    const { ok, differences: found } = await replayed(source => source.replace('board.close, ', ''));
    expect(ok).toBe(false);
    expect(found[0]?.text).toContain('the tool "close_issue" was called');
  });

  it('is told when a node gives other fields, and when it says other words', async () => {
    const shape = await replayed(source =>
      source.replace(/(\n +)reply: "input.reply"/, '$1reply: "length(input.reply)"'),
    );
    expect(shape.ok).toBe(false);
    expect(shape.differences.some(one => one.what === 'shape' || one.what === 'routing')).toBe(true);
  });

  it('has no recording of another name', async () => {
    await expect(replayBundle('whats-next', 'nowhere')).rejects.toThrow('There is no recording "nowhere"');
    await expect(replayBundle('hello', null)).rejects.toThrow('There are no recordings of the bot hello');
  });
});
