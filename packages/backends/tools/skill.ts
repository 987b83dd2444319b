import type { Tool } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

/** One skill of a bundle: its `SKILL.md` without the front matter. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** `skill`: the text of one of the bundle's skills, given here because a bundle lies outside the workspace. */
export function skillTool(skills: readonly Skill[]): Tool {
  const list = skills.map(skill => `${skill.name}: ${skill.description}`).join('; ');
  return workspaceTool({
    name: 'skill',
    description: `Reads one of this bot's skills before work it describes. Skills: ${list === '' ? 'none' : list}.`,
    args: z.object({ name: z.string().min(1) }),
    title: args => `read the skill ${shown(args['name'])}`,
    run: ({ name }) => {
      const skill = skills.find(one => one.name === name.trim());
      if (skill !== undefined) return Promise.resolve({ content: { name: skill.name, body: skill.body } });
      const names = skills.map(one => one.name).join(', ');
      return Promise.resolve(
        refusal(`There is no skill "${name}"; the skills are: ${names === '' ? 'none' : names}.`),
      );
    },
  });
}
