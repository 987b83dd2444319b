import { describe, expect, test } from 'vitest';
import { Stage, ticket } from '../testing/stage.ts';

/** A board on which every phrasing below means something, after a list that showed HB-4, HB-5 and HB-6 in this order. */
async function staged(): Promise<Stage> {
  const stage = new Stage([
    ticket(4, 'Upgrade the login form validation', { labels: ['xs', 'docs'], owner: 'Ada', state: 'ready' }),
    ticket(5, 'Dark mode for settings', { labels: ['small'], state: 'ready' }),
    ticket(6, 'Export invoices as CSV', { labels: ['quick'] }),
    ticket(7, 'Blocked thing', { state: 'blocked' }),
    ticket(8, 'Closed thing', { state: 'done' }),
  ]);
  await stage.say('which quick wins are there?');
  return stage;
}

type Row = readonly [string, ...string[]];

async function changes(
  text: string,
): Promise<{ stage: Stage; made: readonly string[]; reply: string; asked: boolean }> {
  const stage = await staged();
  const turn = await stage.say(text);
  return { stage, made: turn.changes, reply: turn.reply, asked: turn.asked !== null };
}

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows.map(([text, ...made]) => [text, made] as const))('%s', async (text, made) => {
      expect((await changes(text)).made).toEqual(made);
    });
  });
}

table('close: one ticket named by its id is closed at once', [
  ['close HB-4', 'close_issue HB-4'],
  ['Close hb-4 please', 'close_issue HB-4'],
  ['CLOSE HB4', 'close_issue HB-4'],
  ['clsoe hb-4', 'close_issue HB-4'],
  ['please close ticket 4', 'close_issue HB-4'],
  ['can you close #4?', 'close_issue HB-4'],
  ['mark HB-4 as done', 'close_issue HB-4'],
  ['resolve HB-4', 'close_issue HB-4'],
  ['move HB-4 to done', 'close_issue HB-4'],
  ['close HB-4 and HB-5', 'close_issue HB-4', 'close_issue HB-5'],
  ['close HB-4 as a duplicate of HB-5', 'close_issue HB-4'],
  ['close HB-4: superseded by the new form', 'comment_issue HB-4', 'close_issue HB-4'],
  ['close HB-4 because nobody needs it', 'comment_issue HB-4', 'close_issue HB-4'],
  ['ferme HB-4', 'close_issue HB-4'],
  ['Ferme le ticket HB-4 stp', 'close_issue HB-4'],
  ['peux-tu fermer HB-4 ?', 'close_issue HB-4'],
  ['fermer hb 4', 'close_issue HB-4'],
  ['clôture HB-4', 'close_issue HB-4'],
  ['cloture hb-4', 'close_issue HB-4'],
  ['termine HB-4', 'close_issue HB-4'],
  ['marque HB-4 comme terminé', 'close_issue HB-4'],
  ["ferme HB-4 parce qu'il est dépassé", 'comment_issue HB-4', 'close_issue HB-4'],
  ['il faut fermer HB-4', 'close_issue HB-4'],
  ['close HB-8'],
  ['close HB-99'],
]);

table('nothing is closed by words that give no such order', [
  ["don't close HB-4"],
  ['do not close HB-4'],
  ['never close HB-4 without me'],
  ['should I close HB-4?'],
  ['did you close HB-4?'],
  ['who closed HB-4?'],
  ['I closed HB-4 yesterday'],
  ['what happens if I close HB-4 and move HB-5 to review?'],
  ['HB-4 is closed, right?'],
  ['is HB-4 close to done?'],
  ['ne ferme pas HB-4'],
  ['ferme pas HB-4'],
  ['ne ferme surtout pas HB-4 et ne lance rien'],
  ["j'ai fermé HB-4 hier"],
  ['dois-je fermer HB-4 ?'],
  ['faut-il fermer HB-4 ?'],
  ['as-tu fermé HB-4 ?'],
  ['comment fermer HB-4 ?'],
  ['pourquoi HB-4 est fermé ?'],
  ['close'],
  ['clone HB-4'],
]);

