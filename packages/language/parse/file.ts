import type { Diagnostic } from '../diagnostic.ts';
import { tokensOf } from '../lex/lexer.ts';
import { describe, endsLine, type Token } from '../lex/token.ts';
import { didYouMean } from '../nearest.ts';
import { type AgentSyntax, readAgent, readJudge } from './agent.ts';
import { type AttachmentSyntax, attachments } from './attachments.ts';
import { type ComputeSyntax, readCompute } from './compute.ts';
import { type CursorSyntax, readCursor } from './cursor.ts';
import { type HumanSyntax, readHuman } from './human.ts';
import { isLaterDeclaration } from './later.ts';
import { type McpServerSyntax, readMcpServer } from './mcp.ts';
import { Parser, type Spanned } from './parser.ts';
import { type PresetSyntax, presets } from './presets.ts';
import { type PromptSyntax, readPrompt } from './prompt.ts';
import type { Kind } from './properties.ts';
import { type RouterSyntax, readRouter } from './router.ts';
import { readSchema, type SchemaSyntax } from './schema.ts';
import { readTool, type ToolSyntax } from './tool.ts';
import type { Tree } from './tree.ts';
import { type VarSyntax, vars } from './vars.ts';
import { readWorkflow, type WorkflowSyntax } from './workflow.ts';

/*
 * A source file as a whole. Parsing any text gives a lossless tree, what could be understood of it, and what was
 * wrong. Errors never stop it: recovery is at the next line or at the next declaration that begins a line.
 */

export type NodeSyntax = AgentSyntax | RouterSyntax | HumanSyntax | ToolSyntax | ComputeSyntax;

type DeclarationSyntax =
  | NodeSyntax
  | PromptSyntax
  | SchemaSyntax
  | CursorSyntax
  | McpServerSyntax
  | WorkflowSyntax;

export interface FileSyntax {
  readonly vars: Spanned<readonly VarSyntax[]> | null;
  readonly presets: Spanned<readonly PresetSyntax[]> | null;
  readonly attachments: Spanned<readonly AttachmentSyntax[]> | null;
  /** Named declarations in file order, without those that were dropped. */
  readonly declarations: readonly DeclarationSyntax[];
  /** Comments between the declarations, trimmed. */
  readonly comments: readonly Spanned<string>[];
}

export interface Parsed {
  readonly tree: Tree;
  readonly file: FileSyntax;
  readonly diagnostics: readonly Diagnostic[];
}

const NAMED: Readonly<Record<string, (parser: Parser) => DeclarationSyntax | undefined>> = {
  mcp_server: readMcpServer,
  prompt: readPrompt,
  schema: readSchema,
  cursor: readCursor,
  agent: readAgent,
  judge: readJudge,
  router: readRouter,
  human: readHuman,
  tool: readTool,
  compute: readCompute,
  workflow: readWorkflow,
};

/** Declarations without a name, allowed once. */
const SINGLE = { vars, presets, attachments } as const;

/** Parses a source under the name that its diagnostics carry. */
export function parse(source: string, fileName: string): Parsed {
  const parser = new Parser(tokensOf(source), fileName);
  return parser.node('file', tree => ({ tree, file: readFile(parser), diagnostics: parser.diagnostics }));
}

function readFile(parser: Parser): FileSyntax {
  const single = new Map<string, Spanned<unknown>>();
  const declarations: DeclarationSyntax[] = [];
  const comments: Spanned<string>[] = [];
  while (parser.token.kind !== 'eof') {
    const { token } = parser;
    if (token.kind === 'comment')
      comments.push({ value: token.text.replace(/^#+/, '').trim(), at: token.at });
    if (endsLine(token) || token.kind === 'dedent') {
      parser.take();
    } else if (token.kind === 'word' && Object.hasOwn(SINGLE, token.text)) {
      parser.node(token.text, () => readSingle(parser, single));
    } else if (token.kind === 'word' && Object.hasOwn(NAMED, token.text)) {
      const declaration = parser.node(token.text, () => NAMED[token.text]?.(parser));
      if (declaration === undefined) skipToDeclaration(parser);
      else declarations.push(declaration);
    } else {
      readUnknown(parser);
    }
  }
  parser.take();
  // Each was read by the kind of its name.
  const blocks = Object.fromEntries(single) as Partial<Pick<FileSyntax, keyof typeof SINGLE>>;
  return {
    vars: blocks.vars ?? null,
    presets: blocks.presets ?? null,
    attachments: blocks.attachments ?? null,
    declarations,
    comments,
  };
}

function readSingle(parser: Parser, found: Map<string, Spanned<unknown>>): void {
  const { text, at } = parser.take();
  const kind: Kind<unknown> | undefined = Object.entries(SINGLE).find(([name]) => name === text)?.[1];
  const value = parser.expect(':') ? kind?.read(parser, text) : undefined;
  if (value === undefined) {
    skipToDeclaration(parser);
  } else if (found.has(text)) {
    parser.error('E014', at, `a file has one \`${text}\` block; only the first counts`);
  } else {
    found.set(text, { value, at });
  }
}

/** Reports what begins no declaration and goes on at the next one. */
function readUnknown(parser: Parser): void {
  const { token } = parser;
  if (token.kind === 'word' && isLaterDeclaration(token.text)) {
    parser.later(token.at, `\`${token.text}\` declarations`);
    parser.skipEntry();
    return;
  }
  const fix =
    token.kind === 'word'
      ? didYouMean(token.text, [...Object.keys(NAMED), ...Object.keys(SINGLE)])
      : undefined;
  parser.error('E001', token.at, `expected a declaration, found ${describe(token)}`, fix);
  parser.take();
  skipToDeclaration(parser);
}

/** Skips to the next keyword of a declaration that begins a line. */
function skipToDeclaration(parser: Parser): void {
  parser.node('skipped', () => {
    let lineStart = endsLogicalLine(parser.peek(-1));
    while (parser.token.kind !== 'eof') {
      const { token } = parser;
      const begins = Object.hasOwn(NAMED, token.text) || Object.hasOwn(SINGLE, token.text);
      if (lineStart && token.kind === 'word' && begins) return;
      lineStart = endsLogicalLine(parser.take());
    }
  });
}

/** Whether what follows the token stands first on its line; an error without text only marks layout. */
function endsLogicalLine(token: Token): boolean {
  if (token.kind === 'error') return token.text === '' || token.text.endsWith('\n');
  return endsLine(token) || token.kind === 'indent' || token.kind === 'dedent';
}
