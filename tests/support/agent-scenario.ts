import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '@hearth/protocol/event.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentKind } from './agent-kinds.ts';
import { AgentService } from './agent-service.ts';
import { calls, type FakeCall } from './fake-provider.ts';
import { own } from './provider-moves.ts';
import { tempDirectory } from './temp.ts';

/*
 * What every agent program does behind a bot on the real service, whatever it can: one conversation with all that may come
 * between, and leave for its calls. Where a program declares that it lacks something, that is told and not hidden.
 */

/** Some programs would run the second line before their model reads it, and allow what the front matter names. */
const SKILL = ['Mix the ochre with a spoon of linseed oil.', '!`touch by-skill`'];

/** A bot with the program's own shell, two board tools, a skill and a gate. */
function workerBundle({ tools }: AgentKind): string {
  const root = join(tempDirectory('bundle'), 'worker');
  mkdirSync(join(root, 'skills', 'painting'), { recursive: true });
  writeFileSync(join(root, 'manifest.yaml'), 'name: worker\ndescription: Works.\n');
  writeFileSync(
    join(root, 'skills', 'painting', 'SKILL.md'),
    `---\nname: painting\ndescription: How a door is painted so that it lasts.\nallowed-tools: Bash\n---\n${SKILL.join('\n')}\n`,
  );
  const hello = readFileSync(new URL('../../bots/hello/main.bot', import.meta.url), 'utf8');
  const session = '  session: inherit_if_available\n';
  const more = [
    '  interaction: human',
    '  capabilities: [board.read, board.close]',
    ...(tools === '' ? [] : [`  tools: [${tools}, skill]`]),
    '  permission: ask',
    '  allow: ["Skill"]',
    '  ask: ["close_issue"]',
    '  deny: ["Bash(touch never:*)", "Bash(pwd)"]',
  ].join('\n');
  const main = hello.replaceAll(/\bhello\b/g, 'worker').replace(session, `${session}${more}\n`);
  writeFileSync(join(root, 'main.bot'), `dsl: 2\n\n${main}`);
  return root;
}

const times = (text: string, within: string): number => within.split(text).length - 1;

