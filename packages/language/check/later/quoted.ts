import { parseTemplate, refText } from '../../refs/template-parser.ts';
import type { Template, TemplateRef } from '../../refs/template.ts';
import type { Rule } from '../rule.ts';

/** What is put into a command as it is known only to the engine: within quotes it breaks out of them. */
const UNSAFE: readonly string[] = ['artifacts', 'attachments', 'loop'];

/** C137: a value is quoted for the shell when it is put into a command, so that it may not stand in quotes there. */
export const quotedReferences: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    const command = syntax?.kind === 'tool' ? syntax.properties.command : undefined;
    if (command === undefined) continue;
    for (const ref of inQuotes(parseTemplate(command.value, model.file.profile).template)) {
      const message = `\`${refText(ref)}\` stands in quotes in the command of \`${node}\`, and is quoted again when it is put in`;
      const place = { at: command.at, node, fix: 'take the quotes around it out' };
      if (UNSAFE.includes(ref.path[0] ?? '')) report.error('C137', message, place);
      else report.warn('C137', message, place);
    }
  }
};

/** The references of a command that stand between quotes. What is put in raw is the author's own affair. */
function inQuotes(template: Template): readonly TemplateRef[] {
  const found: TemplateRef[] = [];
  let open = '';
  for (const part of template) {
    if (typeof part !== 'string') {
      if (open !== '' && !part.raw) found.push(part);
      continue;
    }
    for (let at = 0; at < part.length; at += 1) {
      const char = part[at] ?? '';
      if (char === '\\' && open !== "'") at += 1;
      else if (open === '' && (char === "'" || char === '"')) open = char;
      else if (char === open) open = '';
    }
  }
  return found;
}
