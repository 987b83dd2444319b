import { session } from '@hearth/conversations/testing/sample-home.ts';
import type { BackendTurn } from '@hearth/engine/backend.ts';
import type { BackendFailure } from '@hearth/engine/backend.ts';
import type { Values } from '@hearth/language/value.ts';
import type { World } from './harness.ts';

/* Parts that sources of scenarios are put together from, and the world that goes with them. */

/** Before everything else: the vars, schemas and prompts that the parts use. */
export const HEAD = `vars:
  initial_message: string = ""

schema said:
  text: string

schema verdict:
  text: string
  good: bool

schema request:
  message: string

prompt words:
  {{input.text}}

`;

/** An agent that is asked its input's `text` and puts out another. */
export const agent = (name: string, more = ''): string =>
  `agent ${name}:\n  model: "m"\n  user: words\n  output: said\n${more}\n`;

/** A node that works a text out. */
export const text = (name: string, expr = 'input.text', more = ''): string =>
  `compute ${name}:\n  output: said\n${more}  expr:\n    text: "${expr}"\n\n`;

/** A node that works a text and a verdict out. */
export const verdict = (name: string, good: string, words = 'input.text', more = ''): string =>
  `compute ${name}:\n  output: verdict\n${more}  expr:\n    text: "${words}"\n    good: "${good}"\n\n`;

export const router = (name: string, mode: string): string => `router ${name}:\n  mode: ${mode}\n\n`;

/** Home base: what it is given as `text` is the bot's reply. */
export const home = (name = 'home'): string => `human ${name}:\n  output: request\n  instructions: words\n\n`;

/** A person's node that asks for fields. */
export const form = (name: string): string =>
  `human ${name}:\n  output: said\n  pause: input\n  instructions: words\n\n`;

export const flow = (entry: string, ...edges: readonly string[]): string =>
  `workflow w:\n  entry: ${entry}\n  ${edges.join('\n  ')}\n`;

/** The value of an output's field. */
export const from = (node: string, field = 'text'): string => `{ text: "{{outputs.${node}.${field}}}" }`;

/** What an agent does: a text, an output, or a failure. */
export type Does = string | Values | { readonly fails: BackendFailure };

/**
 * A world of agents. Each start of one is written into the log; `does` is told of the turn and how many starts of its node
 * there were before. Without it an agent puts out its name around what it was asked.
 */
export const agents =
  (does?: (turn: BackendTurn, before: number) => Does | null): (() => World) =>
  () => {
    const log: string[] = [];
    return {
      log,
      async *script(turn) {
        yield session;
        const before = log.filter(line => line === turn.node).length;
        log.push(turn.node);
        const done = does?.(turn, before) ?? `${turn.node}(${turn.prompt.user})`;
        if (typeof done === 'object' && 'fails' in done) {
          // What else a world may say is a value, so this is the failure.
          const code = done.fails as BackendFailure;
          yield { type: 'failed', code, message: `${turn.node} failed`, began: true };
          return;
        }
        yield { type: 'done', output: typeof done === 'string' ? { text: done } : done, text: '' };
      },
    };
  };
