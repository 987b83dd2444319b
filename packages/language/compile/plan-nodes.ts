import type { AgentSyntax } from '../parse/agent.ts';
import type { AwaitAnswersSyntax } from '../parse/await-answers.ts';
import type { ComputeSyntax } from '../parse/compute.ts';
import type { FailSyntax } from '../parse/fail.ts';
import type { HumanSyntax } from '../parse/human.ts';
import type { Property } from '../parse/properties.ts';
import type { ReviewSyntax } from '../parse/review.ts';
import type { RouterSyntax } from '../parse/router.ts';
import type { ToolSyntax } from '../parse/tool.ts';
import type {
  AgentNode,
  AwaitAnswersNode,
  ComputeNode,
  HumanNode,
  JudgeNode,
  PlanNode,
  ReviewNode,
  RouterNode,
  ScriptLanguage,
  TerminalNode,
  ToolNode,
} from '../plan/node.ts';
import { durationOf } from '../duration.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import { chatField } from './chat-field.ts';
import { interactionOf, isAnsweredByModel } from './interaction.ts';
import type { GraphNode, Model } from './model.ts';
import { outputSchema } from './outputs.ts';
import { actionsOf, guardsOthersWords } from './plan-review.ts';
import { permissionOf } from './permissions.ts';
import { compactionOf, cursorSettingsOf, mcpOf, memoryOf, ownSandbox } from './plan-settings.ts';

/** The plan's node for a node of a graph in which nothing is wrong. */
export function planNode(model: Model, node: GraphNode): PlanNode {
  const { name, syntax } = node;
  if (syntax === null) return { kind: node.kind, name, ...NO_SCHEMAS };
  switch (syntax.kind) {
    case 'agent':
      return { kind: 'agent', ...modelNode(model, name, syntax) };
    case 'judge':
      return { kind: 'judge', ...modelNode(model, name, syntax) };
    case 'router':
      return router(name, syntax);
    case 'fail':
      return fail(name, syntax);
    case 'human':
      return human(model, name, syntax);
    case 'tool':
      return tool(model, name, syntax);
    case 'compute':
      return compute(model, name, syntax);
    case 'review':
      return review(name, syntax);
    case 'await_answers':
      return awaitAnswers(name, syntax);
  }
}

const NO_SCHEMAS = { input: null, output: null, await: null } as const;

function modelNode(
  model: Model,
  name: string,
  { properties }: AgentSyntax,
): Omit<AgentNode, 'kind'> & Omit<JudgeNode, 'kind'> {
  const { properties: workflow } = model.workflow;
  const listed = (properties.capabilities ?? workflow.capabilities)?.value ?? [];
  const guarded = guardsOthersWords(model, properties);
  return {
    ...baseOf(name, properties),
    model: valueOf(properties.model),
    backend: valueOf(properties.backend),
    provider: valueOf(properties.provider),
    system: valueOf(properties.system),
    user: valueOf(properties.user),
    publish: valueOf(properties.publish),
    session: properties.session?.value ?? 'fresh',
    interaction: interactionOf(model, properties.interaction?.value) ?? 'none',
    tools: texts(properties.tools) ?? null,
    capabilities: listed.map(capability => capability.value),
    // 0 means unset.
    toolMaxSteps: properties.tool_max_steps?.value || null,
    maxTokens: properties.max_tokens?.value || null,
    effort: properties.reasoning_effort?.value.level ?? null,
    readonly: properties.readonly?.value ?? false,
    inbox: guarded ? 'off' : (properties.inbox?.value ?? 'on'),
    ...given({
      sessionSlot: properties.session_slot?.value,
      interactionPrompt: properties.interaction_prompt?.value,
      interactionModel: properties.interaction_model?.value,
      toolPolicy: texts(properties.tool_policy ?? workflow.tool_policy),
      mcp: mcpOf(properties.mcp),
      compaction: compactionOf(properties.compaction, workflow.compaction),
      memory: memoryOf(properties.memory),
      sandbox: ownSandbox(properties.sandbox),
      cursors: cursorSettingsOf(model, properties.cursors),
      requires: texts(properties.requires),
      permission: permissionOf(model, properties),
    }),
  };
}

function router(name: string, { properties }: RouterSyntax): RouterNode {
  const mode = properties.mode?.value ?? 'fan_out_all';
  const chosen = mode === 'llm' ? properties : {};
  return {
    kind: 'router',
    name,
    ...NO_SCHEMAS,
    mode,
    model: valueOf(chosen.model),
    backend: valueOf(chosen.backend),
    provider: valueOf(chosen.provider),
    system: valueOf(chosen.system),
    user: valueOf(chosen.user),
    effort: chosen.reasoning_effort?.value.level ?? null,
    multi: chosen.multi?.value ?? false,
  };
}

