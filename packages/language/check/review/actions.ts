import type { Model } from '../../compile/model.ts';
import { fieldsOf, outputSchema } from '../../compile/outputs.ts';
import type { Place, Report } from '../../compile/report.ts';
import { pathsOf } from '../../compile/uses.ts';
import { parseExpr } from '../../expr/parser.ts';
import { didYouMean } from '../../nearest.ts';
import type { ActionSyntax, ModifierSyntax } from '../../parse/actions.ts';
import { ENDS } from '../../plan/review.ts';
import { repeated } from '../names.ts';
import type { Rule } from '../rule.ts';

/** A place with actions: a review with the agent that reads what is typed there, or a human, where nobody reads. */
interface Pause {
  readonly node: string;
  readonly kind: 'review' | 'human';
  readonly reader: string | null;
  readonly actions: readonly ActionSyntax[];
}

/** H020 to H022, H026 to H029: what a person may do is named once, does not contradict itself, and names what exists. */
export const actions: Rule = (model, report) => {
  for (const pause of pausesOf(model)) {
    const { node } = pause;
    for (const { value, at } of repeated(pause.actions.map(one => one.name))) {
      report.error('H020', `\`${node}\` has two actions \`${value}\``, {
        at,
        node,
        fix: 'rename one of them',
      });
    }
    for (const action of pause.actions) {
      const { value: name, at } = action.name;
      if (ENDS.some(end => end === name)) {
        report.error('H021', `\`${name}\` is an end that edges are \`on\` and cannot name an action`, {
          at,
          node,
          fix: 'choose another name',
        });
      }
      checkFeedback(action, node, report);
      for (const fault of contradictions(pause, action)) {
        report.error('H029', `the action \`${name}\` ${fault.message}`, {
          at: fault.at,
          node,
          fix: fault.fix,
        });
      }
      for (const modifier of action.modifiers) checkTarget(model, pause, modifier, report);
    }
    checkAssent(pause, report);
  }
};

function pausesOf(model: Model): readonly Pause[] {
  return [...model.nodes.values()].flatMap(({ name: node, syntax }): readonly Pause[] => {
    if (syntax?.kind !== 'review' && syntax?.kind !== 'human') return [];
    const reader = syntax.kind === 'review' ? (syntax.properties.reader?.value ?? null) : null;
    return [{ node, kind: syntax.kind, reader, actions: syntax.properties.actions?.value ?? [] }];
  });
}

function find(action: ActionSyntax, word: ModifierSyntax['is']): ModifierSyntax | undefined {
  return action.modifiers.find(one => one.is === word);
}

/** A confirmation that came with words would be a revision, so it may not ask for them. */
function checkFeedback(action: ActionSyntax, node: string, report: Report): void {
  const feedback = find(action, 'feedback');
  if (!feedback || !find(action, 'confirms')) return;
  report.error(
    'H022',
    `the action \`${action.name.value}\` confirms and asks for feedback, which would revise`,
    {
      at: feedback.at,
      node,
      fix: 'take `feedback` out, or make two actions of it',
    },
  );
}

interface Fault {
  readonly at: Place['at'];
  readonly message: string;
  readonly fix: string;
}

/** Words that exclude each other on one action. */
const EXCLUSIVE: readonly (readonly ModifierSyntax['is'][])[] = [
  ['confirms', 'stops', 'reopens'],
  ['aside', 'says'],
  ['aside', 'confirms'],
  ['aside', 'stops'],
  ['aside', 'reopens'],
  ['says', 'confirms'],
  ['says', 'stops'],
  ['says', 'reopens'],
];

