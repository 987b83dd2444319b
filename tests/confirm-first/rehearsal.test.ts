import { Rehearsal } from '@hearth/backends/rehearsal/backend.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { endAll, type Served, serve } from '@hearth/service/testing/served.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* confirm-first as everyone has it who has no model: through a real service, played by the rehearsal. */

let served: Served;
beforeAll(async () => {
  served = await serve([], { backends: [new Rehearsal({ disk: nodeDisk, ids: systemIds })] });
});
afterAll(endAll);

/** Where a pause is: `approach@2` of a card that can be acted on, else its kind. */
function placeOf(pause: Pause): string {
  if (pause.kind !== 'card') return pause.kind;
  return pause.status === 'shown' ? `${pause.shown.artifact}@${pause.shown.version}` : 'drafting';
}

class Person {
  readonly #c: ConversationId;
  constructor(c: ConversationId) {
    this.#c = c;
  }

  static async with(text: string): Promise<Person> {
    const { view } = await served.client.create({ bot: 'confirm-first', title: text.slice(0, 40) });
    await served.client.send(view.id, { text, delivery: 'queue' });
    return new Person(view.id);
  }

  /** The pause at that place, once it is open. */
  async at(place: string): Promise<Pause> {
    const { pauses } = await served.until(this.#c, view => view.pauses.some(one => placeOf(one) === place));
    const found = pauses.find(one => placeOf(one) === place);
    if (found === undefined) throw new Error(`nothing is open at ${place}`);
    return found;
  }

  async do(place: string, act: Act): Promise<void> {
    const pause = await this.at(place);
    const seen =
      pause.kind === 'card' ? { artifact: pause.shown.artifact, version: pause.shown.version } : {};
    await served.client.decide(this.#c, pause.id, act, seen);
  }

  act(place: string, action: string, feedback?: string): Promise<void> {
    return this.do(place, { do: 'act', action, ...(feedback === undefined ? {} : { feedback }) });
  }

  /** The text of the version that is shown there. */
  async body(place: string): Promise<string> {
    const pause = await this.at(place);
    if (pause.kind !== 'card') throw new Error(`a ${pause.kind} pause is open`);
    return (await served.client.artifact(this.#c, pause.shown)).body;
  }

  /** What the bot said last. */
  async said(): Promise<string> {
    const { items } = await served.client.history(this.#c, null, 50);
    const replies = items.flatMap(line =>
      line.is === 'replied' && typeof line.text === 'string' ? [line.text] : [],
    );
    return replies.at(-1) ?? '';
  }
}

describe('from the request to the result', () => {
  test.each([
    ['confirm_standard', /^This is a rehearsal: no model is configured, so nothing was worked out\./],
    ['confirm_pseudocode', /^STATE that this is a rehearsal/],
  ])('with revisions of both, ended by %s', async (action, result) => {
    const person = await Person.with('Compare three routers.\nUnder 100 EUR');
    expect(await person.body('interpretation@1')).toBe(
      'DO what the person asked for\n    "Compare three routers."\n    "Under 100 EUR"',
    );
    await person.act('interpretation@1', 'revise', 'for nine people');
    expect(await person.body('interpretation@2')).toMatch(
      /"Under 100 EUR"\nCHANGE it as the person asked\n {4}"for nine people"$/,
    );
    await person.act('interpretation@2', 'confirm');
    await person.act('approach@1', 'revise', 'primary sources only');
    expect(await person.at('approach@2')).toMatchObject({ from: [{ version: 2 }], findings: [] });
    await person.act('approach@2', 'change_request', 'in a table');
    await person.act('interpretation@3', 'confirm');
    expect(await person.body('approach@3')).toContain('"primary sources only"');
    await person.act('approach@3', action);
    await person.at('chat');
    const said = await person.said();
    expect(said).toMatch(result);
    for (const words of ['Compare three routers.', 'for nine people', 'in a table'])
      expect(said).toContain(words);
    expect(said).toMatch(/\(Prompt Pseudocode version 3, Response Plan Pseudocode version 3, \w+\)$/);
  });

  test('typed agreement is understood by nobody, so that nothing moves', async () => {
    const person = await Person.with('Compare three routers.');
    await person.do('interpretation@1', { do: 'say', text: 'That is exactly what I mean, please go on' });
    await expect.poll(() => person.said()).toMatch(/^It is not clear/);
    expect((await person.at('interpretation@1')).kind).toBe('card');
  });

  test('what was announced is asked for, in the language of the person', async () => {
    const person = await Person.with('Calcule le seuil de rentabilité, je te donnerai les chiffres après.');
    expect(await person.body('interpretation@1')).toMatch(/^FAIRE ce que la personne a demandé\n/);
    await person.act('interpretation@1', 'confirm');
    await person.act('approach@1', 'confirm_standard');
    expect(await person.at('input')).toMatchObject({ node: 'wait_input' });
    await person.do('input', { do: 'answer', fields: { data: 'prix 80, coût 35' } });
    await person.at('chat');
    expect(await person.said()).toContain('prix 80, coût 35');
  });

  test('a greeting is answered, and opens nothing', async () => {
    const person = await Person.with('bonjour');
    await person.at('chat');
    expect(await person.said()).toMatch(/^C'est une répétition\./);
  });
});
