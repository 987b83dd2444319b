import type { RouterNode } from '@hearth/language/plan/node.ts';
import { render } from '@hearth/language/refs/rendering.ts';
import { type AttachedFile, fileLines } from './attached-files.ts';
import type { Task } from './answerer.ts';
import type { BackendTurn, InboxMessage, ModelChoice, PermissionPolicy, SessionStart } from './backend.ts';
import { grantsOf, nativeTools } from './grants.ts';
import { HOST_LINE } from './host-line.ts';
import type { Effect } from './machine.ts';
import { outputSchema } from './output-schema.ts';
import { QUESTION_TOOLS } from './question-tools.ts';
import { publishedWords } from './published-words.ts';
import { routeWords } from './routes.ts';
import type { ModelNode, Plan } from './runnable.ts';
import { lookupIn, scopeOf, withSecretPaths } from './scope.ts';
import type { Ledgers, QueuedMessage, RunState, TurnState } from './state.ts';
import type { Tool } from './tool.ts';

/** Steps that an agent may take when its node does not say. */
const DEFAULT_STEPS = 80;
/** Silence after which a backend gives up: five minutes. */
export const QUIET_MS = 5 * 60_000;

/** A person's words for a turn under way, with what they sent with them. */
export function inboxMessage({ id, text, files }: QueuedMessage): InboxMessage {
  return {
    id,
    text: fileLines(files) + text,
    ...(files === undefined || files.length === 0 ? {} : { files }),
  };
}

/** Everything that a backend is given for one effect. The prompts are the whole projection. */
export function backendTurn(from: {
  readonly plan: Plan;
  readonly run: RunState;
  readonly ledgers: Ledgers;
  readonly turn: TurnState | null;
  readonly node: ModelNode;
  readonly effect: Effect;
  readonly session: SessionStart;
  readonly tools: readonly Tool[];
  readonly model: ModelChoice;
  readonly directory: string;
  readonly workspace: string;
  /** What it is asked in the person's stead; `null`: it does the node's own work. */
  readonly task: Task | null;
  readonly permission: PermissionPolicy;
  /** What the node's cursors add to its system prompt. */
  readonly calibration: string;
  /** Files that came with the turn's message, each at its path. */
  readonly files: readonly AttachedFile[];
  /** Secrets that are files, by their names. */
  readonly secretPaths: ReadonlyMap<string, string>;
}): BackendTurn {
  const { plan, run, ledgers, turn, node, effect, session, tools, model, directory, workspace, task } = from;
  const scope = withSecretPaths(scopeOf(plan, run, effect.input, ledgers), from.secretPaths);
  const lookup = lookupIn(scope);
  const words = (prompt: string | null): string => {
    const template = prompt === null ? undefined : plan.prompts[prompt];
    return template === undefined ? '' : render(template, lookup);
  };
  const moved =
    turn?.moved === true && effect.attempt === 1 && effect.resume === null && effect.beside !== true;
  const note = moved ? `${HOST_LINE}The person now works in ${workspace}.\n` : '';
  const own = plan.nodes[node.name];
  const asked =
    own?.kind === 'router' ? askRouter(plan, own, words(own.user), effect) : askNode(node, effect, words);
  // Its session is a new one each time, to which nothing else tells what there is.
  const published =
    node.session === 'artifacts_only' ? publishedWords(run.artifacts ?? {}, scope.texts ?? {}) : '';
  const broken = effect.resume?.interrupted;
  const unseen = effect.joined.map(inboxMessage);
  // Whoever answers in a person's stead, only chooses a way, or works beside the graph has nothing to do with what the
  // person sent.
  const files = task === null && own?.kind !== 'router' && effect.beside !== true ? from.files : [];
  return {
    effect: effect.id,
    attempt: effect.attempt,
    node: node.name,
    directory,
    workspace,
    session,
    prompt: {
      system: task?.system ?? [words(node.system), from.calibration].filter(part => part !== '').join('\n\n'),
      user: task?.user ?? note + fileLines(files) + published + asked,
      attachments: files,
    },
    answers: effect.resume?.answers ?? [],
    ...(broken === undefined ? {} : { interrupted: { ...broken, unseen } }),
    tools: [...grantsOf(tools), ...(node.interaction === 'async' ? QUESTION_TOOLS : [])],
    native: nativeTools(node, tools),
    mayAsk: node.interaction !== 'none',
    permission: from.permission,
    output: task?.output ?? outputSchema(plan, node.output),
    model,
    maxSteps: node.toolMaxSteps ?? DEFAULT_STEPS,
    ...(node.maxTokens === null ? {} : { maxTokens: node.maxTokens }),
    ...(node.compaction === undefined ? {} : { compaction: node.compaction }),
    quietMs: QUIET_MS,
  };
}

/** What a node is asked: its own prompt, and what was found in the draft that it makes again. */
function askNode(node: ModelNode, effect: Effect, words: (prompt: string | null) => string): string {
  if (effect.beside === true && node.user === null) return besideWords(effect);
  const asked = words(node.user);
  if (effect.findings === undefined) return asked;
  const lines = effect.findings.map(
    ({ line, message }) => `${line === undefined ? '' : `Line ${line}: `}${message}`,
  );
  return `${asked}\n\n${HOST_LINE}Your draft was not taken as it was. Write it whole once more.\n${lines.join('\n')}`;
}

/** Without a prompt of its own, work beside the graph is given the text that is shown and what was said of it. */
function besideWords({ input }: Effect): string {
  const part = (name: string, key: string): string => {
    const value = input[key];
    return `${name}:\n${typeof value === 'string' ? value : ''}`;
  };
  return `${part('Text', 'body')}\n\n${part('Message', 'message')}`;
}

/** What a router's model is asked: the author's words, or else the input itself, and what there is to choose from. */
function askRouter(plan: Plan, node: RouterNode, words: string, { input }: Effect): string {
  return `${words.trim() === '' ? JSON.stringify(input) : words}\n\n${HOST_LINE}${routeWords(plan, node)}`;
}
