import type { Play, ProviderFault } from '@hearth/backends/testing/conformance/subject.ts';
import { calls, type FakeCall, type FakeProvider, type Move, says, status } from './fake-provider.ts';

/*
 * What the kit tells a model to do, as moves of the provider on loopback. Programs spell tools in ways of their own, and
 * each has its own way to end a turn with an answer of a form.
 */

export interface Dialect {
  /** A tool of Hearth's as this program tells its model of it. */
  readonly tool: (name: string) => string;
  /** The group that tools of Hearth's are in, where the API has such. */
  readonly namespace?: string;
  /** The tool whose arguments are the answer; `null`: the answer is what the model says, as JSON. */
  readonly answer: string | null;
}

/** Lets the provider do in the turn to come what the kit says, and whatever comes after it, fail. */
export function scripted(provider: FakeProvider, plays: readonly Play[], dialect: Dialect): void {
  provider.forget();
  const last = plays.at(-1);
  provider.plays(...plays.filter(play => play.is !== 'fails').map(play => moveOf(play, dialect)));
  if (last?.is === 'fails') provider.thinks(() => fault(last.how));
}

function moveOf(play: Exclude<Play, { is: 'fails' }>, dialect: Dialect): Move {
  switch (play.is) {
    case 'answers':
      return answered({ reply: play.reply, close: false, quick_replies: [], dispatched_ids: [] }, dialect);
    case 'misfits':
      return answered({ reply: 7 }, dialect);
    case 'calls':
      return calls(
        play.calls.map(({ name, args }) => own(name, args, dialect)),
        play.text,
      );
    case 'holds':
      return calls([own('list_issues', {}, dialect)], play.text, { hold: play.until });
  }
}

/** Ends a turn with an answer of a form. */
export function answered(args: FakeCall['args'], { answer }: Dialect): Move {
  return answer === null ? says(JSON.stringify(args)) : calls([{ name: answer, args }]);
}

/** A call of a tool of Hearth's. */
export function own(name: string, args: FakeCall['args'], { tool, namespace }: Dialect): FakeCall {
  return { name: tool(name), args, ...(namespace === undefined ? {} : { namespace }) };
}

function fault(how: ProviderFault): Move {
  switch (how) {
    case 'refuses the key':
      return status(401, {}, 'invalid x-api-key');
    case 'has no quota left':
      return status(429, { 'retry-after': '30' });
    case 'is overloaded':
      return status(529, {}, 'Overloaded');
    case 'cuts the stream':
      return { is: 'cut', text: 'I was about to', how: 'socket' };
    case 'speaks another protocol':
      return { is: 'garbage', how: 'page' };
    case 'finds the conversation too long':
      return status(400, {}, 'prompt is too long: 210000 tokens > 200000 maximum');
    case 'does not know the model':
      return status(404, {}, 'model: fake');
    case 'says nothing':
      return { is: 'silence', after: null };
  }
}
