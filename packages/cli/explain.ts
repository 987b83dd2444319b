import { EXPLANATIONS, type Explanation } from '@hearth/language/codes/explanations.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type Invocation, type Io, UsageError } from './command.ts';
import { print, printJson, printTable } from './output.ts';

/** `hearth explain`: what a code means, a source that gets it, and that source mended; without a code, all of them. */
export async function explain(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [asked] = call.words;
  const found = asked === undefined ? EXPLANATIONS : codeNamed(asked);
  if (call.flag('json')) printJson(io, found);
  else if ('code' in found) tell(io, found);
  else
    printTable(
      io,
      found.map(one => [one.code, one.severity, one.meaning]),
    );
  return EXIT.done;
}

function codeNamed(asked: string): Explanation {
  const [, family = '', number = ''] = /^([ech])0*(\d+)$/i.exec(asked) ?? [];
  const name = `${family.toUpperCase()}${number.padStart(3, '0')}`;
  const found = EXPLANATIONS.find(one => one.code === name);
  if (found !== undefined) return found;
  const near = nearTo(family.toUpperCase(), Number(number)).map(one => `${one.code} (${one.meaning})`);
  const hint = near.length > 0 ? `near are ${near.join(', ')}` : 'see "hearth explain" for all of them';
  throw new UsageError(`There is no code "${asked}": ${hint}.`);
}

/** The codes of a family whose numbers are nearest, in order. */
function nearTo(letter: string, number: number): readonly Explanation[] {
  const distance = (one: Explanation): number => Math.abs(Number(one.code.slice(1)) - number);
  const family = EXPLANATIONS.filter(one => one.code[0] === letter);
  const nearest = family.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3);
  return family.filter(one => nearest.includes(one));
}

function tell(io: Io, { code, severity, meaning, mend, wrong, right, file }: Explanation): void {
  print(io, `${code} ${severity}: ${meaning}`);
  print(io, `\nTo mend it: ${mend}.`);
  for (const [title, source] of [['Wrong', wrong] as const, ['Right', right] as const]) {
    if (source === undefined) continue;
    print(io, `\n${title}${file === undefined ? '' : `, in ${file}`}:\n`);
    print(io, source.trimEnd().replaceAll(/^(?=.)/gm, '    '));
  }
}
