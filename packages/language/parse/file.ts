import type { Diagnostic } from '../diagnostic.ts';
import { Lexer } from '../lex/lexer.ts';
import { type Profile, profileOf } from '../lex/profile.ts';
import { withoutLeading } from '../ends.ts';
import { isStrictEscapes } from '../lex/strings.ts';
import { describe, endsLine, type Token } from '../lex/token.ts';
import { didYouMean } from '../nearest.ts';
import { type AgentSyntax, readAgent, readJudge } from './agent.ts';
import { type ArtifactSyntax, readArtifact } from './artifact.ts';
import { type AttachmentSyntax, attachments } from './attachments.ts';
import { type AwaitAnswersSyntax, readAwaitAnswers } from './await-answers.ts';
import type { PassedOver } from './complaints.ts';
import { type ComputeSyntax, readCompute } from './compute.ts';
import { type CursorSyntax, readCursor } from './cursor.ts';
import { readDsl } from './dsl.ts';
import { type FailSyntax, readFail } from './fail.ts';
import { colon } from './header.ts';
import { type HumanSyntax, readHuman } from './human.ts';
import { beginsImport, readImport } from './import.ts';
import { type PassedDeclaration, passOverDeclaration } from './later-declaration.ts';
import { isLaterDeclaration } from './later.ts';
import { type McpServerSyntax, readMcpServer } from './mcp.ts';
import { NEEDS_PROFILE_2, Parser, type Spanned } from './parser.ts';
import { type PresetSyntax, presets } from './presets.ts';
import { type PromptSyntax, readPrompt } from './prompt.ts';
import type { Kind } from './properties.ts';
import { readReview, type ReviewSyntax } from './review.ts';
import { type RouterSyntax, readRouter } from './router.ts';
import { readSchema, type SchemaSyntax } from './schema.ts';
import { type SecretSyntax, secrets } from './secrets.ts';
import { readTool, type ToolSyntax } from './tool.ts';
import type { Tree } from './tree.ts';
import { type VarSyntax, vars } from './vars.ts';
import { readWorkflow, type WorkflowSyntax } from './workflow.ts';

/*
 * A source file as a whole. Parsing any text gives a lossless tree, what could be understood of it, and what was
 * wrong. Errors never stop it: recovery is at the next line or at the next declaration that begins a line.
 */

/** The declarations of profile 1 that are nodes of the graph. */
export type NodeSyntax = AgentSyntax | RouterSyntax | HumanSyntax | ToolSyntax | ComputeSyntax;

type DeclarationSyntax =
  | NodeSyntax
  | PromptSyntax
  | SchemaSyntax
  | CursorSyntax
  | McpServerSyntax
  | ArtifactSyntax
  | ReviewSyntax
  | FailSyntax
  | AwaitAnswersSyntax
  | WorkflowSyntax;

/** A whole file as written: what was declared, where, and what was written between. */
export interface FileSyntax {
  readonly profile: Profile;
  readonly vars: Spanned<readonly VarSyntax[]> | null;
  readonly presets: Spanned<readonly PresetSyntax[]> | null;
  readonly attachments: Spanned<readonly AttachmentSyntax[]> | null;
  readonly secrets: Spanned<readonly SecretSyntax[]> | null;
  /** Named declarations in file order, without those that were dropped; then the prompts written inline. */
  readonly declarations: readonly DeclarationSyntax[];
  /** Comments between the declarations, trimmed. */
  readonly comments: readonly Spanned<string>[];
  /** Features of the wider language that the file uses and that are passed over. */
  readonly unsupported: readonly Spanned<string>[];
  /** The properties among them, with what is written for them. */
  readonly passedOver: readonly PassedOver[];
  readonly passedDeclarations: readonly PassedDeclaration[];
}

/** What comes of parsing a file. There is always a tree, however broken the file is. */
export interface Parsed {
  readonly tree: Tree;
  readonly file: FileSyntax;
  readonly diagnostics: readonly Diagnostic[];
}

/** A declaration with a name, and the condition under which its word begins one. */
interface Named {
  readonly read: (parser: Parser) => DeclarationSyntax | undefined;
  readonly begins?: (parser: Parser) => boolean;
}

/** A contextual word begins a declaration only where a name follows. */
const beforeName = (parser: Parser): boolean => parser.peek(1).kind === 'word' && parser.peek(2).text === ':';

const NAMED: Readonly<Record<string, Named>> = {
  mcp_server: { read: readMcpServer },
  prompt: { read: readPrompt },
  schema: { read: readSchema },
  cursor: { read: readCursor },
  agent: { read: readAgent },
  judge: { read: readJudge },
  router: { read: readRouter },
  human: { read: readHuman },
  tool: { read: readTool },
  compute: { read: readCompute },
  artifact: { read: readArtifact, begins: beforeName },
  review: { read: readReview, begins: beforeName },
  fail: { read: readFail, begins: parser => parser.profile === 2 && beforeName(parser) },
  await_answers: { read: readAwaitAnswers, begins: parser => parser.profile === 2 && beforeName(parser) },
  workflow: { read: readWorkflow },
};

/** Declarations without a name, allowed once. */
const SINGLE = { vars, presets, attachments, secrets } as const;

