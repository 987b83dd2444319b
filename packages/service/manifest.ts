import type { Diagnostic, Position } from '@hearth/language/diagnostic.ts';
import { LineCounter, isNode, parseDocument } from 'yaml';
import { z } from 'zod';

/*
 * `manifest.yaml`: what a bundle says of itself. Keys that nobody knows are errors, because a misspelt key would
 * otherwise be silently without effect.
 */

const words = z.array(z.string());

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
  chat: Chat.exactOptional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** What came of reading a manifest; `locate` finds a key's place for later diagnostics. */
export interface ReadManifest {
  readonly manifest: Manifest | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: (path: readonly (string | number)[]) => Position;
}

const FILE = 'manifest.yaml';

/** Reads a manifest's text; never throws. */
export function readManifest(text: string): ReadManifest {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate = (path: readonly (string | number)[]): Position => {
    // A key that is missing has no place of its own: what should hold it has one.
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return place(node.range[0]);
    }
    return { line: 1, column: 1 };
  };
  const broken = document.errors[0];
  if (broken !== undefined) {
    const message = `The manifest is not valid YAML: ${broken.message.split('\n')[0] ?? ''}.`;
    return { manifest: null, diagnostics: [error('H201', message, place(broken.pos[0]))], locate };
  }
  const result = Manifest.safeParse(document.toJS() ?? {});
  if (result.success) return { manifest: result.data, diagnostics: [], locate };
  return { manifest: null, diagnostics: result.error.issues.map(issue => said(issue, locate)), locate };
}

function said(issue: z.core.$ZodIssue, locate: ReadManifest['locate']): Diagnostic {
  const path = issue.path.map(part => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const within = path.length === 0 ? 'the manifest' : `"${path.join('.')}"`;
    const fix = 'Remove the key or correct its spelling.';
    return {
      ...error('H202', `The key "${key}" is not one that ${within} may have.`, locate([...path, key])),
      fix,
    };
  }
  return error(
    'H203',
    `The manifest's "${path.join('.')}" is not as it should be: ${issue.message.toLowerCase()}.`,
    locate(path),
  );
}

function error(code: string, message: string, at: Position): Diagnostic {
  return { code, severity: 'error', message, file: FILE, at };
}
