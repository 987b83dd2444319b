import type { Diagnostic } from '@hearth/language/diagnostic.ts';
import { z } from 'zod';
import { readYaml } from './yaml-text.ts';

/** A skill of a bundle: what an agent may read when it needs it. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** A skill as its file tells it. */
export interface ReadSkill {
  readonly skill: Skill;
  /** What its frontmatter calls it, when that is not its directory's name. */
  readonly alias: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

const Frontmatter = z.looseObject({
  name: z.string().min(1).exactOptional(),
  description: z.string().min(1),
});

/** A description of fewer characters tells an agent nothing about when to read the skill. */
const SHORT = 10;

/**
 * Reads `skills/<name>/SKILL.md`. The directory's name is the skill's, so that a skill is found where it is named; a
 * frontmatter that cannot be read costs the description and is said, but never loses the skill.
 */
export function readSkill(name: string, text: string): ReadSkill {
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [
    null,
    null,
    text,
  ];
  const yaml = head === null || head === undefined ? null : readYaml(head);
  const found = Frontmatter.safeParse(yaml === null || 'problem' in yaml ? undefined : yaml.value);
  const skill = { name, description: found.success ? found.data.description : '', body: (body ?? '').trim() };
  if (!found.success) {
    const fix = 'Begin the file with "---", a line "description: …" and "---".';
    const message = `The skill "${name}" has no frontmatter with a description.`;
    return { skill, alias: null, diagnostics: [warning('C232', name, message, fix)] };
  }
  const diagnostics: Diagnostic[] = [];
  const alias = found.data.name === undefined || found.data.name === name ? null : found.data.name;
  if (alias !== null) {
    const fix = `Write "name: ${name}", or rename the directory.`;
    diagnostics.push(warning('C231', name, `The skill in "${name}" calls itself "${alias}".`, fix));
  }
  if (Array.from(skill.description.trim()).length < SHORT) {
    const fix = 'Say in one sentence when an agent should read it.';
    diagnostics.push(
      warning('C233', name, `The description of the skill "${name}" is too short to choose by.`, fix),
    );
  }
  return { skill, alias, diagnostics };
}

/** The skills of one bundle, and what is to be said about them. No two should call themselves the same. */
export function skillsTogether(read: readonly ReadSkill[]): {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const called = new Map<string, string>(read.map(({ skill }) => [skill.name, skill.name]));
  const diagnostics: Diagnostic[] = [];
  for (const { skill, alias, diagnostics: own } of read) {
    diagnostics.push(...own);
    if (alias === null) continue;
    const other = called.get(alias);
    if (other !== undefined) {
      const message = `The skills "${other}" and "${skill.name}" both call themselves "${alias}".`;
      diagnostics.push(warning('C234', skill.name, message, 'Give each a name of its own.'));
    }
    called.set(alias, skill.name);
  }
  return { skills: read.map(({ skill }) => skill), diagnostics };
}

function warning(code: string, skill: string, message: string, fix: string): Diagnostic {
  const file = `skills/${skill}/SKILL.md`;
  return { code, severity: 'warning', message, fix, file, at: { line: 1, column: 1 } };
}
