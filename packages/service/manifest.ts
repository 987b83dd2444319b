import type { Diagnostic, Position } from '@hearth/language/diagnostic.ts';
import { didYouMean } from '@hearth/language/nearest.ts';
import { z } from 'zod';
import { readYaml, type YamlText } from './yaml-text.ts';

/*
 * `manifest.yaml`: what a bundle says of itself. Keys that nobody knows are errors, because a misspelt key would
 * otherwise be silently without effect. Known keys whose effect is not ours yet are accepted with any sensible value.
 */

const words = z.array(z.string());
/** Names of vars, as a list or as the keys of a map from var to value. */
const VarNames = z.union([words, z.record(z.string(), z.unknown())]);

const ChatNode = z.strictObject({
  kind: z.enum(['silent', 'banner', 'human']),
  text_field: z.string().exactOptional(),
  summary_field: z.string().exactOptional(),
  approved_field: z.string().exactOptional(),
  host_event_field: z.string().exactOptional(),
});

/** What makes a bundle a conversation: the var that takes a run's first message, and how its nodes are drawn. */
const Chat = z.strictObject({
  seed_var: z.string().exactOptional(),
  nodes: z.record(z.string(), ChatNode).exactOptional(),
  launcher_vars: words.exactOptional(),
  launcher: z.unknown().exactOptional(),
  editor: z.unknown().exactOptional(),
  history: z.unknown().exactOptional(),
});

const CHAT_KEYS: readonly string[] = [...Object.keys(Chat.shape), ...Object.keys(ChatNode.shape)];

/** How a bundle may be started from elsewhere, and with which vars. */
const Invocation = z.looseObject({
  args_var: z.string().exactOptional(),
  context_vars: VarNames.exactOptional(),
  schedule: z.looseObject({ default_vars: VarNames.exactOptional() }).exactOptional(),
});

const Forge = z.looseObject({
  secret: z.string().exactOptional(),
  webhook: z.looseObject({ launch_vars: VarNames.exactOptional() }).exactOptional(),
});

/** The shape of a manifest; the rules between its keys, and against the graph, are in `manifest-checks.ts`. */
export const Manifest = z.strictObject({
  name: z.string().min(1).max(100).exactOptional(),
  version: z.union([z.string(), z.number()]).exactOptional(),
  display_name: z.string().min(1).max(100).exactOptional(),
  description: z.string().exactOptional(),
  when_to_use: z.string().exactOptional(),
  author: z.string().exactOptional(),
  schema_version: z.literal(1).exactOptional(),
  icon: z.string().exactOptional(),
  category: z.string().exactOptional(),
  tags: words.exactOptional(),
  capabilities: words.exactOptional(),
  compat: z.unknown().exactOptional(),
  attachments: z.record(z.string(), z.string()).exactOptional(),
  triggers: z.array(z.unknown()).exactOptional(),
  requires: z.record(z.string(), z.string()).exactOptional(),
  authoring: z.looseObject({ editable_files: words.exactOptional() }).exactOptional(),
  launch: z.unknown().exactOptional(),
  invocations: z.array(Invocation).exactOptional(),
  dispatch_vars: VarNames.exactOptional(),
  forge: Forge.exactOptional(),
  budget: z.unknown().exactOptional(),
  chat: Chat.exactOptional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** What came of reading a manifest; `locate` finds a key's place for later diagnostics. */
export interface ReadManifest {
  readonly manifest: Manifest | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: YamlText['locate'];
}

const FILE = 'manifest.yaml';

/** Reads a manifest's text; never throws. */
export function readManifest(text: string): ReadManifest {
  const yaml = readYaml(text);
  if ('problem' in yaml) {
    const { at, problem } = yaml;
    return {
      manifest: null,
      diagnostics: [error('H201', `The manifest ${problem}.`, at)],
      locate: () => at,
    };
  }
  const { locate, value } = yaml;
  const result = Manifest.safeParse(value ?? {});
  if (result.success) return { manifest: result.data, diagnostics: [], locate };
  const diagnostics = result.error.issues.flatMap(issue => said(issue, yaml));
  return { manifest: null, diagnostics, locate };
}

function said(issue: z.core.$ZodIssue, { locate, locateKey }: YamlText): readonly Diagnostic[] {
  const path = issue.path.map(part => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const within = path.length === 0 ? 'the manifest' : `"${path.join('.')}"`;
    const known = path.length === 0 ? Object.keys(Manifest.shape) : path[0] === 'chat' ? CHAT_KEYS : [];
    return issue.keys.map(key => ({
      ...error('H202', `The key "${key}" is not one that ${within} may have.`, locateKey([...path, key])),
      fix: didYouMean(key, known) ?? 'correct its spelling, or take it out',
    }));
  }
  const subject = path.length === 0 ? 'The manifest' : `The manifest's "${path.join('.')}"`;
  return [error('H203', `${subject} is not as it should be: ${issue.message.toLowerCase()}.`, locate(path))];
}

function error(code: string, message: string, at: Position): Diagnostic {
  return { code, severity: 'error', message, file: FILE, at };
}
