import { describe } from '../lex/token.ts';
import { compaction, interaction } from './agent.ts';
import { attachments } from './attachments.ts';
import { type EdgeSyntax, readEdges } from './edge.ts';
import { type Declaration, readDeclaration } from './header.ts';
import { block, id, int, num, refs, str, words } from './kinds.ts';
import { isLaterProperty } from './later.ts';
import { mcp } from './mcp.ts';
import type { Parser } from './parser.ts';
import { permissions } from './permissions.ts';
import {
  inProfile2,
  type Properties,
  propertiesOf,
  type Property,
  readProperty,
  type Table,
} from './properties.ts';
import { sandbox } from './sandbox.ts';
import { vars } from './vars.ts';

const LIMITS = { max_duration: str, max_cost_usd: num, max_tokens: int, max_iterations: int } as const;

const WORKFLOW = {
  vars,
  attachments,
  mcp,
  entry: id,
  budget: block({
    ...LIMITS,
    max_parallel_branches: int,
    lifetime: block(LIMITS),
    warn_tokens: inProfile2(int),
    on_exceeded: inProfile2(words(['pause', 'fail'])),
  }),
  loop_budget_guard: inProfile2(id),
  compaction,
  worktree: id,
  sandbox,
  default_backend: str,
  tool_policy: refs,
  capabilities: refs,
  interaction,
  ...permissions,
} as const;

/** The properties of `budget:` and of its `lifetime:`. */
export type LimitsSyntax = Properties<typeof LIMITS>;

/** `workflow NAME:` as written: its properties, and its edges in order. */
export interface WorkflowSyntax extends Declaration<'workflow'> {
  readonly properties: Properties<typeof WORKFLOW>;
  readonly edges: readonly EdgeSyntax[];
}

/** `workflow NAME:` with properties and edges, in any order. */
export function readWorkflow(parser: Parser): WorkflowSyntax | undefined {
  return readDeclaration(parser, 'workflow', () => readBody(parser), 'checked later');
}

function readBody(parser: Parser): Pick<WorkflowSyntax, 'properties' | 'edges'> | undefined {
  const found = new Map<string, Property<unknown>>();
  const edges: EdgeSyntax[] = [];
  const ok = parser.block('the properties and edges of the workflow', () => {
    const { token } = parser;
    if (token.kind === 'word' && isProperty(parser)) {
      readProperty(parser, WORKFLOW, 'the workflow', found);
      return;
    }
    if (token.kind !== 'word') {
      parser.error(
        'E001',
        token.at,
        `expected a property or an edge of the workflow, found ${describe(token)}`,
      );
      parser.skipEntry();
      return;
    }
    const chain = parser.node('edge', () => readEdges(parser));
    if (chain === undefined) parser.skipEntry();
    else for (const edge of chain) edges.push(edge);
  });
  return ok ? { properties: propertiesOf<typeof WORKFLOW>(found), edges } : undefined;
}

/** Whether the line begins with a property of this profile, or with one that is known and passed over. */
function isProperty(parser: Parser): boolean {
  const { text } = parser.token;
  const table: Table = WORKFLOW;
  const kind = Object.hasOwn(table, text) ? table[text] : undefined;
  if (kind !== undefined) return (kind.profile ?? 1) <= parser.profile;
  return parser.profile === 2 && isLaterProperty(text) && parser.peek(1).text === ':';
}