function contradictions({ kind }: Pause, action: ActionSyntax): readonly Fault[] {
  const faults: Fault[] = [];
  const words = action.modifiers.map(one => ({ value: one.is, at: one.at }));
  for (const { value, at } of repeated(words)) {
    faults.push({ at, message: `says \`${value}\` twice`, fix: 'write it once' });
  }
  for (const group of EXCLUSIVE) {
    const [first, second] = group.flatMap(word => find(action, word) ?? []);
    if (first === undefined || second === undefined) continue;
    const message = `\`${first.is}\` and \`${second.is}\` at once`;
    faults.push({ at: second.at, message, fix: 'make two actions of it' });
  }
  for (const word of kind === 'human' ? (['confirms', 'assent'] as const) : []) {
    const found = find(action, word);
    const message = `\`${word}\` although no artifact is shown here`;
    if (found) faults.push({ at: found.at, message, fix: 'only the actions of a review can' });
  }
  const text = find(action, 'text');
  if (text && !find(action, 'when') && !find(action, 'assent')) {
    faults.push({
      at: text.at,
      message: 'has no button and no `when`, so nothing takes it',
      fix: 'add `when: "…"`',
    });
  }
  return faults;
}

/** A bare "ok" means one thing. */
function checkAssent({ node, actions: list }: Pause, report: Report): void {
  const [, second] = list.flatMap(action => {
    const assent = find(action, 'assent');
    return assent ? [{ name: action.name.value, at: assent.at }] : [];
  });
  if (second === undefined) return;
  report.error('H029', `the action \`${second.name}\` is the second that a bare "ok" would mean`, {
    at: second.at,
    node,
    fix: 'let one action have `assent`',
  });
}

function checkTarget(model: Model, pause: Pause, modifier: ModifierSyntax, report: Report): void {
  const { node } = pause;
  if (modifier.is === 'aside') {
    const { value, at } = modifier.target;
    const found = model.nodes.get(value)?.kind;
    if (found === 'agent' || found === 'judge') return;
    report.error(
      'H026',
      `the node \`${value}\` that is to answer ${found ? 'is no agent' : 'is not declared'}`,
      {
        at,
        node,
        fix: () => didYouMean(value, model.nodes.keys()) ?? `declare it: \`agent ${value}:\``,
      },
    );
  } else if (modifier.is === 'says') {
    const { value, at } = modifier.target;
    if (model.prompts.has(value)) return;
    report.error('H027', `the prompt \`${value}\` that is to be shown is not declared`, {
      at,
      node,
      fix: () => didYouMean(value, model.prompts.keys()) ?? `declare it: \`prompt ${value}:\``,
    });
  } else if (modifier.is === 'when') {
    checkWhen(model, pause, modifier, report);
  }
}

/** H028: the expression of an action reads what the reader puts out, and nothing else. */
function checkWhen(
  model: Model,
  { node, reader, kind }: Pause,
  { expr }: Extract<ModifierSyntax, { is: 'when' }>,
  report: Report,
): void {
  const wrong = (message: string, fix: Place['fix']): void =>
    report.error('H028', `the \`when\` of an action ${message}`, { at: expr.at, node, fix });
  if (reader === null) {
    wrong(
      `needs a reader, and \`${node}\` has none`,
      kind === 'review' ? 'add `reader: AGENT`' : 'take the `when` out: words typed here are an answer',
    );
    return;
  }
  const parsed = parseExpr(expr.value, model.file.profile);
  if (!parsed.ok) return wrong(parsed.problem, parsed.fix);
  // A reader that is none was reported already.
  const read = model.nodes.get(reader)?.kind;
  if (read !== 'agent' && read !== 'judge') return;
  const schema = outputSchema(model, reader);
  if (schema === null) {
    return wrong(`cannot be checked: \`${reader}\` has no output schema`, 'give it one');
  }
  const fields = fieldsOf(schema);
  for (const path of pathsOf(parsed)) {
    const [first = '', second] = path;
    const field = first === 'input' ? second : first;
    if (field === undefined || fields.has(field)) continue;
    wrong(`reads \`${path.join('.')}\`, which \`${reader}\` does not put out`, () =>
      didYouMean(field, fields.keys()),
    );
  }
}
