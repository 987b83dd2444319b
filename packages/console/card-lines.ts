import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import {
  assentWords,
  changeWords,
  findingWords,
  fromWords,
  keptWords,
  lineCount,
  titleOf,
  versionWords,
} from '@hearth/client/card-words.ts';
import type { ArtifactAnswer, ArtifactChanges, Finding } from '@hearth/protocol/artifact.ts';
import type { CardPause } from '@hearth/protocol/pause.ts';
import { headOf } from '@hearth/protocol/text.ts';
import { cleaned, oneLine } from './text.ts';
import type { Style, Theme } from './theme.ts';
import type { Held } from './versions.ts';

/*
 * A card as lines: what it is, then the body behind a rule at its side, then what was found in it. The rule marks what is
 * confirmed: whatever stands outside of it is said by the host. Pure.
 */

/** Below this many columns a line has no room for anything beside its words. */
const NARROW = 24;

function wrapped(text: string, width: number, sign: string, style: Style = one => one): string[] {
  const inner = Math.max(1, width - sign.length);
  return wrapTextWithAnsi(text, inner).map(line => `${sign}${style(line)}`);
}

/** The body exactly as it is, line by line; a line that is too long goes on below itself, as far in as it begins. */
export function bodyLines(body: string, width: number, theme: Theme): string[] {
  const rule = width < NARROW ? '' : `  ${theme.faint('│')} `;
  const room = Math.max(1, width - (rule === '' ? 0 : 4));
  return cleaned(body)
    .trimEnd()
    .split('\n')
    .flatMap(line => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      const kept = Math.min(indent, Math.floor(room / 2));
      const words = wrapTextWithAnsi(line.slice(indent), Math.max(1, room - kept - 2));
      return words.map((part, at) => `${rule}${' '.repeat(at === 0 ? kept : kept + 2)}${part}`);
    });
}

/** What was found in a version, by its severity in words and colour; nothing when nothing was. */
export function findingLines(findings: readonly Finding[], width: number, theme: Theme): string[] {
  if (findings.length === 0) return [];
  const style = (one: Finding): Style =>
    one.severity === 'error' ? theme.error : one.severity === 'warning' ? theme.warning : theme.faint;
  return [
    ...wrapped('Found in it:', width, '  '),
    ...findings.flatMap(one => wrapped(`- ${oneLine(findingWords(one))}`, width, '  ', style(one))),
  ];
}

function heldLines(held: Held | null, width: number, theme: Theme): string[] {
  if (held === null) return [];
  if (held.is === 'coming') return wrapped('Reading the text…', width, '  ', theme.faint);
  if (held.is === 'failed')
    return wrapped(`error: The text could not be read: ${oneLine(held.why)}`, width, '  ', theme.error);
  return bodyLines(held.version.body, width, theme);
}

/** What a card says below its heading; `held` is what is at hand of the version shown. */
export function cardLines(
  pause: CardPause,
  held: Held | null,
  open: boolean,
  width: number,
  theme: Theme,
): string[] {
  const faint = (text: string): string[] =>
    text === '' ? [] : wrapped(oneLine(text), width, '  ', theme.faint);
  const said = headOf(pause.text);
  const feedback = held?.is === 'here' ? held.version.feedback : null;
  const above = [
    ...(open ? faint(versionWords(pause)) : []),
    ...faint(fromWords(pause)),
    ...(feedback === null ? [] : faint(`asked for with: “${feedback}”`)),
    ...(said === '' || said === titleOf(pause) ? [] : wrapped(cleaned(said).trimEnd(), width, '  ')),
  ];
  const body = heldLines(held, width, theme);
  const earlier = pause.earlier.at(-1);
  const below = open
    ? [
        ...faint(keptWords(pause)),
        ...findingLines(pause.findings, width, theme),
        ...(earlier === undefined
          ? []
          : faint(`/diff shows what changed, /version ${earlier} the one before.`)),
        ...faint(assentWords(pause)),
      ]
    : [];
  return [...above, ...(body.length === 0 ? [] : ['', ...body, '']), ...below];
}

/** A version that somebody asked to see. */
export function versionLines(version: ArtifactAnswer, width: number, theme: Theme): string[] {
  const made =
    version.madeBy.model === null ? version.madeBy.node : `${version.madeBy.node}, ${version.madeBy.model}`;
  const head = `${version.ref.artifact} version ${version.ref.version}, made by ${made}, ${version.at}`;
  return [
    ...wrapped(oneLine(head), width, '', theme.name),
    ...(version.feedback === null
      ? []
      : wrapped(oneLine(`asked for with: “${version.feedback}”`), width, '  ', theme.faint)),
    ...bodyLines(version.body, width, theme),
    ...findingLines(version.findings, width, theme),
  ];
}

/** What changed, with `+` and `-` before the lines, so that no colour says it alone. */
export function changeLines(name: string, changes: ArtifactChanges, width: number, theme: Theme): string[] {
  const { lines } = changes;
  const head = `${name}: ${changeWords(changes)}`;
  return [
    ...wrapped(oneLine(head), width, '', theme.name),
    ...lines.flatMap(line => {
      if (line.is === 'left') return wrapped(`  … ${lineCount(line.lines)} the same`, width, '', theme.faint);
      const sign = line.is === 'added' ? '+ ' : line.is === 'removed' ? '- ' : '  ';
      const style = line.is === 'same' ? theme.faint : line.is === 'added' ? theme.accent : theme.warning;
      return wrapped(cleaned(line.text), width, sign, style);
    }),
  ];
}
