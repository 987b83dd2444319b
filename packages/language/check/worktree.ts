import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** C142: a word for `worktree` that means nothing. Profile 1 accepts it, so it is only warned about. */
export const worktree: Rule = ({ workflow }, report) => {
  const mode = workflow.properties.worktree;
  if (!mode || mode.value === 'auto' || mode.value === 'none') return;
  report.warn('C142', `\`${mode.value}\` is no worktree mode and is read as \`none\``, {
    at: mode.at,
    fix: didYouMean(mode.value, ['auto', 'none']),
  });
};
