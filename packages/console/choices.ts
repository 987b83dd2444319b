import { type Component, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { GRANTS } from '@hearth/client/report.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { JsonSchema } from '@hearth/protocol/json.ts';
import { Json, JsonObject } from '@hearth/protocol/json.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { cleaned, oneLine } from './text.ts';
import type { Theme } from './theme.ts';

/*
 * The ways in which the shown pause can be answered, as a list. The list decides nothing by itself: numbers and
 * arrows only move in it, and Enter takes the row that the person has moved to. Enter on a list that nobody has touched
 * only asks for a second Enter, so that a key meant for something else, or for a list now gone, answers nothing.
 */

/** What a row leads to: a decision, or words that are yet to be typed. */
export type Way =
  | { readonly is: 'act'; readonly act: Act }
  /** `make` turns the typed words into a decision, or says in a sentence why it cannot. */
  | { readonly is: 'type'; readonly hint: string; readonly make: (text: string) => Act | string };

export interface Row {
  readonly label: string;
  readonly detail: string | null;
  /** `null` when the row is there to be seen but cannot be taken. */
  readonly way: Way | null;
}

function act(label: string, detail: string | undefined, chosen: Act): Row {
  return { label, detail: detail ?? null, way: { is: 'act', act: chosen } };
}

function typed(label: string, hint: string, make: (text: string) => Act | string): Row {
  return { label, detail: null, way: { is: 'type', hint, make } };
}

/** The name of the only text field of a schema; words for it need no JSON. */
function onlyTextField(schema: JsonSchema): string | null {
  const properties = JsonObject.safeParse(schema['properties']);
  const entries = properties.success ? Object.entries(properties.data) : [];
  const [only] = entries;
  if (only === undefined || entries.length > 1) return null;
  const field = JsonObject.safeParse(only[1]);
  return field.success && field.data['type'] === 'string' ? only[0] : null;
}

function withFields(schema: JsonSchema): (text: string) => Act | string {
  const only = onlyTextField(schema);
  return text => {
    if (only !== null) return { do: 'answer', fields: { [only]: text } };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'That is not JSON: type one object, as in {"name": "value"}.';
    }
    const fields = JsonObject.safeParse(value);
    return fields.success
      ? { do: 'answer', fields: fields.data }
      : 'That is not a JSON object: type one, as in {"name": "value"}.';
  };
}

function fieldsHint(schema: JsonSchema): string {
  const properties = JsonObject.safeParse(schema['properties']);
  const names = properties.success ? Object.keys(properties.data) : [];
  const only = onlyTextField(schema);
  if (only !== null) return `your ${only}`;
  return names.length === 0 ? 'a JSON object' : `a JSON object with ${names.join(', ')}`;
}

type Actions = Extract<Pause, { kind: 'card' }>['actions'];

function actionRows(actions: Actions): Row[] {
  return actions
    .filter(action => action.button)
    .map(action => {
      if (!action.enabled)
        return { label: action.label, detail: action.why ?? 'not possible now', way: null };
      if (action.needs === 'nothing') return act(action.label, undefined, { do: 'act', action: action.name });
      return typed(action.label, `your words for "${action.label}"`, feedback => ({
        do: 'act',
        action: action.name,
        feedback,
      }));
    });
}

/** The ways in which a pause can be answered, in the order in which they are shown. */
export function rowsOf(pause: Pause): readonly Row[] {
  switch (pause.kind) {
    case 'question': {
      const options = pause.options.map(one => act(one.label, one.detail, { do: 'answer', option: one.id }));
      if (pause.fields !== undefined)
        return [...options, typed('Type the data…', fieldsHint(pause.fields), withFields(pause.fields))];
      if (!pause.allowFreeText) return options;
      return [...options, typed('Type an answer…', 'your answer', text => ({ do: 'answer', text }))];
    }
    case 'recovery':
      return pause.choices.map(one => act(one.label, one.detail, { do: 'answer', option: one.id }));
    case 'permission':
      return GRANTS.map(grant => act(grant.label, undefined, { do: 'permit', grant: grant.id }));
    case 'input':
      return [
        typed('Type the data…', fieldsHint(pause.fields), withFields(pause.fields)),
        ...actionRows(pause.actions),
      ];
    case 'card':
      return actionRows(pause.actions);
    case 'chat':
      return [];
  }
}

/** At most this many rows have a number. */
const NUMBERED = 9;
/** Lines of the label of one row, and of its detail while one stands on it. */
const LINES = 3;

export type Pressed = 'up' | 'down' | 'enter' | number;

/** The list for the shown pause. */
export class Choices implements Component {
  readonly #theme: Theme;
  /** How many lines the list may take; at least one row is shown in any case. */
  readonly #room: () => number;
  #pause: Pause | null = null;
  #rows: readonly Row[] = [];
  #others = 0;
  #at = 0;
  /** The person has moved to a row of this very list. */
  #touched = false;
  #busy = false;
  /** The words are being typed in the composer. */
  #typing = false;

  constructor(theme: Theme, room: () => number = () => 20) {
    this.#theme = theme;
    this.#room = room;
  }

  get pause(): Pause | null {
    return this.#pause;
  }

