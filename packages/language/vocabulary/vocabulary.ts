import { DECLARATIONS } from './declarations.ts';
import { NODES } from './nodes.ts';
import type { DeclarationWord } from './word.ts';

/** Every declaration and its properties. */
export const VOCABULARY: readonly DeclarationWord[] = [
  ...DECLARATIONS.slice(0, -1),
  ...NODES,
  ...DECLARATIONS.slice(-1),
];

/** The types of fields and vars. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'Text.',
  bool: '`true` or `false`.',
  int: 'A whole number.',
  float: 'A number.',
  json: 'Anything that JSON can say, null too.',
  'string[]': 'A list of texts.',
};

/** The clauses of an edge. */
export const CLAUSES: Readonly<
  Record<string, { readonly form: string; readonly means: string; readonly profile?: 2 }>
> = {
  when: {
    form: 'when FIELD · when not FIELD · when "expression"',
    means: 'The edge may be taken only when a bool of the output, or an expression over the output, holds.',
  },
  as: { form: 'as LOOP(10)', means: 'The edge belongs to a loop and may be taken so many times.' },
  with: { form: 'with { FIELD: "text" }', means: 'Fields of the input of the node that the edge enters.' },
  on: {
    form: 'on ACTION',
    means: 'The edge is taken when a person does that, or when its source `failed` or was `interrupted`.',
  },
  opens: {
    form: 'opens [ARTIFACT, …]',
    means: 'A new case begins: the current versions of the artifacts and of those made from them are closed.',
  },
  else: { form: 'else', means: 'The edge is taken when no condition holds.', profile: 2 },
};

/** What an action of a review or a human node may be. */
export const MODIFIERS: Readonly<Record<string, { readonly form: string; readonly means: string }>> = {
  confirms: { form: 'confirms', means: 'Confirms the version that is shown.' },
  stops: { form: 'stops', means: 'Closes the case.' },
  feedback: { form: 'feedback', means: 'Needs words of the person.' },
  text: { form: 'text', means: 'Is reached only by typed words; there is no button.' },
  assent: { form: 'assent', means: 'Is what a bare “ok” means.' },
  reopens: {
    form: 'reopens: ARTIFACT',
    means: 'Makes the artifact pending, and what was made from it invalid.',
  },
  notes: { form: 'notes: ARTIFACT', means: 'Adds the words to the notes of the artifact.' },
  aside: { form: 'aside: NODE', means: 'Runs the node while the card stays open.' },
  says: { form: 'says: PROMPT', means: 'Shows a text while the card stays open.' },
  when: {
    form: 'when: "expression"',
    means: 'Typed words mean this when the expression over the reader’s output holds.',
  },
};

/** What references and expressions may begin with. */
export const NAMESPACES: Readonly<Record<string, string>> = {
  vars: 'The vars of the run.',
  input: 'The node’s input; in a `with` value and a condition, the output of the node that the edge leaves.',
  outputs: 'The last output of a node: `outputs.NODE.FIELD`.',
  artifacts: 'What nodes published: `artifacts.NAME`.',
  attachments: 'A file that the run was given: its path, or `.url`, `.mime`, `.size`, `.sha256`.',
  loop: 'A loop: `.iteration`, `.max`, `.previous_output`.',
  run: 'The run: its `id`; what was used since the last pause, in `elapsed_seconds`, `cost_usd`, `tokens` and `iterations`; and the limits, as `max_cost_usd`.',
  secrets: 'A secret, in commands and scripts only. Profile 2.',
};
