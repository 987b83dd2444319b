import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { makeProject, TWELVE_TICKETS } from '../support/project.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

interface Listed {
  readonly tickets: readonly { id: string; title: string; state: string; comments: { body: string }[] }[];
}

describe('the scenario that forms could not hold', () => {
  const hearth = new Hearth(tempDirectory('home'), makeProject());
  let first: TurnReport & { exit: number };

  beforeAll(async () => {
    const imported = await hearth.run(['board', 'import', '-'], { input: JSON.stringify(TWELVE_TICKETS) });
    expect(imported).toMatchObject({ code: 0 });
    first = await hearth.json<TurnReport>([
      'send',
      'indique-moi les tickets les plus pertinents pour un quickwin',
    ]);
  });
  afterAll(async () => {
    await hearth.stop();
    removeTemps();
  });

  it('answers in French with at most three tickets, reasons and one pick', () => {
    expect(first).toMatchObject({ exit: 0, state: 'settled', questions: [], cards: [] });
    const named = new Set(first.reply.match(/HB-\d+/g));
    expect(named.size).toBeGreaterThanOrEqual(1);
    expect(named.size).toBeLessThanOrEqual(3);
    expect(first.reply).toMatch(/\b(je|le|la|les|un|une|des|est|pour)\b/i);
    expect(first.quickReplies.length).toBeGreaterThan(0);
    expect(first.quickReplies.length).toBeLessThanOrEqual(4);
  });

  it('picks nothing large, blocked or done', async () => {
    const { tickets } = await hearth.json<Listed>(['board', 'list']);
    const bad = tickets.filter(ticket => /storage engine|billing|single sign-on|tracking/.test(ticket.title));
    for (const ticket of bad) expect(first.reply).not.toContain(`${ticket.id} `);
  });

  it('finds an obsolete ticket with its commit, and closes it only after a confirmation by options', async () => {
    const found = await hearth.json<TurnReport>(['send', 'y a-t-il des tickets obsolètes ?']);
    const { tickets } = await hearth.json<Listed>(['board', 'list']);
    const obsolete = tickets.find(ticket => ticket.title.includes('spelling'))!;
    let asked = found;
    if (found.questions.length === 0) {
      expect(found.reply).toContain(obsolete.id);
      expect(found.reply).toMatch(/\b[0-9a-f]{7,}\b/);
      asked = await hearth.json<TurnReport>(['send', 'ferme-le']);
    }
    expect(asked).toMatchObject({ exit: 3, state: 'waiting' });
    const [question] = asked.questions;
    expect(question?.options.length).toBeGreaterThanOrEqual(2);
    expect(question?.allowFreeText).toBe(false);
    expect(
      (await hearth.json<Listed>(['board', 'list'])).tickets.find(ticket => ticket.id === obsolete.id)?.state,
    ).toBe('ready');

    const yes = question!.options[0]!.id;
    const answered = await hearth.json<TurnReport>(['answer', question!.id, '--choice', yes]);
    expect(answered).toMatchObject({ exit: 0, state: 'settled' });
    const shown = await hearth.json<Listed['tickets'][number]>(['board', 'show', obsolete.id]);
    expect(shown.state).toBe('done');
    expect(shown.comments.at(-1)?.body).toMatch(/[0-9a-f]{7,}/);

    const again = await hearth.json<{ error?: { code: string } }>(['answer', question!.id, '--choice', yes]);
    expect(again.exit).toBe(1);
  });
});