table('move', [
  ['move HB-5 to review', 'transition_issue HB-5'],
  ['Move HB-5 to In Progress', 'transition_issue HB-5'],
  ['moev HB-5 to review', 'transition_issue HB-5'],
  ['put hb-5 in review', 'transition_issue HB-5'],
  ['set HB-5 to blocked', 'transition_issue HB-5'],
  ['mark HB-5 as blocked', 'transition_issue HB-5'],
  ['block HB-5', 'transition_issue HB-5'],
  ['unblock HB-7', 'transition_issue HB-7'],
  ['reopen HB-8', 'transition_issue HB-8'],
  ['move the first one to review', 'transition_issue HB-4'],
  ['move the dark mode ticket to review', 'transition_issue HB-5'],
  ['move it to review', 'transition_issue HB-4'],
  ['passe HB-5 en revue', 'transition_issue HB-5'],
  ['mets HB-5 en cours', 'transition_issue HB-5'],
  ['Déplace HB-5 vers le backlog', 'transition_issue HB-5'],
  ['deplace hb-5 dans backlog', 'transition_issue HB-5'],
  ['peux-tu passer le deuxième en revue ?', 'transition_issue HB-5'],
  ['mets-le en cours', 'transition_issue HB-4'],
  ['bloque HB-5', 'transition_issue HB-5'],
  ['rouvre HB-8', 'transition_issue HB-8'],
  ['débloque HB-7', 'transition_issue HB-7'],
  ['move HB-5 to ready'],
  ['move HB-5'],
  ['HB-7 est bloqué'],
]);

table('label', [
  ['label HB-5 as urgent', 'set_labels HB-5'],
  ['tag HB-5 urgent', 'set_labels HB-5'],
  ['add the label urgent to HB-5', 'set_labels HB-5'],
  ['Add urgent label to hb-5', 'set_labels HB-5'],
  ['remove the label docs from HB-4', 'set_labels HB-4'],
  ['put label "needs review" on HB-5', 'set_labels HB-5'],
  ['tag it urgent', 'set_labels HB-4'],
  ['lable HB-5 as urgent', 'set_labels HB-5'],
  ['give HB-5 the label urgent', 'set_labels HB-5'],
  ['étiquette HB-5 urgent', 'set_labels HB-5'],
  ["ajoute l'étiquette urgent à HB-5", 'set_labels HB-5'],
  ['ajoute le label urgent sur HB-5', 'set_labels HB-5'],
  ['mets le label urgent sur HB-5', 'set_labels HB-5'],
  ["retire l'etiquette docs de HB-4", 'set_labels HB-4'],
  ['enlève le label docs de HB-4', 'set_labels HB-4'],
  ['peux-tu ajouter le tag urgent à HB-5 ?', 'set_labels HB-5'],
  ['label HB-5 #urgent', 'set_labels HB-5'],
  ['étiquette le premier comme urgent', 'set_labels HB-4'],
  ['étiquette le premier urgent'],
  ['label the first two cold'],
  ['label HB-5 with nothing'],
  ['étiquette HB-5 avec rien'],
  ['label HB-5 as something that we should look at next week again'],
  ['label HB-4 as docs'],
  ['label HB-4'],
]);

table('assign', [
  ['assign HB-5 to Marie', 'assign_issue HB-5'],
  ['Assign hb-5 to marie please', 'assign_issue HB-5'],
  ['asign HB-5 to Marie', 'assign_issue HB-5'],
  ['assign Marie to HB-5', 'assign_issue HB-5'],
  ['give HB-5 to Marie', 'assign_issue HB-5'],
  ['unassign HB-4', 'assign_issue HB-4'],
  ['assign it to Marie', 'assign_issue HB-4'],
  ['assign HB-5 to the bot fixer', 'set_bot HB-5'],
  ['assigne HB-5 à Marie', 'assign_issue HB-5'],
  ['assigne hb-5 a marie', 'assign_issue HB-5'],
  ['attribue HB-5 à Marie', 'assign_issue HB-5'],
  ['donne HB-5 à Marie', 'assign_issue HB-5'],
  ['confie HB-5 à Marie', 'assign_issue HB-5'],
  ['confie HB-5 au bot fixer', 'set_bot HB-5'],
  ['assigne le deuxième à Marie', 'assign_issue HB-5'],
  ["peux-tu l'assigner à Marie ?", 'assign_issue HB-4'],
  ['assign HB-4 to nobody', 'assign_issue HB-4'],
  ['assign HB-4 to no one', 'assign_issue HB-4'],
  ['assigne HB-4 à personne', 'assign_issue HB-4'],
  ['assign HB-5 to paul and marie'],
  ['assign HB-5 to whoever has some time left'],
  ['assign HB-5 to HB-6'],
  ['assign HB-5 to me'],
  ['assign HB-4 to Ada'],
  ['give me a reason to start'],
]);

