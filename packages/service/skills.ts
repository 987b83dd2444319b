import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { parseDocument } from 'yaml';
import { z } from 'zod';

/** A skill of a bundle: what an agent may read when it needs it. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

const Frontmatter = z.looseObject({
  name: z.string().min(1).exactOptional(),
  description: z.string().min(1),
});

/**
 * Reads `skills/<name>/SKILL.md`. The directory's name is the skill's, so that a skill is found where it is named; a
 * frontmatter that cannot be read costs the description and is said, but never loses the skill.
 */
export function readSkill(
  name: string,
  text: string,
): { readonly skill: Skill; readonly diagnostics: readonly Diagnostic[] } {
  const file = `skills/${name}/SKILL.md`;
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [
    null,
    null,
    text,
  ];
  const document = head === null || head === undefined ? null : parseDocument(head, { prettyErrors: false });
  const found = Frontmatter.safeParse(
    document === null || document.errors.length > 0 ? undefined : document.toJS(),
  );
  const skill = { name, description: found.success ? found.data.description : '', body: (body ?? '').trim() };
  const say = (code: string, message: string, fix: string): Diagnostic => ({
    code,
    severity: 'warning',
    message,
    fix,
    file,
    at: { line: 1, column: 1 },
  });
  if (!found.success) {
    const fix = 'Begin the file with "---", a line "description: …" and "---".';
    return {
      skill,
      diagnostics: [say('C232', `The skill "${name}" has no frontmatter with a description.`, fix)],
    };
  }
  if (found.data.name !== undefined && found.data.name !== name) {
    const fix = `Write "name: ${name}", or rename the directory.`;
    return {
      skill,
      diagnostics: [say('C231', `The skill in "${name}" calls itself "${found.data.name}".`, fix)],
    };
  }
  return { skill, diagnostics: [] };
}
