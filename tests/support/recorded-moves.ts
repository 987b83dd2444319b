import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type BackendStep,
  parseRecording,
  type PersonStep,
  type RecordingStep,
} from '@hearth/backends/replay/recording.ts';
import { calls, type FakeCall, type Move, says } from './fake-provider.ts';
import type { Dialect } from './provider-moves.ts';

/*
 * A recording of a bot as a script for a provider: what a backend did in it is what the model behind another backend does.
 * Recordings hold no arguments; what a surface was shown of a call tells them.
 */

/** What a person does next, and what the provider does until it is the person's turn again. */
export interface Part {
  readonly person: Extract<PersonStep, { is: 'message' | 'decision' }>;
  readonly moves: readonly Move[];
  /** What the person is told at its end: a reply, or a question. */
  readonly told: string;
}

const TITLES: readonly (readonly [RegExp, (found: readonly string[]) => FakeCall['args']])[] = [
  [/^(?:list tickets|read the git log)$/, () => ({})],
  [/^(?:read|close) (HB-\d+)$/, ([id = '']) => ({ id })],
  [/^move (HB-\d+) to (\w+)$/, ([id = '', to = '']) => ({ id, to })],
  [/^comment on (HB-\d+)$/, ([id = '']) => ({ id, body: 'Settled by a commit.' })],
];

/** The parts of a recording of a bot that comes with Hearth. */
export function partsOf(bot: string, name: string, dialect: Dialect): readonly Part[] {
  const path = fileURLToPath(new URL(`../../bots/${bot}/recordings/${name}.jsonl`, import.meta.url));
  const { recording, fault } = parseRecording(readFileSync(path, 'utf8'));
  if (recording === null) throw new Error(`${name}, line ${fault.line}: ${fault.why}`);
  const parts: Part[] = [];
  for (const [at, step] of recording.steps.entries()) {
    if (step.is !== 'message' && step.is !== 'decision') continue;
    const rest = recording.steps.slice(at + 1);
    const next = rest.findIndex(one => one.is === 'message' || one.is === 'decision');
    parts.push(partOf(step, next < 0 ? rest : rest.slice(0, next), dialect));
  }
  return parts;
}

function partOf(person: Part['person'], steps: readonly RecordingStep[], dialect: Dialect): Part {
  const moves: Move[] = [];
  let words = '';
  let told = '';
  for (const step of steps) {
    if (step.is === 'narration') words = step.text;
    if (step.is === 'called') {
      moves.push(calls([{ name: dialect.tool(step.name), args: argumentsOf(step) }], words));
      words = '';
    }
    if (step.is !== 'outcome') continue;
    const { outcome } = step;
    if (outcome.is === 'done') {
      const { answer } = dialect;
      moves.push(
        answer === null
          ? says(JSON.stringify(outcome.output))
          : calls([{ name: answer, args: outcome.output }]),
      );
      told = typeof outcome.output['reply'] === 'string' ? outcome.output['reply'] : '';
    }
    if (outcome.is === 'parked') {
      const asks = outcome.asks.map(({ text, options, allowFreeText }) => ({
        name: dialect.tool('ask_user'),
        args: { question: text, options, allow_free_text: allowFreeText },
      }));
      moves.push(calls(asks));
      told = outcome.asks[0]?.text ?? '';
    }
  }
  return { person, moves, told };
}

function argumentsOf({ title }: Extract<BackendStep, { is: 'called' }>): FakeCall['args'] {
  for (const [form, made] of TITLES) {
    const found = form.exec(title);
    if (found !== null) return made(found.slice(1));
  }
  throw new Error(`nobody knows the arguments of "${title}"`);
}