export function agentScenarios(kind: AgentKind): void {
  const ports = { clock: systemClock, env: {}, patience: { leave: 1, term: 1 } };
  const { steering: steers, toolBoundary: keeps } = kind.backend(ports).capabilities;
  describe(`${kind.name} behind a bot on the real service`, { timeout: 400_000 }, () => {
    let one: AgentService;
    beforeEach(async () => {
      one = await AgentService.open(kind, workerBundle(kind));
      const tickets = ['Paint the door', 'Oil the hinges'].map(title => ({ title, state: 'ready' }));
      await one.client.importTickets(one.project, 'tickets.json', JSON.stringify(tickets));
    });
    afterEach(() => one.close());

    const board = (name: string, args: FakeCall['args'] = {}): FakeCall => own(name, args, kind.dialect);
    const inProject = (name: string): string | null => {
      const path = join(one.project, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    };
    /** What became of a message, in order. */
    const moved = async (message: string | null) =>
      (await one.events()).flatMap(event =>
        event.type === 'message.moved' && event.message === message ? [event.to] : [],
      );

    test('is one session over turns, a question and a restart, words meanwhile, a denied tool, an interrupt, until it is lost (B13, B22, B23, R13.5, R13.24, R13.28)', async () => {
      // The model is shown what the bot names, and the bundle's skills reach it (R13.24).
      const first = await one.told(
        'first-words',
        calls([board('list_issues')], 'I look.'),
        calls([board('skill', { name: 'painting' })]),
        one.answer('first-reply'),
      );
      expect(first).toMatchObject({ state: 'settled', reply: 'first-reply' });
      for (const name of ['list_issues', 'get_issue', 'close_issue', 'skill', 'ask_user'])
        expect(one.provider.requests[0]?.text).toContain(board(name).name);
      expect(one.heard()).toContain('Oil the hinges');
      for (const line of SKILL) expect(one.heard()).toContain(line);
      expect(inProject('by-skill')).toBeNull();

      // A question holds nothing while the person thinks, over a restart (B13), and its session is kept with it (R13.5).
      const options = [
        { id: 'red', label: 'The red one' },
        { id: 'blue', label: 'The blue one' },
      ];
      const asked = await one.told(
        'second-words',
        calls([board('ask_user', { question: 'Which barn?', options })], 'One thing first.'),
      );
      expect(asked).toMatchObject({ state: 'waiting', questions: [{ text: 'Which barn?' }] });
      expect(one.processes()).toEqual([]);
      expect(readdirSync(join(one.directory, kind.sessions))).not.toEqual([]);
      const { activeMs } = (await one.client.get(one.c)).budget.lifetime;
      await one.restart();
      expect((await one.client.get(one.c)).budget.lifetime.activeMs).toBe(activeMs);
      one.provider.forget().plays(one.answer('second-reply'));
      const [question] = await one.pauses('question');
      expect(await one.decided(question!.id, { do: 'answer', option: 'red' })).toMatchObject({
        state: 'settled',
        reply: 'second-reply',
      });
      for (const words of ['first-words', 'first-reply', 'Which barn?', 'The red one'])
        expect(one.heard()).toContain(words);
      expect(times('second-words', one.heard())).toBe(1);

      // Words in the middle of a turn join it once, or wait in the open for the next (B23).
      const held = Promise.withResolvers<void>();
      one.provider
        .forget()
        .plays(
          calls([board('list_issues')], 'I look again.', { hold: held.promise }),
          one.answer('third-reply'),
        )
        .plays(...(steers ? [] : [one.answer('joined-reply')]));
      const requests = one.provider.requests.length;
      const third = await one.say('third-words');
      await expect.poll(() => one.provider.requests.length).toBe(requests + 1);
      const joins = await one.say('joined-words', 'steer');
      if (steers) await expect.poll(() => moved(joins.message)).toContain('delivered');
      else expect((await one.client.get(one.c)).queue).toMatchObject([{ message: joins.message }]);
      held.resolve();
      expect(await one.settled(third)).toMatchObject({ state: 'settled', reply: 'third-reply' });
      if (!steers)
        expect(await one.settled(joins)).toMatchObject({ state: 'settled', reply: 'joined-reply' });
      expect(times('joined-words', one.heard())).toBe(1);
      expect(await moved(joins.message)).toEqual(
        steers ? ['queued', 'delivered', 'consumed', 'absorbed'] : ['queued', 'consumed'],
      );

      // What the bot's rule denies is not done, and nobody is asked; where a list of tools is kept, so is what only looks.
      const fourth = await one.told(
        'fourth-words',
        calls([kind.shell('touch never'), kind.shell('pwd')]),
        one.answer('fourth-reply'),
      );
      expect(fourth).toMatchObject({ state: 'settled', reply: 'fourth-reply' });
      expect(inProject('never')).toBeNull();
      const denied = (await one.events()).filter(event => event.type === 'tool' && event.change === 'denied');
      expect(denied.length).toBeGreaterThanOrEqual(keeps ? 2 : 1);

      // An interrupt in the middle of an answer: what was written was shown, and the turn can be taken up (B22).
      one.provider.forget().plays(calls([], 'Half of an answer 🐎', { hold: new Promise(() => undefined) }));
      const { turn } = await one.say('fifth-words');
      await expect
        .poll(() => one.live.some(event => event.type === 'draft' && event.text.includes('answer 🐎')))
        .toBe(true);
      await one.client.interrupt(one.c, turn ?? 't0');
      await expect.poll(async () => (await one.pauses('recovery')).length).toBe(1);
      expect(one.processes()).toEqual([]);
      expect(await one.told('go-on-words', one.answer('fifth-reply'))).toMatchObject({
        state: 'settled',
        reply: 'fifth-reply',
      });
      for (const words of ['fifth-words', 'go-on-words', 'fourth-reply'])
        expect([words, times(words, one.heard())]).toEqual([words, 1]);

      // A lost session is replaced by one that knows the latest words, and that is said (R13.5).
      expect((await one.client.get(one.c)).session).toEqual({ backend: kind.name, degraded: false });
      one.loseSessions();
      expect(await one.told('sixth-words', one.answer('sixth-reply'))).toMatchObject({
        state: 'settled',
        reply: 'sixth-reply',
      });
      expect(one.heard()).toContain('fifth-reply');
      expect((await one.client.get(one.c)).session).toEqual({ backend: kind.name, degraded: true });

      const log = await one.events();
      const sessions = log.flatMap(event => (event.type === 'session' ? [event.change] : []));
      expect(sessions).toEqual(['opened', ...sessions.slice(3).map(() => 'resumed'), 'reseeded', 'degraded']);
      // Of a program that does not say what it used that is counted as unknown, and not as nothing.
      const { tokens, unpriced } = (await one.client.get(one.c)).budget.lifetime;
      expect((tokens ?? 0) > 0 || unpriced > 0).toBe(true);
      // Whoever watched from the start, over the restart, was told what is kept, each event once and in order (R13.28).
      const told = (): readonly Event[] => one.live.filter(event => event.type !== 'draft');
      await expect.poll(() => told().length).toBe(log.length);
      expect(told()).toEqual(log);
    });

    test('asks for leave for exactly the call, each for its own, over a restart: once, never, always (B14)', async () => {
      const close = board('close_issue', { id: 'HB-1' });
      const [echo, other, touch] = [
        kind.shell('echo one >> log'),
        kind.shell('echo two >> log'),
        kind.shell('touch b'),
      ];
      /** What the model wants in the part of the turn to come; it ends its turn where that is denied or waits. */
      const wants = (...wanted: readonly FakeCall[]): void => {
        const moves = wanted.length === 0 ? [] : [calls(wanted)];
        one.provider
          .forget()
          .plays(...moves)
          .thinks(() => one.answer('That is all.'));
      };
      const did = async () => [
        (await one.client.ticket(one.project, 'HB-1')).state,
        inProject('log'),
        inProject('b'),
      ];
      const open = async () => {
        const pauses = await one.pauses('permission');
        return pauses.map(({ id, call }) => ({ id, tool: call.tool, args: JSON.stringify(call.args) }));
      };

      // It wants three calls in one step. Each needs leave of its own; some programs ask for one after the other.
      wants(close, echo, touch);
      let report = await one.settled(await one.say('work'));
      expect(report.state).toBe('waiting');
      expect(await did()).toEqual(['ready', null, null]);
      expect(one.processes()).toEqual([]);
      const asked = await open();
      await one.restart();
      expect(await open()).toEqual(asked);
      const told: string[] = [];
      const left = new Set([close, echo, touch]);
      while (report.state === 'waiting') {
        const [first, ...others] = await open();
        if (first === undefined) throw new Error('nothing is asked');
        told.push(`${first.tool} ${first.args}`);
        const denies = first.args.includes('touch');
        if (denies) left.delete(touch);
        // What the model was told that it may do it does again, and nothing before the last answer.
        if (others.length === 0) wants(...left);
        const before = await did();
        report = await one.decided(first.id, { do: 'permit', grant: denies ? 'deny' : 'once' });
        const now = await did();
        if (others.length > 0) expect(now).toEqual(before);
        if (now[0] === 'done') left.delete(close);
        if (now[1] !== null) left.delete(echo);
      }
      expect(report).toMatchObject({ state: 'settled', reply: 'That is all.' });
      expect(told).toHaveLength(3);
      for (const asks of [/^close_issue {"id":"HB-1"}$/, /^\w+ .*"echo one >> log"/, /^\w+ .*"touch b"/])
        expect(told).toContainEqual(expect.stringMatching(asks));
      expect(await did()).toEqual(['done', 'one\n', null]);

      // Once was once; for good it is a rule for this call, and another one is asked about.
      wants(echo);
      expect(await one.settled(await one.say('again'))).toMatchObject({ state: 'waiting' });
      wants(echo, other);
      const [again] = await open();
      expect(await one.decided(again!.id, { do: 'permit', grant: 'always' })).toMatchObject({
        state: 'waiting',
      });
      expect(await open()).toMatchObject([{ args: expect.stringContaining('echo two >> log') }]);
      expect(inProject('log')).toBe('one\none\n');
      wants();
      const [two] = await open();
      expect(await one.decided(two!.id, { do: 'permit', grant: 'deny' })).toMatchObject({
        state: 'settled',
        reply: 'That is all.',
      });
      wants(echo);
      expect(await one.settled(await one.say('and again'))).toMatchObject({ state: 'settled' });
      expect(inProject('log')).toBe('one\none\none\n');
      expect((await one.client.get(one.c)).rules).toMatchObject([{ grant: 'always' }]);
    });
  });
}
