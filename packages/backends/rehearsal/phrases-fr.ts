import type { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardTicket } from './board-reading.ts';
import type { Phrases } from './phrases.ts';
import { joined, oneLine } from './phrases-en.ts';
import { translated } from './tool-errors.ts';

type Named = Pick<BoardTicket, 'id' | 'title'>;

const states: Readonly<Record<TicketState, string>> = {
  inbox: 'à trier',
  backlog: 'backlog',
  ready: 'prêt',
  in_progress: 'en cours',
  awaiting_input: 'en attente de réponse',
  review: 'en revue',
  done: 'terminé',
  blocked: 'bloqué',
};

const named = (ticket: Named) => `${ticket.id} «\u00a0${oneLine(ticket.title)}\u00a0»`;
const count = (n: number, noun: string) => `${n} ${noun}${n < 2 ? '' : 's'}`;

/** French. */
export const fr: Phrases = {
  states,
  named,
  list: parts => joined(parts, 'et'),
  item: (ticket, detail) => `${named(ticket)} : ${detail}`,
  row: (ticket, detail) => `${named(ticket)} (${states[ticket.state]}) : ${detail}`,
  intro: "Répétition : aucun modèle n'est configuré.",
  readingBoard: 'Je lis le tableau.',
  readingHistory: "Je lis l'historique git.",
  changingBoard: 'Je modifie le tableau.',

  notGranted: tool => `Ce bot n'a pas le droit d'utiliser ${tool}, je ne peux donc pas le faire ici.`,
  noTicket: id => `Il n'y a pas de ticket ${id} sur ce tableau.`,
  toolError: translated,
  refused: why => `Le tableau a refusé : ${why}`,
  boardUnread: why => `Je ne peux pas lire le tableau : ${why}`,
  damaged: files => `Illisible et laissé de côté : ${files.join(', ')}.`,
  emptyBoard:
    'Le tableau est vide. Importez une liste à cocher ou du JSON avec `hearth board import FILE`, ou dites «\u00a0crée un ticket : …\u00a0».',
  allDone: 'Tous les tickets du tableau sont terminés.',

  greeting: (open, byState, done) =>
    `Le tableau compte ${open} ticket${open < 2 ? '' : 's'} ouvert${open < 2 ? '' : 's'} (${byState})${done === 0 ? '' : ` et ${done} terminé${done < 2 ? '' : 's'}`}.`,
  recommend: (ticket, reasons) => `Je prendrais ensuite ${named(ticket)} : ${reasons}.`,
  nothingFree: "Aucun ticket ouvert n'est libre : les autres sont en cours ou bloqués.",

  reason: reason => {
    switch (reason.is) {
      case 'size_label':
        return `il porte l'étiquette «\u00a0${reason.label}\u00a0»`;
      case 'priority_label':
        return `il porte l'étiquette «\u00a0${reason.label}\u00a0»`;
      case 'small_word':
        return `il dit «\u00a0${reason.word}\u00a0»`;
      case 'no_size':
        return 'aucune taille donnée (un pari)';
      case 'unblocked':
        return 'rien ne le bloque';
      case 'ready':
        return 'il est prêt';
      case 'in_review':
        return "il n'attend plus qu'une relecture";
    }
  },
  shortlist: (aim, n, guesses) =>
    aim === 'quick_win'
      ? guesses === n
        ? `Aucun ticket libre ne se dit petit ; ${n === 1 ? 'mon pari' : `mes ${n} paris`} :`
        : guesses > 0
          ? `${count(n - guesses, 'quick win')}, et ${count(guesses, 'pari')} :`
          : n === 1
            ? 'Un seul ticket est un quick win :'
            : `Les ${n} tickets les plus pertinents pour un quick win :`
      : n === 1
        ? 'Un seul ticket est libre :'
        : `Les ${n} tickets que je prendrais ensuite :`,
  pick: (ticket, reasons) => `Mon choix est ${ticket.id} : ${reasons}.`,
  noQuickWin: "Aucun ticket ouvert n'est à la fois petit et libre de tout blocage.",
  insteadNext: (ticket, reasons) => `Le plus proche est ${named(ticket)} : ${reasons}.`,
  noneRead: (read, unread) =>
    `Aucun des ${read} tickets les plus probables n'est libre, et je n'en ai pas lu ${unread} de plus.`,
  unread: n =>
    n === 1
      ? "Je n'ai pas lu un autre candidat ; je n'en dis donc rien."
      : `Je n'ai pas lu ${n} autres candidats ; je n'en dis donc rien.`,
  someLookDone: n =>
    n === 1
      ? "Un autre semble déjà fait d'après l'historique git ; demandez-moi quels tickets sont obsolètes."
      : `${n} autres semblent déjà faits d'après l'historique git ; demandez-moi quels tickets sont obsolètes.`,

  listHead: (n, what) => (n === 0 ? `Aucun ticket ${what}.` : `${count(n, 'ticket')} ${what} :`),
  listOpen: n => (n < 2 ? 'ouvert' : 'ouverts'),
  listState: state => `à l’état «\u00a0${states[state]}\u00a0»`,
  listLabel: label => `avec l'étiquette «\u00a0${label}\u00a0»`,
  listUnowned: 'sans responsable',
  listOwner: owner => `de ${owner}`,
  listAbout: about => `avec «\u00a0${about}\u00a0» dans le titre`,
  among: what => `Seulement parmi les tickets ${what} :`,
  cannotFilter: by => `Je ne sais pas restreindre une liste par «\u00a0${by}\u00a0» ; la voici entière.`,
  listMore: n => `… et ${n} de plus.`,

  sweepNone: commits =>
    `Je ne trouve aucun ticket obsolète : ${
      commits === 1 ? 'le seul commit' : `aucun des ${commits} derniers commits`
    } ne nomme un ticket ouvert comme fait ni n'en partage assez de mots parlants.`,
  sweepNoHistory: why =>
    `Je ne dis un ticket obsolète qu'avec un commit pour preuve, et je n'en ai pas : ${why}`,
  sweepNoCommits: "l'historique git est vide.",
  sweepHead: n => (n === 1 ? 'Un ticket semble déjà fait :' : `${n} tickets semblent déjà faits :`),
  sweepOthers: "Aucun de ceux que j'ai listés en dernier ; sur le reste du tableau :",
  noEvidence: id => `aucun commit ne montre que ${id} est fait`,
  standing: (ticket, detail) =>
    `${named(ticket)} : ${states[ticket.state]}${detail === null ? '' : ` ; ${detail.replace(/\.$/, '')}`}.`,
  evidence: (commit, words, id) =>
    `le commit ${commit.short} «\u00a0${oneLine(commit.subject)}\u00a0» (${commit.date.slice(0, 10)}) ${
      words.length === 0 ? `nomme ${id}` : `partage ${words.map(word => `«\u00a0${word}\u00a0»`).join(', ')}`
    }`,
  evidenceComment: evidence => `Obsolète : ${evidence}.`,
  sweepOffer: n =>
    n === 1
      ? 'Je ne le ferme que si vous le dites, avec la preuve en commentaire.'
      : 'Je ne les ferme que si vous le dites, avec la preuve en commentaire.',

  show: ticket =>
    [
      `${named(ticket)} : ${states[ticket.state]}`,
      ticket.labels.length === 0 ? '' : `étiquettes ${ticket.labels.join(', ')}`,
      ticket.owner === null ? '' : `responsable ${ticket.owner}`,
      ticket.bot === null ? '' : `bot ${ticket.bot}`,
    ]
      .filter(part => part !== '')
      .join(' ; '),
  lastComment: body => `Dernier commentaire : ${oneLine(body)}`,

  which: 'De quel ticket parlez-vous ? Nommez-le, par exemple HB-4.',
  whichOf: tickets => `Plusieurs tickets correspondent : ${joined(tickets.map(named), 'et')}. Lequel ?`,
  notUnderstood: part => `Je n'ai pas compris : «\u00a0${oneLine(part)}\u00a0».`,
  needTitle: 'Quel titre lui donner ? Dites «\u00a0crée un ticket : …\u00a0».',
  needState: `Vers quel état ? ${Object.values(states).join(', ')}.`,
  needLabel: 'Quelle étiquette ? Dites «\u00a0étiquette HB-4 bug\u00a0».',
  needOwner: 'À qui ? Je ne connais pas votre nom ; dites «\u00a0assigne HB-4 à NOM\u00a0».',
  needComment: id => `Que doit dire le commentaire sur ${id} ? Dites «\u00a0commente ${id} : …\u00a0».`,
  needStart: 'Quel ticket faut-il lancer ? Nommez-le, par exemple HB-4.',
  needNames: "Nommez les tickets un par un, pour que rien d'autre ne soit touché.",

  did: (act, ticket) => {
    switch (act.do) {
      case 'create':
        return `${named(ticket)} est créé.`;
      case 'move':
        return `${named(ticket)} est maintenant : ${states[act.to]}.`;
      case 'close':
        return `${named(ticket)} est fermé${act.comment === undefined ? '' : ', avec la raison en commentaire'}.`;
      case 'label':
        return `${named(ticket)} : ${[
          ...act.add.map(label => `étiquette «\u00a0${label}\u00a0» ajoutée`),
          ...act.remove.map(label => `étiquette «\u00a0${label}\u00a0» retirée`),
        ].join(', ')}.`;
      case 'assign':
        return act.owner === ''
          ? `${named(ticket)} n'a plus de responsable.`
          : `${named(ticket)} est maintenant à ${act.owner}.`;
      case 'bot':
        return act.bot === ''
          ? `${named(ticket)} n'a plus de bot.`
          : `${named(ticket)} est confié au bot ${act.bot}.`;
      case 'comment':
        return `${named(ticket)} est commenté.`;
      case 'dispatch':
        return `${named(ticket)} est prêt${act.bot === undefined ? '' : ` pour le bot ${act.bot}`} ; je le suis.`;
    }
  },
  already: (act, ticket) => {
    switch (act.do) {
      case 'create':
        return `${named(ticket)} existe déjà ; je n'ai rien créé.`;
      case 'move':
        return `${named(ticket)} était déjà : ${states[act.to]}.`;
      case 'close':
        return `${named(ticket)} était déjà fermé.`;
      case 'label':
        return `${named(ticket)} a déjà ces étiquettes.`;
      case 'assign':
        return act.owner === ''
          ? `${named(ticket)} n'avait déjà pas de responsable.`
          : `${named(ticket)} était déjà à ${act.owner}.`;
      case 'bot':
        return act.bot === ''
          ? `${named(ticket)} n'avait déjà pas de bot.`
          : `${named(ticket)} avait déjà le bot ${act.bot}.`;
      case 'comment':
        return `${named(ticket)} a déjà ce commentaire.`;
      case 'dispatch':
        return `${named(ticket)} était déjà prêt ; je le suis.`;
    }
  },
  notFrom: (ticket, is, from) =>
    `${named(ticket)} est à l'état «\u00a0${states[is]}\u00a0» et non «\u00a0${states[from]}\u00a0», je n'y ai donc pas touché.`,
  notDispatched: (ticket, state) =>
    `${named(ticket)} est à l'état «\u00a0${states[state]}\u00a0», je ne l'ai donc pas lancé ; déplacez-le d'abord.`,
  will: (act, ticket) => {
    switch (act.do) {
      case 'create':
        return `créer «\u00a0${oneLine(act.title)}\u00a0»`;
      case 'move':
        return `passer ${named(ticket)} à l'état «\u00a0${states[act.to]}\u00a0»`;
      case 'close':
        return `fermer ${named(ticket)}${act.comment === undefined ? '' : ` (commentaire : ${act.comment})`}`;
      case 'label':
        return `${named(ticket)} : ${[...act.add.map(label => `ajouter «\u00a0${label}\u00a0»`), ...act.remove.map(label => `retirer «\u00a0${label}\u00a0»`)].join(', ')}`;
      case 'assign':
        return act.owner === ''
          ? `retirer le responsable de ${named(ticket)}`
          : `assigner ${named(ticket)} à ${act.owner}`;
      case 'bot':
        return act.bot === ''
          ? `retirer le bot de ${named(ticket)}`
          : `confier ${named(ticket)} au bot ${act.bot}`;
      case 'comment':
        return `commenter ${named(ticket)} : ${oneLine(act.body)}`;
      case 'dispatch':
        return `lancer ${named(ticket)}`;
    }
  },
  askHead: n => (n === 1 ? 'Dois-je faire ceci ?' : `Dois-je faire ces ${n} choses ?`),
  noDeletion: 'Un ticket ne se supprime jamais ; le plus proche est de le fermer.',
  only: what => `Seulement : ${what}`,
  yesOne: what => `Oui : ${what}`,
  yesAll: (n, ids) => `Oui, les ${n} : ${ids}`,
  no: 'Non, ne rien changer',
  bulkRest: n => `Je n'en fais pas plus à la fois ; il en reste ${n}.`,
  cannotAsk:
    "Il faudrait d'abord que je demande, et je ne peux pas demander ici ; je n'ai donc rien changé. Nommez chaque ticket séparément pour le faire.",
  leftAlone: "Rien n'a été changé.",
  answerLost: "Je ne sais plus à quoi répondait ce choix ; rien n'a été changé. Redites-le, s'il vous plaît.",
  noSuchTickets: "Aucun ticket ouvert ne correspond ; rien n'a été changé.",

  standby: 'Entendu. Je reste là ; le tableau garde tout.',
  leave: 'Entendu, je laisse les choses ainsi.',
  end: 'Je termine cette session.',
  kept: 'Le tableau garde tout.',
  endUnsure:
    'La session reste ouverte ; je ne la termine que si vous dites juste : «\u00a0termine la session\u00a0».',
  retracted:
    "Une partie de ceci en reprend une autre ; rien n'a été fait. Que voulez-vous dire ? Dites seulement cela.",
  alternatives: "Vous nommez plusieurs possibilités ; rien n'a été fait. Laquelle voulez-vous ?",
  onlyNow: 'Je ne sais pas attendre un moment donné ; je ne peux le faire que maintenant.',
  unknown: "Ce n'est qu'une répétition, et je n'ai pas compris. Je connais des demandes comme celles-ci :",
  help: "C'est une répétition : aucun modèle ne répond. Je connais des demandes comme celles-ci :",
  examples: [
    '«\u00a0quels tickets pour un quick win ?\u00a0»',
    '«\u00a0y a-t-il des tickets obsolètes ?\u00a0»',
    '«\u00a0montre HB-4\u00a0»',
    '«\u00a0crée un ticket : …\u00a0»',
    '«\u00a0passe HB-4 en revue\u00a0»',
    '«\u00a0ferme HB-4 parce que …\u00a0»',
    '«\u00a0lance HB-4\u00a0»',
  ],
  cut: read => `C'est long : je n'ai lu que les ${read} premiers caractères ; le reste est laissé de côté.`,
  tooLong:
    "Je n'exécute rien d'un message que je ne peux pas lire en entier, car sa fin peut reprendre ce que dit son début : envoyez l'ordre seul.",
  heard: text => `C'est une répétition. J'ai entendu : «\u00a0${text}\u00a0»`,
  heardNothing: "C'est une répétition ; aucun modèle n'est configuré. Dites quelque chose et je le répète.",
  otherBot: "C'est une répétition : aucun modèle n'est configuré.",

  documents: {
    task: 'FAIRE ce que la personne a demandé',
    follow: "SUIVRE l'interprétation confirmée ligne par ligne",
    wishes: 'RESPECTER ce que la personne a dit de la manière de faire',
    tell: "DIRE dans le résultat que c'était une répétition",
    change: "MODIFIER comme la personne l'a demandé",
    drafted: "Répétition : aucun modèle n'est configuré, vos mots sont donc notés tels quels.",
    smallTalk: "C'est une répétition. Dites ce que vous voulez, et je le note pour que vous le confirmiez.",
    announced:
      "Vous avez dit que vous donneriez quelque chose pour cela. Donnez-le maintenant, s'il vous plaît.",
    given: 'PRENDRE ce qui a été fourni',
    result:
      "C'est une répétition : aucun modèle n'est configuré, rien n'a donc été élaboré. Voici ce qui a été confirmé :",
    stated: "CONSTATER que c'est une répétition et que rien n'a été élaboré pour",
    noted: "NOTER qu'il faut un modèle pour un résultat",
  },

  chips: {
    shortlist: 'Quels tickets pour un quick win ?',
    next: 'Que faire ensuite ?',
    sweep: 'Y a-t-il des tickets obsolètes ?',
    list: 'Liste les tickets ouverts',
    closeObsolete: 'Ferme les tickets obsolètes',
    dispatch: id => `Lance ${id}`,
    show: id => `Montre ${id}`,
  },
};
