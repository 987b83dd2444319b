import { wordsOf } from '@hearth/store/issue-words.ts';
import type { z } from 'zod';

/** The first thing that is wrong, as in `The body's field "title" must not be empty.` */
export function issueWords(where: string, error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${where} is not as it should be.`;
  const field = issue.path.map(String).join('.');
  const what = field === '' ? where : `${where}'s field "${field}"`;
  return `${what} ${wordsOf(issue)}.`;
}