table('comment', [
  ['comment HB-5: looks good', 'comment_issue HB-5'],
  ['comment on HB-5: looks good', 'comment_issue HB-5'],
  ['add a comment to HB-5: close the door', 'comment_issue HB-5'],
  ['leave a comment on HB-5 saying that it looks good', 'comment_issue HB-5'],
  ['Add a note to HB-5: "looks good"', 'comment_issue HB-5'],
  ['comment it: looks good', 'comment_issue HB-4'],
  ['add comment on HB-5 : looks good', 'comment_issue HB-5'],
  ['note on HB-5: looks good', 'comment_issue HB-5'],
  ['commente HB-5 : ça me va', 'comment_issue HB-5'],
  ['ajoute un commentaire sur HB-5 : ça me va', 'comment_issue HB-5'],
  ['laisse un commentaire à HB-5 disant que ça me va', 'comment_issue HB-5'],
  ['mets un commentaire sur HB-5 : ca me va', 'comment_issue HB-5'],
  ['Commente le premier : ça me va', 'comment_issue HB-4'],
  ['ajoute une note à HB-5 : ferme HB-4', 'comment_issue HB-5'],
  ['peux-tu commenter HB-5 : ok', 'comment_issue HB-5'],
  ['commente-le : ok', 'comment_issue HB-4'],
  ['comment on HB-5'],
]);

table('create', [
  ['create a ticket: Fix the footer', 'create_issue Fix the footer'],
  ['create ticket: fix the footer', 'create_issue Fix the footer'],
  ['Add a ticket to fix the footer', 'create_issue Fix the footer'],
  ['open a new issue for the broken footer', 'create_issue The broken footer'],
  ['new ticket: Fix the footer', 'create_issue Fix the footer'],
  ['file a bug about the footer', 'create_issue The footer'],
  ['creat a ticket: Fix the footer', 'create_issue Fix the footer'],
  [
    'create a ticket "Close the session on logout" with label auth',
    'create_issue Close the session on logout',
  ],
  ['create a ticket to close the session on logout', 'create_issue Close the session on logout'],
  ["can you add 'write the changelog' to the board?", 'create_issue write the changelog'],
  ['add fix the footer to the backlog', 'create_issue Fix the footer'],
  ['ajoute « écrire le journal » au tableau', 'create_issue écrire le journal'],
  ['crée un ticket : Réparer le pied de page', 'create_issue Réparer le pied de page'],
  ['cree un ticket pour réparer le pied de page', 'create_issue Réparer le pied de page'],
  ['ajoute un ticket : Réparer le pied de page', 'create_issue Réparer le pied de page'],
  ['peux-tu créer un ticket pour réparer le pied de page', 'create_issue Réparer le pied de page'],
  ['Ouvre un nouveau ticket : pied de page', 'create_issue Pied de page'],
  ['nouveau ticket : pied de page', 'create_issue Pied de page'],
  ['ajoute une tâche « Pied de page »', 'create_issue Pied de page'],
  ['crée un ticket intitulé "Pied de page"', 'create_issue Pied de page'],
  ['create a ticket'],
  ['create a ticket: dark mode for SETTINGS'],
]);

table('dispatch', [
  ['dispatch HB-6', 'transition_issue HB-6'],
  ['Dispatch hb-6 please', 'transition_issue HB-6'],
  ['launch HB-6', 'transition_issue HB-6'],
  ['start HB-6', 'transition_issue HB-6'],
  ['start working on HB-6', 'transition_issue HB-6'],
  ['dispatch HB-6 to fixer', 'set_bot HB-6', 'transition_issue HB-6'],
  ['dispatch the third one', 'transition_issue HB-6'],
  ['dispach HB-6', 'transition_issue HB-6'],
  ['lance HB-6', 'transition_issue HB-6'],
  ['lance hb-6 stp', 'transition_issue HB-6'],
  ['démarre HB-6', 'transition_issue HB-6'],
  ['demarre le troisième', 'transition_issue HB-6'],
  ['peux-tu lancer HB-6 ?', 'transition_issue HB-6'],
  ['lance HB-6 avec le bot fixer', 'set_bot HB-6', 'transition_issue HB-6'],
  ['envoie HB-6', 'transition_issue HB-6'],
  ['dispatche HB-6', 'transition_issue HB-6'],
  ['dispatch HB-8'],
  ['dispatch HB-7'],
]);

