import type { Position } from '../diagnostic.ts';
import { parseTemplate } from '../refs/template-parser.ts';
import type { ScriptLanguage } from '../plan/node.ts';
import { didYouMean } from '../nearest.ts';
import type { Place } from '../compile/report.ts';
import type { Rule } from './rule.ts';

const LANGUAGES: readonly ScriptLanguage[] = ['js', 'node', 'py', 'python', 'python3', 'sh', 'bash'];

/** C004: a tool has either a command or a script, in a known language. An empty one is none. */
export const toolBodies: Rule = (model, report) => {
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax?.kind !== 'tool') continue;
    const { command, script, language } = syntax.properties;
    const place = { at: syntax.name.at, node };
    const wrong = (message: string, more: { readonly at?: Position; readonly fix?: Place['fix'] }): void =>
      report.error('C004', `the tool \`${node}\` ${message}`, { ...place, ...more });
    const bodies = [command, script].filter(one => one !== undefined && one.value !== '');
    if (bodies.length === 0) wrong('has neither a command nor a script', { fix: 'add `command: "…"`' });
    else if (bodies.length === 2) wrong('has both a command and a script', { fix: 'keep one of them' });
    else if (language && bodies[0] === command) {
      wrong('has a language but no script', {
        at: language.at,
        fix: 'write `script:` instead of `command:`',
      });
    }
    for (const text of bodies) {
      const problem = text ? parseTemplate(text.value, model.file.profile).problem : null;
      if (text && problem) wrong(`has ${problem.message}`, { at: text.at });
    }
    if (language && !LANGUAGES.some(one => one === language.value)) {
      wrong(`has the unknown language \`${language.value}\``, {
        at: language.at,
        fix: () => didYouMean(language.value, LANGUAGES) ?? `use one of ${LANGUAGES.join(', ')}`,
      });
    }
  }
};
