import type { Handing } from './handing.ts';
import type { Keeping } from './keeping.ts';
import type { Review } from './review.ts';
import type { Running } from './running.ts';

/*
 * The commands of the composer. A line that begins with a slash is a command or an error and never a message; two
 * slashes send the rest as a message that begins with one.
 */

/** What commands may do to the console. */
export interface Commander {
  /** What names, keeps and ends conversations. */
  readonly keeping: Pick<Keeping, 'rename' | 'bot' | 'pin' | 'rules' | 'reset' | 'close' | 'restore'>;
  /** What shows more of what is under review. */
  readonly review: Pick<Review, 'version' | 'diff'>;
  /** What shows the run and acts on it. */
  readonly running: Pick<Running, 'run'>;
  /** What chooses files for the next message. */
  readonly handing: Pick<Handing, 'attach' | 'detach'>;
  create(title: string | null): Promise<void>;
  /** Opens the picker. */
  pick(): Promise<void>;
  /** `name` is an id, the beginning of one, or a whole title. */
  open(name: string): Promise<void>;
  interrupt(): Promise<void>;
  help(): void;
  quit(): void;
}

/** One command of the composer. */
export interface Command {
  readonly name: string;
  /** How its argument is written in the help; `null` when it takes none. */
  readonly argument: string | null;
  /** Each space of its argument counts, as in the name of a file. */
  readonly exact?: true;
  readonly help: string;
  run(to: Commander, argument: string): Promise<void> | void;
}

/** All of them, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'new',
    argument: '[title]',
    help: 'start another conversation',
    run: (to, argument) => to.create(argument === '' ? null : argument),
  },
  {
    name: 'conversation',
    argument: '[id]',
    help: 'choose another conversation, or open the one named',
    run: (to, argument) => (argument === '' ? to.pick() : to.open(argument)),
  },
  {
    name: 'attach',
    argument: '[[name=]file]',
    exact: true,
    help: 'have a file go with your next message, as an attachment of the bot where a name is given; alone, list them',
    run: (to, argument) => to.handing.attach(argument),
  },
  {
    name: 'detach',
    argument: '[number]',
    help: 'leave out what is attached, or the one of that number',
    run: (to, argument) => to.handing.detach(argument),
  },
  {
    name: 'rename',
    argument: 'title',
    help: 'give this conversation another title',
    run: (to, argument) => to.keeping.rename(argument),
  },
  {
    name: 'bot',
    argument: 'name',
    help: 'give this conversation another bot, by its name or the path of a bundle',
    run: (to, argument) => to.keeping.bot(argument),
  },
  {
    name: 'pin',
    argument: null,
    help: 'keep this conversation whatever its age, or no longer',
    run: to => to.keeping.pin(),
  },
  {
    name: 'rules',
    argument: '[number]',
    help: 'list what you allowed or denied for good here, or take one of it back',
    run: (to, argument) => to.keeping.rules(argument),
  },
  {
    name: 'reset',
    argument: null,
    help: 'begin this conversation anew',
    run: to => to.keeping.reset(),
  },
  {
    name: 'close',
    argument: null,
    help: 'move this conversation into the trash',
    run: to => to.keeping.close(),
  },
  {
    name: 'restore',
    argument: '[id]',
    help: 'bring back the latest of the trash, or the one named',
    run: (to, argument) => to.keeping.restore(argument),
  },
  {
    name: 'version',
    argument: '[number]',
    help: 'show another version of what is under review, or any, as plan@2',
    run: (to, argument) => to.review.version(argument),
  },
  {
    name: 'diff',
    argument: '[number]',
    help: 'show what changed in what is under review since that version, or the one before',
    run: (to, argument) => to.review.diff(argument),
  },
  {
    name: 'run',
    argument: '[pause | resume | cancel | raise …]',
    help: 'show the run in figures, or act on it, as raise burst cost 5',
    run: (to, argument) => to.running.run(argument),
  },
  {
    name: 'stop',
    argument: null,
    help: 'stop what is under review, else interrupt the turn that runs',
    run: to => to.interrupt(),
  },
  { name: 'help', argument: null, help: 'show this list', run: to => to.help() },
  { name: 'quit', argument: null, help: 'leave; the work goes on', run: to => to.quit() },
];

/** What a line from the composer is. */
export type Line =
  | { readonly is: 'message'; readonly text: string }
  | { readonly is: 'command'; readonly command: Command; readonly argument: string }
  /** A sentence for the person; nothing is sent. */
  | { readonly is: 'wrong'; readonly why: string };

/** Reads what was typed. A block of several lines is always a message. */
export function readLine(text: string): Line {
  if (text.startsWith('//')) return { is: 'message', text: text.slice(1) };
  if (!text.startsWith('/') || text.includes('\n')) return { is: 'message', text };
  const word = /^\S*/.exec(text.slice(1))?.[0] ?? '';
  const typed = text.slice(1 + word.length).trim();
  const command = COMMANDS.find(one => one.name === word.toLowerCase());
  if (command === undefined) {
    return {
      is: 'wrong',
      why: `There is no command /${word}; /help lists them. Begin with // to send it as a message.`,
    };
  }
  const argument = command.exact === true ? typed : typed.replaceAll(/\s+/g, ' ');
  if (command.argument === null && argument !== '') {
    return { is: 'wrong', why: `/${command.name} takes no argument. Begin with // to send it as a message.` };
  }
  return { is: 'command', command, argument };
}

/** What is typed at a review; every action of the card is a command by its name too. */
const REVIEW: readonly (readonly [string, string])[] = [
  ['/confirm', 'confirm the version shown; with words it is a revision'],
  ['/revise words', 'have what is shown drafted anew'],
  ['/change words', 'have what it was made from drafted anew'],
  ['ok, yes, oui…', 'alone: what the card says that a plain "ok" means'],
];

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send'],
  ['Shift-Enter, Alt-Enter or \\ Enter', 'a new line'],
  ['A number, then Enter', 'send a quick reply'],
  ['A number or arrows, then Enter', 'choose an answer'],
  ['PageUp, PageDown, wheel', 'look back'],
  ['Ctrl-C', 'clear the composer; twice when it is empty, quit'],
];

/** The help, as text. */
export function helpText(): string {
  const commands = COMMANDS.map(
    one => `/${one.name}${one.argument === null ? '' : ` ${one.argument}`}: ${one.help}`,
  );
  const lines = (rows: typeof KEYS): string[] => rows.map(([key, does]) => `${key}: ${does}`);
  return ['Commands', ...commands, 'At a review', ...lines(REVIEW), 'Keys', ...lines(KEYS)].join('\n');
}
