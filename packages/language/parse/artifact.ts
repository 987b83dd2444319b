import { type Block, readBlock } from './header.ts';
import { id, ids, str } from './kinds.ts';
import type { Parser } from './parser.ts';

const ARTIFACT = { title: str, body: id, lint: id, from: ids } as const;

/** A document that a person confirms: which output field is its text, and the artifacts it was made from. */
export type ArtifactSyntax = Block<'artifact', typeof ARTIFACT>;

/** Reads `artifact NAME:` and its properties; `undefined` when nothing of it can be kept. */
export function readArtifact(parser: Parser): ArtifactSyntax | undefined {
  return readBlock(parser, 'artifact', ARTIFACT, 'refused');
}
