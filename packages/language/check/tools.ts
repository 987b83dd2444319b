import { parseTemplate } from '../refs/template-parser.ts';
import type { Rule } from './rule.ts';

const LANGUAGES: readonly string[] = ['js', 'node', 'py', 'python', 'python3', 'sh', 'bash'];

/** C004: a tool has either a command or a script, in a known language. */
export const toolBodies: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'tool') continue;
    const { command, script, language } = syntax.properties;
    const place = { at: syntax.name.at, node };
    if (command && script)
      report.error('C004', `the tool \`${node}\` has both a command and a script`, place);
    if (!command && !script)
      report.error('C004', `the tool \`${node}\` has neither a command nor a script`, place);
    if (language && !script) {
      report.error('C004', `the tool \`${node}\` has a language but no script`, {
        ...place,
        at: language.at,
      });
    } else if (language && !LANGUAGES.includes(language.value)) {
      const message = `the tool \`${node}\` has the unknown language \`${language.value}\``;
      report.error('C004', message, { ...place, at: language.at, fix: `use one of ${LANGUAGES.join(', ')}` });
    }
    for (const text of [command, script]) {
      const problem = text ? parseTemplate(text.value).problem : null;
      if (text && problem) {
        report.error('C004', `the tool \`${node}\` has ${problem.message}`, { ...place, at: text.at });
      }
    }
  }
};
