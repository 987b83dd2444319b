import type { Location, Range, WorkspaceEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Desk, Open } from './desk.ts';
import { type Name, namesInPrompt, sameThing } from './names.ts';
import { Shapes } from './shapes.ts';

/*
 * From a name to where it is declared and used, in the graph and in the prompts that have files of their own.
 */

/** The name at a place, its end included, where a cursor stands behind it. */
export function nameAt({ names }: Open, offset: number): Name | undefined {
  return names.find(({ start, end }) => start <= offset && offset <= end);
}

/** Where the name at a place is declared. */
export function definitionAt(desk: Desk, open: Open, offset: number): Location | null {
  const name = nameAt(open, offset);
  if (name === undefined) return null;
  const declared = declarationOf(open, name);
  if (declared !== undefined) return locationIn(open.graph.document, declared);
  const file = name.kind === 'prompt' ? open.prompts.get(name.text) : undefined;
  return file === undefined ? null : locationIn(desk.documentOf(file), { start: 0, end: 0 });
}

/** Every place at which the thing at a place is named. */
export function referencesAt(desk: Desk, open: Open, offset: number, withDeclaration: boolean): Location[] {
  const name = nameAt(open, offset);
  if (name === undefined) return [];
  return occurrencesOf(desk, open, name)
    .filter(([, one]) => withDeclaration || one.role === 'used')
    .map(([document, one]) => locationIn(document, one));
}

/**
 * The name at a place, when it can be renamed: when the graph declares it. A field cannot, since outputs of models and
 * other nodes carry it where nobody sees.
 */
export function renameableAt(open: Open, offset: number): Range | null {
  const name = nameAt(open, offset);
  if (name === undefined || name.kind === 'field' || declarationOf(open, name) === undefined) return null;
  return locationIn(open.document, name).range;
}

/** The edits that rename the thing at a place; a sentence when it cannot be. */
export function renamingOf(desk: Desk, open: Open, offset: number, to: string): WorkspaceEdit | string {
  const name = nameAt(open, offset);
  if (name === undefined || renameableAt(open, offset) === null) return 'What stands here cannot be renamed.';
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(to)) {
    return `"${to}" is no name: use letters, digits and underscores, and begin with no digit.`;
  }
  const taken = open.graph.names.some(
    one => one.role === 'declared' && sameThing(one, { ...name, text: to }),
  );
  if (taken && to !== name.text) return `There is a ${name.kind} "${to}" already: choose another name.`;
  const changes: Record<string, { range: Range; newText: string }[]> = {};
  for (const [document, one] of occurrencesOf(desk, open, name)) {
    (changes[document.uri] ??= []).push({ range: locationIn(document, one).range, newText: to });
  }
  return { changes };
}

function declarationOf({ graph }: Open, name: Name): Name | undefined {
  return graph.names.find(one => one.role === 'declared' && sameThing(one, name));
}

function occurrencesOf(
  desk: Desk,
  { graph, prompts }: Open,
  name: Name,
): readonly (readonly [TextDocument, Name])[] {
  const shapes = new Shapes(graph.source.parsed.file);
  const inGraph = graph.names.map(one => [graph.document, one] as const);
  const inPrompts = Array.from(prompts).flatMap(([prompt, file]) => {
    const document = desk.documentOf(file);
    return namesInPrompt(document.getText(), prompt, shapes).map(one => [document, one] as const);
  });
  return [...inGraph, ...inPrompts].filter(([, one]) => sameThing(one, name));
}

function locationIn(document: TextDocument, { start, end }: Pick<Name, 'start' | 'end'>): Location {
  return { uri: document.uri, range: { start: document.positionAt(start), end: document.positionAt(end) } };
}
