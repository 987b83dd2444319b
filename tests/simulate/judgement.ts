/** What must hold once everything is well again. */
import { isDeepStrictEqual } from 'node:util';
import { isStaged } from '@hearth/conversations/conversation-directory.ts';
import { verifyConversation } from '@hearth/conversations/verification.ts';
import { hydrate } from '@hearth/client/recover.ts';
import type { Model } from '@hearth/client/view.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { pick } from '@hearth/store/seeded-random.ts';
import { z } from 'zod';
import { actFor } from './answering.ts';
import { Broken } from './history.ts';
import { HOME, TOKEN } from './machine.ts';
import type { Stage } from './stage.ts';
import { STRANGE } from './strangers.ts';

/** Accepted commands that are sent once more at the end. */
const AGAIN = 4;
/** Rounds in which a conversation that nobody disturbs must come to rest. */
export const PATIENCE = 200;

const Replayed = z.looseObject({ replayed: z.boolean() });

export class Judgement {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Rejects with `Broken`. */
  async pass(): Promise<void> {
    const c = this.#stage.known();
    if (c === null) throw new Broken(1, 'the default conversation is not there');
    await this.#bringToRest(c);
    const view = await this.#stage.curl.get(c);
    const history = await this.#wholeHistory(c);
    await this.#judgeSurfaces(c, view);
    this.#judgeWords(history);
    this.#judgeAnswers();
    this.#judgeRounds();
    await this.#judgeReceipts();
    const damage = [...this.#stage.history.events.values()].find(
      ({ event }) => event.type === 'notice' && event.severity === 'error',
    );
    await this.#judgeDisk(c);
    if (damage?.event.type === 'notice') throw new Broken(10, `something was lost: ${damage.event.text}`);
  }

  /** From wherever it stands a person can answer everything, and a message then gets its reply. */
  async #bringToRest(c: ConversationId): Promise<void> {
    const words = 'the last words';
    let sent = false;
    for (let round = 0; round < PATIENCE; round += 1) {
      this.#stage.machine.clock.advance(5000);
      await this.#stage.moments(8);
      this.#stage.check();
      const view = await this.#stage.curl.get(c);
      const [pause] = view.pauses.filter(open => open.kind !== 'chat');
      const act = pause === undefined ? null : actFor(this.#stage.random, pause);
      if (pause !== undefined && act !== null)
        await this.#stage.curl.decide(c, pause.id, act).catch(() => undefined);
      else if (view.turn === null && view.queue.length === 0) {
        if (sent) {
          const { items } = await this.#stage.curl.history(c, null, 1);
          const reply = items.findLast(line => line.is === 'replied');
          if (reply?.is !== 'replied' || reply.text !== `heard ${words}`)
            throw new Broken(7, 'the last words got no reply');
          return;
        }
        sent = true;
        await this.#stage.curl.send(c, { text: words, delivery: 'queue' });
      }
    }
    throw new Broken(7, 'the conversation does not come to rest');
  }