  /** How many rows have a number. */
  get numbered(): number {
    return Math.min(NUMBERED, this.#rows.length);
  }

  /** Shows a pause, or nothing. `others` counts the open ones that wait behind it. */
  show(pause: Pause | null, others: number): void {
    this.#others = others;
    const before = this.#pause;
    this.#pause = pause;
    this.#rows = pause === null ? [] : rowsOf(pause);
    this.#at = Math.min(this.#at, Math.max(0, this.#rows.length - 1));
    const same = pause?.id === before?.id && JSON.stringify(matter(pause)) === JSON.stringify(matter(before));
    if (same) return;
    this.#at = 0;
    this.#touched = false;
    this.#busy = false;
  }

  /** While a decision is on its way nothing else can be chosen. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
  }

  setTyping(typing: boolean): void {
    this.#typing = typing;
  }

  /** What a key leads to, `null` when it decides nothing. */
  press(key: Pressed): Way | null {
    if (this.#busy || this.#rows.length === 0) return null;
    if (key === 'up' || key === 'down') {
      this.#at = (this.#at + (key === 'up' ? this.#rows.length - 1 : 1)) % this.#rows.length;
      this.#touched = true;
      return null;
    }
    if (key === 'enter') {
      if (this.#touched) return this.#rows[this.#at]?.way ?? null;
      this.#touched = true;
      return null;
    }
    if (key > this.numbered) return null;
    this.#at = key - 1;
    this.#touched = true;
    return null;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const pause = this.#pause;
    if (pause === null) return [];
    const { faint, name } = this.#theme;
    const more = this.#others === 0 ? '' : `, ${this.#others} more after it`;
    const head = name(truncateToWidth(`Answer ${pause.id}${more}`, width, '…'));
    const hint = wrapTextWithAnsi(cleaned(this.#hint(pause)), Math.max(1, width)).map(line => faint(line));
    const blocks = this.#rows.map((row, at) => this.#row(row, at, width));
    const shown = windowOf(blocks, this.#at, Math.max(1, this.#room() - 1 - hint.length));
    return [head, ...shown.flat(), ...hint];
  }

  /** A row, wrapped under itself; its detail is told in full where one stands. */
  #row(row: Row, at: number, width: number): readonly string[] {
    const { faint, accent } = this.#theme;
    const here = at === this.#at;
    const sign = `${here ? '›' : ' '} ${at < NUMBERED ? `${at + 1}` : ' '} `;
    const inner = Math.max(1, width - sign.length);
    const label = row.way === null ? `${oneLine(row.label)} (not now)` : oneLine(row.label);
    const style = row.way === null ? faint : here && this.#touched ? accent : (text: string) => text;
    const detail =
      row.detail === null || !here ? [] : wrapTextWithAnsi(oneLine(row.detail), inner).slice(0, LINES);
    const lines = [
      ...wrapTextWithAnsi(label, inner)
        .slice(0, LINES)
        .map(line => style(line)),
      ...detail.map(line => faint(line)),
    ];
    const indent = ' '.repeat(sign.length);
    return lines.map((line, index) => truncateToWidth(`${index === 0 ? sign : indent}${line}`, width, ''));
  }

  #hint(pause: Pause): string {
    if (this.#busy) return 'Sending your answer…';
    const queues = whatAMessageDoes(pause);
    const row = this.#rows[this.#at];
    if (this.#rows.length === 0) return `Nothing can be chosen here; ${queues}.`;
    if (this.#typing) return 'Enter sends this as the answer, Esc goes back.';
    if (this.#touched && row !== undefined)
      return `Enter chooses "${oneLine(row.label)}"; nothing else decides.`;
    return `Number or arrows, then Enter; ${queues}.`;
  }
}

/** What becomes of a plain message while the pause is open. */
function whatAMessageDoes(pause: Pause): string {
  if (pause.kind === 'recovery' && pause.cause === 'interrupted') {
    return 'a message typed now takes the work up again with those words';
  }
  return owes(pause)
    ? 'a message typed now waits until this is answered'
    : 'a message typed now goes on its way';
}

/** As many neighbouring blocks as have room, the one at `at` among them. */
function windowOf(
  blocks: readonly (readonly string[])[],
  at: number,
  room: number,
): readonly (readonly string[])[] {
  let from = at;
  let to = at + 1;
  let used = blocks[at]?.length ?? 0;
  for (;;) {
    const above = blocks[from - 1];
    const below = blocks[to];
    if (above !== undefined && used + above.length <= room) {
      from--;
      used += above.length;
    } else if (below !== undefined && used + below.length <= room) {
      to++;
      used += below.length;
    } else {
      return blocks.slice(from, to);
    }
  }
}

/** What a choice depends on: another version or other rows are another list. */
function matter(pause: Pause | null): unknown {
  return pause === null ? null : [rowsOf(pause), pause.kind === 'card' ? pause.shown : null];
}

/** Whether two decisions are the same, so that one that got no answer can be sent again under its id. */
export function sameAct(a: Act, b: Act): boolean {
  return JSON.stringify(Json.parse(a)) === JSON.stringify(Json.parse(b));
}