/** Parses a source under the name that its diagnostics carry. */
export function parse(source: string, fileName: string): Parsed {
  return parseWith(source, fileName, 'tree');
}

/** What a source means and what is wrong with it, for who does not want its tree: a long one costs half as much. */
export function read(source: string, fileName: string): Pick<Parsed, 'file' | 'diagnostics'> {
  const { file, diagnostics } = parseWith(source, fileName, 'no tree');
  return { file, diagnostics };
}

function parseWith(source: string, fileName: string, wanted: 'tree' | 'no tree'): Parsed {
  const profile = profileOf(source);
  const parser = new Parser(new Lexer(source, profile), fileName, profile, wanted === 'tree');
  return parser.node('file', tree => ({
    tree,
    file: readFile(parser),
    diagnostics: parser.complaints.finish(),
  }));
}

function readFile(parser: Parser): FileSyntax {
  const single = new Map<string, Spanned<unknown>>();
  const declarations: DeclarationSyntax[] = [];
  const comments: Spanned<string>[] = [];
  let first = true;
  while (parser.token.kind !== 'eof') {
    const { token } = parser;
    if (endsLine(token) || token.kind === 'dedent') {
      if (token.kind === 'comment') comments.push(commentOf(parser, token));
      parser.take();
      continue;
    }
    const named = beginsNamed(parser);
    if (parser.is('dsl') && parser.peek(1).text === ':') {
      parser.node('dsl', () => readDsl(parser, first));
    } else if (beginsImport(parser)) {
      parser.node('import', () => readImport(parser, declarations.length === 0 && single.size === 0));
    } else if (beginsSingle(parser)) {
      parser.node(token.text, () => readSingle(parser, single));
    } else if (named !== undefined) {
      const declaration = parser.node(token.text, () => named.read(parser));
      if (declaration === undefined) skipToDeclaration(parser);
      else declarations.push(declaration);
    } else {
      readUnknown(parser);
    }
    first = false;
  }
  parser.take();
  // Each was read by the kind of its name.
  const blocks = Object.fromEntries(single) as Partial<Pick<FileSyntax, keyof typeof SINGLE>>;
  return {
    vars: blocks.vars ?? null,
    presets: blocks.presets ?? null,
    attachments: blocks.attachments ?? null,
    secrets: blocks.secrets ?? null,
    profile: parser.profile,
    declarations: [...declarations, ...parser.inlinePrompts.values()],
    comments,
    unsupported: parser.complaints.unsupported,
    passedOver: parser.complaints.passedOver,
    passedDeclarations: parser.complaints.passedDeclarations,
  };
}

function commentOf(parser: Parser, { text, at }: Token): Spanned<string> {
  if (parser.profile === 2 && isStrictEscapes(text)) {
    parser.error('E042', at, 'profile 2 always has real escapes and knows no `strict-escape`');
  }
  return { value: withoutLeading(text, '#').trim(), at };
}

/** The named declaration that begins at the current token. */
function beginsNamed(parser: Parser): Named | undefined {
  const { text, kind } = parser.token;
  const named = kind === 'word' && Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  return named?.begins?.(parser) === false ? undefined : named;
}

function beginsSingle(parser: Parser): boolean {
  const { text, kind } = parser.token;
  return kind === 'word' && Object.hasOwn(SINGLE, text) && (text !== 'secrets' || parser.profile === 2);
}

function readSingle(parser: Parser, found: Map<string, Spanned<unknown>>): void {
  const { text, at } = parser.take();
  const kind: Kind<unknown> | undefined = Object.entries(SINGLE).find(([name]) => name === text)?.[1];
  const value = colon(parser) ? kind?.read(parser, text) : undefined;
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
  if (parser.profile === 2 && parser.is('project_root') && parser.peek(1).text === ':') {
    const fix = 'take the line out: a run works where its person is';
    parser.error('E043', token.at, '`project_root` is no part of the language any more', fix);
    parser.skipEntry();
    return;
  }
  if (parser.profile === 2 && token.kind === 'word' && isLaterDeclaration(token.text)) {
    passOverDeclaration(parser);
    return;
  }
  const fix = (): string | undefined => {
    if (token.kind !== 'word') return undefined;
    if (parser.profile === 1 && (token.text === 'fail' || token.text === 'secrets')) return NEEDS_PROFILE_2;
    return didYouMean(token.text, [...Object.keys(NAMED), ...Object.keys(SINGLE)]);
  };
  parser.error('E001', token.at, `expected a declaration, found ${describe(token)}`, fix);
  parser.take();
  skipToDeclaration(parser);
}

/** Skips to the next keyword of a declaration that begins a line. */
function skipToDeclaration(parser: Parser): void {
  parser.node('skipped', () => {
    let lineStart = endsLogicalLine(parser.peek(-1));
    while (parser.token.kind !== 'eof') {
      if (lineStart && (beginsSingle(parser) || beginsNamed(parser) !== undefined)) return;
      lineStart = endsLogicalLine(parser.take());
    }
  });
}

/** Whether what follows the token stands first on its line; an error without text only marks layout. */
function endsLogicalLine(token: Token): boolean {
  if (token.kind === 'error') return token.text === '' || token.text.endsWith('\n');
  return endsLine(token) || token.kind === 'indent' || token.kind === 'dedent';
}