  async #judgeSurfaces(c: ConversationId, view: ConversationView): Promise<void> {
    await this.#stage.moments(10);
    const fresh = await hydrate(this.#stage.curl, c);
    for (const [name, { model }] of [
      ['console', this.#stage.console],
      ['studio', this.#stage.studio],
    ] as const) {
      if (model === null || model.cursor !== view.head)
        throw new Broken(2, `the ${name} stands at ${model?.cursor} and not at ${view.head}`);
      if (!isDeepStrictEqual(model.now, fresh.now))
        throw new Broken(2, `the ${name} thinks that it is otherwise`);
      if (!isDeepStrictEqual(tail(model, fresh), tail(fresh, fresh)))
        throw new Broken(2, `the ${name} shows another transcript`);
    }
  }

  /** Retention leaves what is protected; what lies there is listed, and whole. */
  async #judgeDisk(c: ConversationId): Promise<void> {
    const { disk, instance } = this.#stage.machine;
    if (instance === null) throw new Broken(7, 'no service runs although all is well');
    const owing = (await instance.conversations.list({ state: 'waiting' })).rows;
    await instance.conversations.retain();
    const { rows } = await instance.conversations.list({});
    this.#stage.history.owing = owing.length;
    for (const { id } of owing)
      if (!rows.some(row => row.id === id)) throw new Broken(8, `${id} owed an answer and is gone`);
    const listed = new Set<string>(rows.map(({ id }) => id));
    if (rows.find(({ isDefault }) => isDefault)?.id !== c)
      throw new Broken(8, 'the default conversation is another, or gone');
    for (const id of this.#stage.pinned)
      if (!listed.has(id)) throw new Broken(8, `${id} was pinned and is gone`);
    for (const name of await disk.list(`${HOME}/conversations`)) {
      // What a full disk cut short while it was being made is swept at the next start.
      if (!listed.has(name) && !isStaged(name))
        throw new Broken(8, `"${name}" lies among the conversations and is none`);
    }
    for (const { id } of rows) {
      const [wrong] = await verifyConversation(disk, `${HOME}/conversations/${id}`, id);
      if (wrong?.severity === 'damage') throw new Broken(10, `${wrong.path} ${wrong.what}`);
    }
  }

  /** Those of earlier epochs included. */
  #judgeWords(history: HistoryPage['items']): void {
    const said = history.filter(line => line.is === 'said');
    const strange = said.find(line => typeof line.text === 'string' && line.text.startsWith(STRANGE));
    if (strange !== undefined) throw new Broken(12, 'the words of a stranger were taken');
    for (const { body, receipt } of this.#stage.history.of('/messages')) {
      const found = said.filter(line => line.is === 'said' && line.text === body['text'] && line.text !== '');
      if (found.length > 1) throw new Broken(3, `"${String(body['text'])}" was said ${found.length} times`);
      if (receipt !== null && body['text'] !== '' && found[0]?.is === 'said') {
        if (found[0].message !== receipt.did.message)
          throw new Broken(3, `${receipt.commandId} is another message`);
      } else if (receipt !== null && body['text'] !== '')
        throw new Broken(1, `"${String(body['text'])}" was acknowledged and is not there`);
    }
  }

  #judgeAnswers(): void {
    const closed = new Set<string>();
    const questions = new Map<string, Pause>();
    const decisions = this.#stage.history.of('/decisions');
    for (const { event } of [...this.#stage.history.events.values()].toSorted(
      (a, b) => a.event.seq - b.event.seq,
    )) {
      if (event.type === 'pause.opened') questions.set(event.pause.id, event.pause);
      if (event.type !== 'pause.closed') continue;
      if (closed.has(event.pause)) throw new Broken(4, `${event.pause} was closed twice`);
      closed.add(event.pause);
      if (questions.get(event.pause)?.kind !== 'question' || event.how !== 'answered') continue;
      const option = event.option ?? null;
      const meant = decisions.some(
        ({ body }) =>
          body['pause'] === event.pause &&
          !this.#stage.history.amiss.has(body.commandId) &&
          optionOf(body['act']) === option,
      );
      if (!meant) throw new Broken(5, `${event.pause} was answered "${option}" by nobody`);
    }
  }

  /** No run goes round more often than its loop says and a person allowed, over whatever restarts. */
  #judgeRounds(): void {
    const events = [...this.#stage.history.events.values()]
      .map(({ event }) => event)
      .toSorted((a, b) => a.seq - b.seq);
    // Of a log that nobody saw whole it cannot be told.
    if (events.some((event, index) => event.seq !== (events[0]?.seq ?? 0) + index)) return;
    const runs = Map.groupBy(events, event => event.run);
    for (const [run, own] of runs) {
      const rounds = own.filter(event => event.type === 'node' && event.edge?.loop !== undefined).length;
      const raised = own.filter(event => event.type === 'pause.closed' && event.option === 'raise').length;
      this.#stage.history.raised += raised;
      if (rounds > this.#stage.rounds * (1 + raised))
        throw new Broken(
          11,
          `${String(run)} went round ${rounds} times and was allowed ${raised} times more`,
        );
    }
  }

  async #judgeReceipts(): Promise<void> {
    const accepted = [...this.#stage.history.commands.values()].filter(({ receipt }) => receipt !== null);
    const from = pick(this.#stage.random, Math.max(1, accepted.length - AGAIN));
    for (const { url, method, body, receipt } of accepted.slice(from, from + AGAIN)) {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const response = await this.#stage.network.fetch(url, { method, headers, body: JSON.stringify(body) });
      const reply = Replayed.safeParse(await response.json()).data;
      if (reply?.replayed !== true) throw new Broken(3, `${receipt?.commandId} happened again`);
    }
    this.#stage.check();
  }

  async #wholeHistory(c: ConversationId): Promise<HistoryPage['items']> {
    const items: HistoryPage['items'] = [];
    for (let before: number | null = null; ; ) {
      const page: HistoryPage = await this.#stage.curl.history(c, before, 7);
      items.unshift(...page.items);
      if (page.previous === null) return items;
      before = page.previous;
    }
  }
}

const Answered = z.looseObject({ option: z.string().exactOptional() });

function optionOf(act: unknown): string | null {
  return Answered.safeParse(act).data?.option ?? null;
}

/** What both show: the items that the retained log tells of. */
function tail(model: Model, fresh: Model): readonly unknown[] {
  const from = fresh.items[0]?.seq ?? 0;
  return model.items.filter(item => item.seq >= from);
}