function tool(model: Model, name: string, { properties }: ToolSyntax): ToolNode {
  const { command, script, language } = properties;
  const text = (one: Property<string> | undefined) =>
    parseTemplate(one?.value ?? '', model.file.profile).template;
  return {
    kind: 'tool',
    ...baseOf(name, properties),
    body:
      script === undefined || script.value === ''
        ? { is: 'command', text: text(command) }
        : { is: 'script', language: languageOf(language?.value), text: text(script) },
    ...given({
      sandbox: ownSandbox(properties.sandbox),
      requires: texts(properties.requires),
      idempotent: properties.idempotent?.value === true ? (true as const) : undefined,
    }),
  };
}

const LANGUAGES: readonly ScriptLanguage[] = ['js', 'node', 'py', 'python', 'python3', 'sh', 'bash'];

/** The language that a word names; the shell unless one was written. */
function languageOf(word: string | undefined): ScriptLanguage {
  return LANGUAGES.find(one => one === word) ?? 'sh';
}

function compute(model: Model, name: string, { properties }: ComputeSyntax): ComputeNode {
  const fields = (model.fields.get(name) ?? []).flatMap(({ entry, parsed }) =>
    parsed.ok ? [{ name: entry.name.value, expr: parsed.expr }] : [],
  );
  return { kind: 'compute', ...baseOf(name, properties), fields };
}

function human(model: Model, name: string, { properties }: HumanSyntax): HumanNode {
  const field = chatField(outputSchema(model, name));
  const pause = properties.pause?.value ?? (field === null ? 'input' : 'chat');
  const answered = isAnsweredByModel(model, properties.interaction?.value);
  return {
    kind: 'human',
    ...baseOf(name, properties),
    pause,
    field: pause === 'chat' ? field : null,
    instructions: valueOf(properties.instructions),
    interaction: interactionOf(model, properties.interaction?.value) ?? 'human',
    publish: valueOf(properties.publish),
    ...(answered
      ? given({
          model: properties.model?.value,
          system: properties.system?.value,
          interactionPrompt: properties.interaction_prompt?.value,
          interactionModel: properties.interaction_model?.value,
        })
      : {}),
    ...given({
      // 0 means unset.
      minAnswers: properties.min_answers?.value || undefined,
      actions: properties.actions ? actionsOf(properties.actions.value) : undefined,
    }),
  };
}

function fail(name: string, { properties }: FailSyntax): TerminalNode {
  const { code, message, resumable } = properties;
  return {
    kind: 'fail',
    name,
    ...NO_SCHEMAS,
    ...given({
      code: code?.value,
      message: message ? parseTemplate(message.value, 2).template : undefined,
      resumable: resumable?.value === true ? (true as const) : undefined,
    }),
  };
}

function review(name: string, { properties }: ReviewSyntax): ReviewNode {
  return {
    kind: 'review',
    name,
    ...NO_SCHEMAS,
    artifact: properties.artifact?.value ?? '',
    reader: valueOf(properties.reader),
    actions: actionsOf(properties.actions?.value ?? []),
  };
}

function awaitAnswers(name: string, { properties }: AwaitAnswersSyntax): AwaitAnswersNode {
  const { from, timeout } = properties;
  return {
    kind: 'await_answers',
    name,
    ...NO_SCHEMAS,
    await: properties.await?.value ?? null,
    ...given({ from: texts(from) }),
    timeoutMs: durationOf(timeout?.value ?? '') ?? 0,
  };
}

function baseOf(
  name: string,
  properties: Pick<ComputeSyntax['properties'], 'input' | 'output' | 'await'>,
): Pick<PlanNode, 'name' | 'input' | 'output' | 'await'> {
  return {
    name,
    input: valueOf(properties.input),
    output: valueOf(properties.output),
    await: properties.await?.value ?? null,
  };
}

function valueOf(property: Property<string> | undefined): string | null {
  return property?.value ?? null;
}

function texts(
  list: Property<readonly { readonly value: string }[]> | undefined,
): readonly string[] | undefined {
  return list?.value.map(one => one.value);
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** What of it an author wrote; what is undefined is left out, so that nothing of it is in the plan. */
function given<T extends object>(all: T): Given<T> {
  // Only what is undefined is dropped, which is what the type says.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Given<T>;
}
