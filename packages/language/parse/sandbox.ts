import type { Position } from '../diagnostic.ts';
import { block, id, item, items, map, orSkip, str } from './kinds.ts';
import { INNER, type Kind, type Properties, readProperties } from './properties.ts';

const SANDBOX = {
  mode: id,
  image: str,
  user: str,
  workspace_folder: str,
  post_create: str,
  host_state: id,
  env: map,
  mounts: items,
  network: block({ mode: id, preset: item, inherit: id, rules: items }, INNER),
  build: block({ dockerfile: str, context: str, args: map }, INNER),
} as const;

/** A sandbox in either form. The short form has only a mode; a block without one means `inline`. */
export interface SandboxSyntax {
  readonly mode: string;
  readonly at: Position;
  readonly properties: Properties<typeof SANDBOX>;
}

/** `sandbox:` as one word or as a block. */
export const sandbox: Kind<SandboxSyntax> = {
  read: parser => {
    const { at } = parser;
    if (parser.token.kind === 'word') {
      const mode = parser.name('a sandbox mode')?.value;
      return orSkip(parser, mode === undefined ? undefined : { mode, at, properties: {} });
    }
    const properties = readProperties(parser, SANDBOX, '`sandbox`', INNER);
    return properties === undefined
      ? undefined
      : { mode: properties.mode?.value ?? 'inline', at, properties };
  },
};
