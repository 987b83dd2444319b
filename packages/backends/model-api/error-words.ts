import { z } from 'zod';

/*
 * What an error of a request says, whoever wrapped it. Nothing of it is fit to be shown as it is: a provider's words may
 * repeat what was sent.
 */

const Known = z.looseObject({
  name: z.string().catch(''),
  message: z.string().catch(''),
  type: z.string().catch(''),
  code: z.union([z.string(), z.number()]).catch(''),
  statusCode: z.number().nullable().catch(null),
  responseBody: z.string().catch(''),
  responseHeaders: z.record(z.string(), z.string()).catch({}),
});
type Known = z.infer<typeof Known>;

/** What is known of an error, each field empty where it does not say. */
export function knownOf(error: unknown): Known {
  if (error instanceof Error) return Known.parse(fieldsOf(error));
  return Known.parse(typeof error === 'object' && error !== null ? error : {});
}

/** An error's own fields, its name and its message. */
function fieldsOf(error: Error): Readonly<Record<string, unknown>> {
  return { ...Object.fromEntries(Object.entries(error)), name: error.name, message: error.message };
}

/** An error and what it was made of, the outermost first. */
export function chain(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && found.length < 8; ) {
    found.push(one);
    const {
      cause,
      lastError,
      error: inner,
    }: { cause?: unknown; lastError?: unknown; error?: unknown } = typeof one === 'object' ? one : {};
    one = cause ?? lastError ?? inner;
  }
  return found;
}

/** What an error says of its kind; never what was asked, which it may hold too. */
export function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { name, message, type, code } = knownOf(error);
  return [name, message, type, code].join(' ');
}

/** All that an error says, with what the provider answered. */
export function allWordsOf(error: unknown): string {
  return chain(error)
    .flatMap(one => [wordsOf(one), typeof one === 'object' ? knownOf(one).responseBody : ''])
    .join(' ');
}
