import { describe, expect, test } from 'vitest';
import { commit, Stage, ticket } from '../testing/stage.ts';

function stage(): Stage {
  return new Stage(
    [
      ticket(1, 'Rewrite the sync engine', { labels: ['epic'], state: 'ready' }),
      ticket(2, 'Fix typo on the pricing page', { labels: ['docs'], state: 'ready' }),
      ticket(3, 'Add dark mode to the settings screen'),
      ticket(4, 'Export invoices as CSV', { body: 'Accountants want it.' }),
      ticket(5, 'Rename the workspace menu', { labels: ['small'], body: 'Blocked by HB-1.' }),
      ticket(6, 'Upgrade the login form validation', { labels: ['bug', 'xs'] }),
      ticket(7, 'Ship the beta', { state: 'done' }),
      ticket(8, 'Wait for the vendor', { state: 'blocked' }),
    ],
    [commit(1, 'Fix page'), commit(2, 'feat: export invoices to csv'), commit(3, 'Add more tests')],
  );
}

/** What each kind of answer begins with, after the introduction. */
const kinds = {
  'quick wins': /^(?:2 quick wins, and 1 guess:|2 quick wins, et 1 pari :)/,
  next: /^(?:The 3 tickets I would take next:|Les 3 tickets que je prendrais ensuite :)/,
  sweep: /(?:One ticket looks done already:|Un ticket semble déjà fait :)/,
  show: /^HB-3 [“«]\u00a0?Add dark mode/,
  list: /^(?:\d+ tickets? |Aucun ticket|No ticket)/,
  greet: /^(?:The board has 7 open tickets|Le tableau compte 7 tickets ouverts)/,
  standby: /^(?:Fine\. I stay here|Entendu\. Je reste là)/,
  help: /^(?:This is a rehearsal: no model|C'est une répétition : aucun)/,
  unknown: /^(?:This is only a rehearsal|Ce n'est qu'une répétition)/,
  end: /^(?:I end this session|Je termine cette session)/,
} as const;

const phrasings: Readonly<
  Record<keyof typeof kinds, { readonly en: readonly string[]; readonly fr: readonly string[] }>
> = {
  'quick wins': {
    en: [
      'which tickets are quick wins?',
      'show me the most relevant quick wins',
      'any low-hanging fruit?',
      'QUICK WINS',
      'whats a quickwin here',
      'give me some easy tickets',
      'I have 30 minutes, what small task could I pick?',
      'quik win please',
      'which tickets would be the simplest ones?',
    ],
    fr: [
      'indique-moi les tickets les plus pertinents pour un quickwin',
      'Indique moi les tickets les plus pertinents pour un quick win',
      'quels tickets sont faciles à faire ?',
      'une victoire rapide ?',
      'QUELS QUICK WINS ?',
      'propose-moi un petit ticket',
      'donne-moi les tickets les plus simples',
      'je voudrais une tâche rapide',
      'quels sont les tikets les plus rapides',
    ],
  },
  next: {
    en: [
      'what should I do next?',
      "what's next",
      'shortlist please',
      'what are the top priorities?',
      'which ticket is the most important?',
      'recommend something',
      'where should we start?',
      'What shoud I do next ? any recomendation',
      'prioritize the backlog',
    ],
    fr: [
      'que faire ensuite ?',
      'par quoi on commence ?',
      'quelles sont les priorités ?',
      'quelles sont les priorites',
      'que me conseilles-tu ?',
      'quel est le ticket le plus important ?',
      'on attaque quoi ?',
      'Par où commencer ?',
      'quels tickets sont prioritaires',
    ],
  },
  sweep: {
    en: [
      'are some of these already done?',
      'any obsolete tickets?',
      'is anything outdated?',
      'ANY STALE TICKETS',
      'which tickets are already implemented?',
      'clean up the board',
      'what can be closed?',
      'which tickets are no longer relevant?',
      'any obsolte tickets?',
    ],
    fr: [
      'y a-t-il des tickets obsolètes ?',
      'y a t il des tickets obsoletes',
      'certains sont-ils déjà faits ?',
      'est-ce que certains tickets sont deja fait',
      'y a-t-il des tickets périmés ?',
      'fais le ménage dans le tableau',
      'quels tickets sont déjà livrés ?',
      'Y A-T-IL DES TICKETS A FERMER ?',
      "lesquels ne sont plus d'actualité ?",
    ],
  },
  show: {
    en: [
      'show HB-3',
      'show me hb3',
      'HB-3',
      'tell me about HB-3',
      'what is HB-3 about?',
      'details of ticket 3',
      'describe #3',
      'Open HB-3',
      'is anybody on dark mode?',
      'show the dark mode ticket',
      'shwo HB-3',
    ],
    fr: [
      'montre HB-3',
      'montre-moi hb3',
      'affiche le ticket 3',
      "c'est quoi HB-3 ?",
      'parle-moi de HB-3',
      'détaille HB-3',
      'ouvre HB-3',
      'Décris HB-3',
      'explique-moi le ticket numéro 3',
      'montre le ticket dark mode',
    ],
  },
  list: {
    en: [
      'list the tickets',
      'show me the board',
      "what's in the backlog?",
      'which tickets are blocked?',
      'how many tickets are open?',
      'list all',
      'BOARD STATUS',
      'list bugs',
      'I would like to see the bugs',
      'what is in progress?',
    ],
    fr: [
      'liste les tickets',
      'montre le tableau',
      'combien de tickets ouverts ?',
      'quels tickets sont bloqués ?',
      'où en est-on ?',
      'affiche les tickets',
      'liste les tikets',
      'qu’y a-t-il dans le backlog ?',
      'état du tableau',
    ],
  },
  greet: {
    en: ['hello', 'Hi!', 'hey nexie', 'Good morning', 'HELLO', 'helo', 'hi there', 'good evening'],
    fr: ['bonjour', 'Salut !', 'coucou', 'Bonsoir', 'BONJOUR', 'bonjuor', 'salut nexie', 'ça va ?'],
  },
  standby: {
    en: [
      'done for now',
      'see you later',
      'thanks',
      "that's all for today",
      'bye',
      'good night',
      'thank you!',
      'nothing else',
    ],
    fr: [
      'à plus tard',
      'a plus',
      'merci',
      "c'est tout",
      'au revoir',
      'bonne soirée',
      'à demain',
      "rien d'autre",
    ],
  },
  help: {
    en: [
      'help',
      'what can you do?',
      'Help me',
      'HELP',
      'what do you know',
      'how do I close a ticket?',
      'how does this work?',
      'what can you do for me',
    ],
    fr: [
      'aide',
      'aide-moi',
      'que sais-tu faire ?',
      'que peux-tu faire',
      'tu sais faire quoi ?',
      'comment ça marche ?',
      'AIDE',
      "qu'est-ce que tu sais faire ?",
      'comment on ferme HB-4 ?',
    ],
  },
  unknown: {
    en: [
      'sing me a song about the sea',
      'asdf qwer',
      'translate this into German',
      'yes',
      'the weather is lovely',
      '???',
      'why is the sky blue?',
      'I like trains',
    ],
    fr: [
      'chante-moi une chanson',
      'quelle heure est-il ?',
      'oui',
      'il fait beau',
      'traduis ceci en allemand',
      'raconte-moi une histoire',
      "j'aime les trains",
      'vas-y',
    ],
  },
  end: {
    en: [
      'end the session',
      'End this session please',
      'close the conversation',
      'you can close the session',
      "I'm done, end the session",
      'stop this chat',
      'END THE SESSION',
      'finish the conversation',
      'that is all. End the session.',
    ],
    fr: [
      'ferme la session',
      'termine la conversation',
      'Termine cette session stp',
      'on peut fermer la session',
      'mets fin à la conversation',
      'clos la session',
      'FERME LA SESSION',
      'merci, termine la session',
      'on arrête la discussion',
    ],
  },
};

describe.each(Object.entries(phrasings))('%s', (kind, { en, fr }) => {
  test.each([...en.map(text => ['en', text] as const), ...fr.map(text => ['fr', text] as const)])(
    '%s: %s',
    async (language, text) => {
      const playing = stage();
      await playing.say(language === 'fr' ? 'bonjour' : 'hello');
      const turn = await playing.say(text);
      expect(turn.reply).toMatch(kinds[kind as keyof typeof kinds]);
      expect(turn.changes).toEqual([]);
      expect(turn.close).toBe(kind === 'end');
      const french =
        /\b(?:les?|et|tickets? ouverts?|aucun|répétition|semble|je|entendu|prêt|tableau)\b| : | «/i.test(
          turn.reply,
        );
      expect(french ? 'fr' : 'en').toBe(language);
    },
  );
});

test.each(Object.values(phrasings).flatMap(({ fr }) => fr))(
  'a conversation that begins in French is French: %s',
  async text => {
    const english = /^(?:hello|yo|oui|vas-y|QUELS QUICK WINS)/i.test(text);
    expect((await stage().say(text)).reply).toMatch(english ? /./ : /^Répétition/);
  },
);

test.each([
  'end the session?',
  "don't end the session",
  'how do I end the session?',
  'should we end the conversation?',
  'la session est terminée ?',
  'ne ferme pas la session',
  'I will end the session later',
])('the session stays open at: %s', async text => {
  expect((await stage().say(text)).close).toBe(false);
});

describe('every chip is something the rehearsal understands', () => {
  test.each([
    '',
    'bonjour',
    'quick wins?',
    'quels quick wins ?',
    'any obsolete tickets?',
    'des tickets obsolètes ?',
    'show HB-3',
    'montre HB-3',
    'list the tickets',
    'what?',
    'quoi ?',
  ])('after %j', async text => {
    const playing = stage();
    const { chips } = await playing.say(text);
    expect(chips.length).toBeGreaterThan(0);
    expect(chips.length).toBeLessThanOrEqual(4);
    for (const chip of chips) {
      const turn = await playing.say(chip);
      expect(turn.reply, chip).not.toMatch(kinds.unknown);
      if (turn.asked !== null) await playing.answer(null);
    }
  });
});

describe('the board is told of as it is', () => {
  test('an empty message greets with counts and one recommendation, and introduces the rehearsal once', async () => {
    const playing = stage();
    const first = await playing.say('');
    expect(first.reply).toBe(
      'Rehearsal: no model is configured.\nThe board has 7 open tickets (4 backlog, 2 ready, 1 blocked) and 1 done.\nI would take HB-6 “Upgrade the login form validation” next: it is labelled “bug” and nothing blocks it.\nOne more looks done already by the git log; ask me which tickets are obsolete.',
    );
    expect((await playing.say('hi')).reply).not.toContain('Rehearsal:');
  });
  test.each(['', 'hello', 'quick wins?', 'any obsolete tickets?', 'list the tickets'])(
    'an empty board is offered an import after %j',
    async text => {
      expect((await new Stage().say(text)).reply).toContain('`hearth board import FILE`');
    },
  );
  test('an empty board is offered an import in French too', async () => {
    expect((await new Stage().say('bonjour')).reply).toContain('Le tableau est vide. Importez');
  });
  test('host notes and the pointer at the page are no words of the person', async () => {
    const playing = stage();
    expect((await playing.say('[hearth] The workspace is now /other.\n[hearth] Close HB-4.')).reply).toMatch(
      /The board has 7/,
    );
    const turn = await playing.say('[hearth] note\n[page context: card/HB-3]\nmove it to review');
    expect(turn.changes).toEqual(['transition_issue HB-3']);
  });
  test.each(['hello', 'list the tickets', 'which tickets are quick wins?'])(
    'a board of damaged files only is not called empty without naming them: %s',
    async text => {
      const playing = new Stage([]);
      playing.damaged = [{ file: 'tickets/HB-9.json', why: 'not JSON' }];
      expect((await playing.say(text)).reply).toContain('tickets/HB-9.json');
    },
  );

  test('damaged files are named', async () => {
    const playing = stage();
    playing.damaged = [{ file: 'tickets/HB-9.json', why: 'not JSON' }];
    expect((await playing.say('hello')).reply).toContain('tickets/HB-9.json');
  });
  test('a list says how many more there are', async () => {
    const playing = new Stage(Array.from({ length: 14 }, (_, at) => ticket(at + 1, `Thing ${at + 1}`)));
    const { reply } = await playing.say('list the tickets');
    expect(reply).toContain('14 tickets open:');
    expect(reply).toContain('… and 4 more.');
  });
  test('a board of more tickets than one list shows is read state by state', async () => {
    const many = Array.from({ length: 130 }, (_, at) =>
      ticket(at + 1, `Thing ${at + 1}`, { state: at < 60 ? 'inbox' : 'review' }),
    );
    expect((await new Stage(many).say('hello')).reply).toContain('130 open tickets (60 inbox, 70 review)');
  });
  test('a filtered list shows that state or label only', async () => {
    expect((await stage().say('which tickets are blocked?')).reply).toMatch(/1 ticket in blocked:\n- HB-8/);
    expect((await stage().say('list the bugs')).reply).toMatch(/1 ticket open, labelled “bug”:\n- HB-6/);
  });
  test('the places of a list can be spoken of', async () => {
    const playing = stage();
    await playing.say('quick wins?');
    expect((await playing.say('show the second one')).reply).toMatch(/^HB-2 /);
    expect((await playing.say('montre le premier')).reply).toMatch(/^HB-6 /);
  });
});

test('narration comes before the work, drafts grow, and usage comes before the end', async () => {
  const { events, reply } = await stage().say('quels quick wins ?');
  const types = events.map(event => event.type);
  expect(types[0]).toBe('session');
  expect(types.slice(-2)).toEqual(['usage', 'done']);
  expect(events.filter(event => event.type === 'narration').map(event => event.text)).toEqual([
    'Je lis le tableau.',
    "Je lis l'historique git.",
  ]);
  const drafts = events.filter(event => event.type === 'draft').map(event => event.text);
  expect(drafts.length).toBeGreaterThan(1);
  for (const [at, text] of drafts.entries()) expect(text.startsWith(drafts[at - 1] ?? '')).toBe(true);
  expect(drafts.at(-1)).toBe(reply);
});
