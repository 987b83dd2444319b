/*
 * Prompts that hold more than a person's message put each thing between `<name>` and `</name>` on lines of their own, so
 * that a model, and a rehearsal, can tell them apart.
 */

/** The parts of a prompt, by name; several of one name are joined by a line's end. */
export function partsOf(prompt: string): Readonly<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const [, name = '', text = ''] of prompt.matchAll(/^<([a-z_]+)>\n([\s\S]*?)\n?<\/\1>$/gm)) {
    parts[name] = [parts[name], text].filter(one => one !== undefined && one !== '').join('\n');
  }
  return parts;
}

/** What the person said last in a prompt that has parts; `null` for one without them. */
export function saidIn(prompt: string): string | null {
  const { change, question, message, request } = partsOf(prompt);
  return change ?? question ?? message ?? request ?? null;
}
