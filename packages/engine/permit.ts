import { createHash } from 'node:crypto';
import type { Digest } from '@hearth/protocol/ids.ts';
import { canonicalJson, type Json, type JsonObject } from '@hearth/protocol/json.ts';
import type { PermitCall } from '@hearth/protocol/pause.ts';
import type { ToolCall } from './tool.ts';

/*
 * A call as a person is asked about it. The digest is over the exact arguments, so that leave is for nothing else; what is
 * shown of them is bounded, since a pause is in the state and in every view.
 */

/** The arguments are shown whole up to this size, in characters of JSON. */
const WHOLE = 16 * 1024;
/** Of a longer one, so much of each text. */
const BEGINNING = 1024;
const FIELDS = 32;

/**
 * The call as a permission pause shows it: arguments above 16 KiB are shown in part, the digest is always over all
 * of them.
 */
export function permitOf({ id, name, args }: ToolCall): PermitCall {
  return { id, tool: name, args: shown(args), digest: digestOf(args) };
}

/** Over canonical JSON: equal arguments give equal digests. */
export function digestOf(value: unknown): Digest {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

function shown(args: JsonObject): Json {
  if (canonicalJson(args).length <= WHOLE) return args;
  return Object.fromEntries(
    Object.entries(args)
      .slice(0, FIELDS)
      .map(([name, value]) => {
        const text = typeof value === 'string' ? value : canonicalJson(value);
        if (text.length <= BEGINNING) return [name, value];
        return [name, `${text.slice(0, BEGINNING)} … (${text.length} characters in all)`];
      }),
  );
}
