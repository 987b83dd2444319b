import type { Model } from '../compile/model.ts';
import type { Report } from '../compile/report.ts';
import type { SandboxSyntax } from '../parse/sandbox.ts';
import type { Rule } from './rule.ts';

const MODES: readonly string[] = ['none', 'auto', 'inline'];

/** Whether the workflow runs in a sandbox. */
export function sandboxIsActive(model: Model): boolean {
  const mode = model.workflow.properties.sandbox?.value.mode ?? 'none';
  return mode !== 'none';
}

/** C044: what is said about a sandbox is consistent. */
export const sandboxes: Rule = (model, report) => {
  const workflow = model.workflow.properties.sandbox?.value;
  if (workflow) check(workflow, undefined, report);
  for (const { name, syntax } of model.nodes.values()) {
    if (syntax === null || !('sandbox' in syntax.properties) || !syntax.properties.sandbox) continue;
    check(syntax.properties.sandbox.value, name, report);
  }
};

function check({ mode, at, properties }: SandboxSyntax, node: string | undefined, report: Report): void {
  const { host_state: state, image, build } = properties;
  const place = { at, node };
  if (!MODES.includes(mode)) {
    report.error('C044', `\`${mode}\` is no sandbox mode; it is none, auto or inline`, place);
  }
  if (state && state.value !== 'auto' && state.value !== 'none') {
    report.error('C044', `\`${state.value}\` is no host state; it is auto or none`, {
      ...place,
      at: state.at,
    });
  }
  if (mode === 'inline' && !image && !build) {
    report.error('C044', 'an inline sandbox needs an image or a build', place);
  }
  if (image && build)
    report.error('C044', 'a sandbox has either an image or a build', { ...place, at: build.key });
}
