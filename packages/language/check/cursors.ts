import type { Report } from '../compile/report.ts';
import { didYouMean } from '../nearest.ts';
import type { CursorSyntax } from '../parse/cursor.ts';
import type { Spanned } from '../parse/parser.ts';
import { repeated } from './names.ts';
import type { Rule } from './rule.ts';

interface Band {
  readonly low: number;
  readonly high: number;
}

/** C085, C086: a cursor is declared once, by distinct values or by bands that do not overlap. */
export const cursorDeclarations: Rule = ({ file }, report) => {
  const cursors = file.declarations.filter(one => one.kind === 'cursor');
  for (const cursor of cursors) checkDeclaration(cursor, report);
  for (const { value, at } of repeated(cursors.map(one => one.name))) {
    report.error('C086', `the cursor \`${value}\` is declared twice; only the first counts`, { at });
  }
};

function checkDeclaration({ name, properties }: CursorSyntax, report: Report): void {
  const wrong = (message: string, at = name.at): void =>
    report.error('C085', `the cursor \`${name.value}\` ${message}`, { at });
  const { values, bands } = properties;
  if (!values === !bands) return wrong('has either values or bands');
  for (const { value } of [...(values?.value ?? []), ...(bands?.value ?? [])]) {
    if (value.value.trim() === '') wrong('has an empty text', value.at);
  }
  for (const again of repeated((values?.value ?? []).map(one => one.name))) {
    wrong(`has the value \`${again.value}\` twice`, again.at);
  }
  const seen: Band[] = [];
  for (const { name: range } of bands?.value ?? []) {
    const band = bandOf(range.value);
    if (band === undefined) wrong(`has the band \`${range.value}\`, which is no range within 0..1`, range.at);
    else if (seen.some(one => one.low <= band.high && band.low <= one.high)) {
      wrong(`has the band \`${range.value}\`, which overlaps another`, range.at);
    }
    if (band) seen.push(band);
  }
}

function bandOf(range: string): Band | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*\.\.\s*(\d+(?:\.\d+)?)\s*$/.exec(range);
  const low = Number(match?.[1]);
  const high = Number(match?.[2]);
  return match && low <= high && high <= 1 ? { low, high } : undefined;
}

/** C083, C084: the cursors that an agent sets exist and have the value. */
export const cursorSettings: Rule = (model, report) => {
  const cursors = new Map(
    model.file.declarations
      .filter(one => one.kind === 'cursor')
      .toReversed()
      .map(one => [one.name.value, one]),
  );
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') continue;
    for (const { name, value } of syntax.properties.cursors?.value.settings ?? []) {
      const cursor = cursors.get(name.value);
      if (cursor === undefined) {
        const fix = didYouMean(name.value, cursors.keys());
        report.warn('C083', `the cursor \`${name.value}\` is not declared`, { at: name.at, node, fix });
      } else if (!hasValue(cursor, value)) {
        report.error('C084', `the cursor \`${name.value}\` has no value \`${value.value}\``, {
          at: value.at,
          node,
        });
      }
    }
  }
};

function hasValue({ properties }: CursorSyntax, { value }: Spanned<string>): boolean {
  if (value.includes('$')) return true;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const bands = properties.bands?.value.map(one => bandOf(one.name.value));
  if (Number.isNaN(number)) return properties.values?.value.some(one => one.name.value === value) ?? false;
  if (number < 0 || number > 1) return false;
  return bands === undefined || bands.some(band => band && band.low <= number && number <= band.high);
}