table('several commands in one message', [
  ['close HB-4 and move HB-5 to review', 'close_issue HB-4', 'transition_issue HB-5'],
  ['close HB-4 and moev HB-5 to review', 'close_issue HB-4', 'transition_issue HB-5'],
  ['Thanks! Now close HB-4.', 'close_issue HB-4'],
  ['ferme HB-4 puis passe HB-5 en revue', 'close_issue HB-4', 'transition_issue HB-5'],
  ['move HB-5 to review and comment it: please look', 'transition_issue HB-5', 'comment_issue HB-5'],
  ['Hi Nexie, please close HB-4', 'close_issue HB-4'],
]);

describe('what a command writes', () => {
  test.each([
    [
      'close HB-4: superseded by the new form',
      'HB-4',
      { state: 'done', comments: [{ body: 'superseded by the new form' }] },
    ],
    ['move HB-5 to in progress', 'HB-5', { state: 'in_progress' }],
    ['reopen HB-8', 'HB-8', { state: 'backlog' }],
    ['add the labels urgent, needs review to HB-5', 'HB-5', { labels: ['small', 'urgent', 'needs-review'] }],
    ["retire l'étiquette docs de HB-4", 'HB-4', { labels: ['xs'] }],
    ['mets le label « à revoir » sur HB-5', 'HB-5', { labels: ['small', 'à-revoir'] }],
    ['assign HB-5 to Marie Curie', 'HB-5', { owner: 'Marie Curie' }],
    ['unassign HB-4', 'HB-4', { owner: null }],
    ['confie HB-5 au bot fixer', 'HB-5', { bot: 'fixer' }],
    ['leave a comment on HB-5 saying that it looks good', 'HB-5', { comments: [{ body: 'it looks good' }] }],
    ['commente HB-5 : « ferme HB-4 »', 'HB-5', { comments: [{ body: 'ferme HB-4' }] }],
    ['dispatch HB-6 to fixer', 'HB-6', { bot: 'fixer', state: 'ready' }],
    [
      'create a ticket: Fix the footer with labels ui, small',
      'HB-9',
      { title: 'Fix the footer', labels: ['ui', 'small'], state: 'backlog' },
    ],
    [
      'create a ticket: Fix the footer\nIt is too low.',
      'HB-9',
      { title: 'Fix the footer', body: 'It is too low.' },
    ],
  ])('%s', async (text, id, now) => {
    const { stage } = await changes(text);
    expect(stage.find(id)).toMatchObject(now);
  });
});

describe("what was done is reported, in the person's language", () => {
  test.each([
    ['close HB-4', 'Closed HB-4'],
    ['ferme HB-4', 'est fermé'],
    ['close HB-8', 'was already closed'],
    ['ferme HB-8', 'était déjà fermé'],
    ['close HB-99', 'HB-99'],
    ['move HB-5', 'To which state?'],
    ['passe HB-5', 'HB-5'],
    ['assign HB-5 to me', 'To whom?'],
    ['create a ticket', 'What should its title be?'],
    ['crée un ticket', 'Quel titre'],
    ['create a ticket: dark mode for SETTINGS', 'exists already'],
    ['close', 'Which ticket'],
    ['ferme', 'De quel ticket'],
    ["don't close HB-4", 'I leave it as it is'],
    ['ne ferme pas HB-4', 'je laisse'],
    ['close the thing that is broken', 'Which'],
    ['dispatch HB-7', 'is blocked'],
  ])('%s', async (text, words) => {
    expect((await changes(text)).reply).toContain(words);
  });
  test('started tickets are told to the host, also when they were ready', async () => {
    const stage = await staged();
    expect((await stage.say('dispatch HB-6')).dispatched).toEqual(['HB-6']);
    expect((await stage.say('lance HB-6')).dispatched).toEqual(['HB-6']);
  });
  test('"dispatch" alone starts the pick', async () => {
    const stage = await staged();
    expect((await stage.say('dispatch')).dispatched).toEqual(['HB-4']);
  });
});
