import type { Play, ProviderFault } from '@hearth/backends/testing/conformance/subject.ts';
import { calls, type FakeCall, type FakeProvider, type Move, status } from './fake-provider.ts';

/*
 * What the kit tells a model to do, as moves of the provider on loopback. Programs spell tools in ways of their own, and
 * each has its own way to end a turn with an answer of a form.
 */

export interface Dialect {
  /** A tool of Hearth's as this program tells its model of it. */
  readonly tool: (name: string) => string;
  /** The tool whose arguments are the answer. */
  readonly answer: string;
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
    case 'answers': {
      const args = { reply: play.reply, close: false, quick_replies: [], dispatched_ids: [] };
      return calls([{ name: dialect.answer, args }]);
    }
    case 'misfits':
      return calls([{ name: dialect.answer, args: { reply: 7 } }]);
    case 'calls':
      return calls(
        play.calls.map(({ name, args }): FakeCall => ({ name: dialect.tool(name), args })),
        play.text,
      );
    case 'holds':
      return calls([{ name: dialect.tool('list_issues'), args: {} }], play.text, { hold: play.until });
  }
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
