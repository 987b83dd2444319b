import { Markdown, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Asked, Closed, Fate, Item, Recalled, Said, ToolLine, Tools } from '@hearth/client/item.ts';
import { fileWords } from '@hearth/client/file-words.ts';
import { titleOf } from '@hearth/client/card-words.ts';
import { isLaidOutEasily } from '@hearth/client/layout.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import { type CardPause, labelOf, type Pause } from '@hearth/protocol/pause.ts';
import type { Text } from '@hearth/protocol/text.ts';
import { speaker } from './speaker.ts';
import { cardLines } from './card-lines.ts';
import { cleaned, oneLine } from './text.ts';
import type { Style, Theme } from './theme.ts';
import type { Versions } from './versions.ts';

/*
 * One item of the transcript as lines that fit a width. Pure, and everything that came from outside is cleaned.
 */

/** What drawing needs besides the item. */
export interface Drawing {
  readonly theme: Theme;
  /** Whoever sits here. */
  readonly me: Actor;
  /** The whole text, or as much of it as is at hand. */
  readonly whole: (text: Text) => string;
  /** What is at hand of a version; see `Versions`. */
  readonly held: Versions['held'];
}

/** Finished steps above this number are folded into one line. */
const FOLD = 3;

/** Words under a name, indented by two columns and wrapped. */
function indented(text: string, width: number, style: Style = text => text): string[] {
  const inner = Math.max(1, width - 2);
  return wrapTextWithAnsi(cleaned(text).trimEnd(), inner).map(line => `  ${style(line)}`);
}

/** A sign and words after it, wrapped under themselves. */
function signed(sign: string, text: string, width: number, style: Style = text => text): string[] {
  const inner = Math.max(1, width - sign.length - 1);
  return wrapTextWithAnsi(cleaned(text).trimEnd(), inner).map(
    (line, at) => `${at === 0 ? style(sign) : ' '.repeat(sign.length)} ${style(line)}`,
  );
}

/** Words of a bot: Markdown under its name. What is no Markdown that a person reads is shown as it stands. */
export function markdownLines(text: string, width: number, theme: Theme): readonly string[] {
  const shown = cleaned(text);
  if (width < 8 || !isLaidOutEasily(shown)) return indented(text, width);
  try {
    return new Markdown(shown, 2, 0, theme.markdown, undefined, { renderLatex: false }).render(width);
  } catch {
    // The library gives some texts up in the midst, and a console that fell over them could never open them.
    return indented(text, width);
  }
}

const FATE: Record<Fate, string | null> = {
  queued: 'waits in the queue',
  delivered: 'handed to the running turn',
  consumed: null,
  absorbed: 'joined the running turn',
  cancelled: 'taken back',
  uncertain: 'it is not known whether this was read',
};

function said(item: Said, width: number, { theme, me, whole }: Drawing): string[] {
  const fate = item.fate === null ? null : FATE[item.fate];
  const note = fate === null ? [] : indented(`(${fate})`, width, theme.faint);
  const files = fileWords(item.files);
  const attached = files === '' ? [] : indented(files, width, theme.faint);
  return [theme.name(speaker(item.by, me)), ...indented(whole(item.text), width), ...attached, ...note];
}

const STEP: Record<ToolLine['change'], string> = {
  started: '…',
  completed: 'done',
  failed: 'failed',
  denied: 'denied',
};

function stepName(line: ToolLine): string {
  return oneLine(line.title ?? line.name);
}

function tools(item: Tools, width: number, { theme, whole }: Drawing): string[] {
  const settled = item.calls.every(line => line.change !== 'started');
  const good = item.calls.filter(line => line.change === 'completed');
  const folded = settled && good.length > FOLD;
  const drawn = folded ? item.calls.filter(line => line.change !== 'completed') : item.calls;
  const names = good.slice(-FOLD).map(stepName).join('; ');
  const head = folded ? signed('→', `${good.length} steps done, the last: ${names}`, width, theme.faint) : [];
  const lines = drawn.flatMap(line => {
    const style = line.change === 'failed' || line.change === 'denied' ? theme.error : theme.faint;
    const why =
      line.change === 'failed' && line.detail !== null
        ? `: ${oneLine(whole(line.detail)).slice(0, 200)}`
        : '';
    return signed('→', `${stepName(line)} (${STEP[line.change]})${why}`, width, style);
  });
  return [...head, ...lines];
}

