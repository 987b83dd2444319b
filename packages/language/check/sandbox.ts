import { sandboxOf } from '../compile/sandbox.ts';
import type { Report } from '../compile/report.ts';
import type { SandboxSyntax } from '../parse/sandbox.ts';
import type { Rule } from './rule.ts';

/** C044: what is said about a sandbox is consistent. */
export const sandboxes: Rule = (model, report) => {
  const workflow = model.workflow.properties.sandbox?.value;
  if (workflow) check(workflow, undefined, report);
  for (const { name, syntax } of model.nodes.values()) {
    if (syntax === null || !('sandbox' in syntax.properties) || !syntax.properties.sandbox) continue;
    check(syntax.properties.sandbox.value, name, report);
  }
};

function check(syntax: SandboxSyntax, node: string | undefined, report: Report): void {
  const found = sandboxOf(syntax);
  if ('message' in found) report.error('C044', found.message, { at: found.at, node });
}
