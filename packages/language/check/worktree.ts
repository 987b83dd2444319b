import { didYouMean } from '../nearest.ts';
import type { Rule } from './rule.ts';

const MODES: readonly string[] = ['auto', 'none'];

/** C142, H035: a word for `worktree` that means nothing. Profile 1 accepts it, so there it is only warned about. */
export const worktree: Rule = ({ file, workflow }, report) => {
  const mode = workflow.properties.worktree;
  if (!mode || MODES.includes(mode.value)) return;
  const place = { at: mode.at, fix: () => didYouMean(mode.value, MODES) ?? 'write `auto` or `none`' };
  if (file.profile === 2) report.error('C142', `\`${mode.value}\` is no worktree mode`, place);
  else report.warn('H035', `\`${mode.value}\` is no worktree mode and is read as \`none\``, place);
};
