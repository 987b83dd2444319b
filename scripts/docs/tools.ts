import { boardTools as makeBoardTools } from '@hearth/board/tools.ts';
import { Boards } from '@hearth/board/boards.ts';
import { skillTool } from '@hearth/backends/tools/skill.ts';
import { workspaceTools as readingTools } from '@hearth/backends/tools/workspace-tools.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { code, codes, table } from './markdown.ts';

/** The board's tools, with the capability that a node needs for each. No board is opened. */
export function boardTools(): string {
  const boards = new Boards({
    home: '/',
    disk: nodeDisk,
    clock: systemClock,
    realPath: path => Promise.resolve(path),
  });
  return table(
    ['Tool', 'Capability', 'Changes', 'Takes', 'Does'],
    makeBoardTools(boards).map(tool => [
      code(tool.name),
      code(tool.capability ?? ''),
      tool.mutates ? 'yes' : 'no',
      codes(argumentsOf(tool)),
      tool.description,
    ]),
  );
}

/** The tools that read a workspace; a node gets those that it names. */
export function workspaceTools(): string {
  const skill = skillTool([]);
  const named = { ...skill, description: 'Reads one of the bundle’s skills.' };
  return table(
    ['Tool', 'Takes', 'Does'],
    [...readingTools, named].map(tool => [code(tool.name), codes(argumentsOf(tool)), tool.description]),
  );
}

function argumentsOf(tool: Tool): readonly string[] {
  return Object.keys(Object(tool.input['properties']));
}