const HEADS: { readonly [K in Pause['kind']]: string } = {
  chat: '',
  question: '? A question',
  card: '? For review',
  input: '? Data is needed',
  permission: '? May this be done',
  recovery: '! The work stopped',
};

/** What a pause says: its words, and of a permission the exact call. */
export function pauseText(pause: Pause, whole: Drawing['whole']): string {
  const text = whole(pause.text);
  if (pause.kind === 'permission')
    return `${text}\n${pause.call.tool} ${JSON.stringify(pause.call.args, null, 2)}`.trimStart();
  if (pause.kind === 'recovery')
    return [text, pause.detail].filter((part, at, all) => part !== '' && all.indexOf(part) === at).join('\n');
  return text;
}

const HOW = {
  answered: 'answered',
  acted: 'decided',
  cancelled: 'cancelled',
  superseded: 'no longer needed',
};

function asked(item: Asked, width: number, drawing: Drawing): string[] {
  const { pause, closed } = item;
  const lines =
    pause.kind === 'card'
      ? card(pause, closed === null, width, drawing)
      : [
          drawing.theme.name(`${HEADS[pause.kind]} (${pause.id})`),
          ...indented(pauseText(pause, drawing.whole), width),
        ];
  if (closed === null) return lines;
  const named = closed.option ?? closed.action ?? '';
  return [...lines, ...closing(closed, labelOf(pause, named) ?? named, width, drawing)];
}

/** The text of a card that was decided on is drawn as long as it is at hand, and not fetched for that. */
function card(pause: CardPause, open: boolean, width: number, { theme, held }: Drawing): string[] {
  const named = `${HEADS.card}: ${oneLine(titleOf(pause))}, version ${pause.shown.version} (${pause.id})`;
  return [
    ...wrapTextWithAnsi(named, Math.max(1, width)).map(line => theme.name(line)),
    ...cardLines(pause, held(pause.shown, !open), open, width, theme),
  ];
}

function closing(closed: Closed, label: string, width: number, { theme, me, whole }: Drawing): string[] {
  const parts = [label, closed.text === null ? '' : whole(closed.text)];
  const what = parts.filter(part => part !== '').join(': ');
  const mark = `${HOW[closed.how]}${what === '' ? '' : ` "${oneLine(what)}"`} by ${speaker(closed.by, me)}`;
  return signed('  =', mark, width, theme.faint);
}

function recalled(item: Recalled, width: number, drawing: Drawing): string[] {
  const { kind, pause, text, closed } = item;
  const named: Readonly<Record<string, string>> = HEADS;
  const words = [
    drawing.theme.name(`${named[kind] ?? '? A question'} (${pause})`),
    ...indented(drawing.whole(text), width),
  ];
  return closed === null ? words : [...words, ...closing(closed, closed.option ?? '', width, drawing)];
}

/** The lines of an item, none wider than `width`. */
export function itemLines(item: Item, width: number, drawing: Drawing): readonly string[] {
  const { theme, me, whole } = drawing;
  switch (item.is) {
    case 'said':
      return said(item, width, drawing);
    case 'replied':
      return [theme.name(speaker(item.by, me)), ...markdownLines(whole(item.text), width, theme)];
    case 'narrated':
      return signed('·', whole(item.text), width, theme.faint);
    case 'tools':
      return tools(item, width, drawing);
    case 'asked':
      return asked(item, width, drawing);
    case 'recalled':
      return recalled(item, width, drawing);
    case 'told':
      return noticeLines(item.severity, item.text, width, theme);
  }
}

/** One line about what happened, from the service or from the console itself. */
export function noticeLines(
  severity: 'info' | 'warning' | 'error',
  text: string,
  width: number,
  theme: Theme,
): string[] {
  if (severity === 'info') return signed('-', text, width, theme.faint);
  return signed('!', `${severity}: ${text}`, width, severity === 'error' ? theme.error : theme.warning);
}
