import { secretsIn } from '@hearth/backends/secret-variable.ts';
import type { Environment } from './choice.ts';

/*
 * What must never be shown. A secret is known by its name in the environment or by being the home's token; from then on it
 * is found by its value, wherever it turns up: in what a tool printed, what a provider complained of, in a log or an error.
 */

/** A shorter value is no secret worth the name, and would be found in ordinary words. */
export const SHORTEST = 8;

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** The environment without what must not be handed on. */
export function withoutSecrets(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && secretsIn(entry[0], entry[1]).length === 0,
    ),
  );
}

/** Takes secrets out of texts and values. */
export class Redactor {
  /** The longest first, so that none is hidden by a part of it. */
  #values: readonly string[] = [];

  constructor(env: Environment = {}) {
    for (const [name, value] of Object.entries(env))
      for (const secret of secretsIn(name, value ?? '')) this.add(secret);
  }

  /** Another secret, such as the home's token. */
  add(value: string): void {
    const secret = value.trim();
    if (secret.length < SHORTEST || this.#values.includes(secret)) return;
    this.#values = [...this.#values, secret].toSorted((a, b) => b.length - a.length);
  }

  text(text: string): string {
    return this.#values.reduce((kept, secret) => kept.replaceAll(secret, REDACTED), text);
  }

  /** The bytes of a text; the same bytes when there is none in them. */
  bytes(bytes: Uint8Array): Uint8Array {
    const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!this.#values.some(secret => held.includes(secret))) return bytes;
    return new TextEncoder().encode(this.text(held.toString('utf8')));
  }

  /** A value of any shape, its texts and the names in it without secrets; the same value when there is none. */
  value<T>(value: T): T {
    // What comes back has the shape of what went in.
    return this.#inner(value) as T;
  }

  #inner(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) {
      const inner = value.map(one => this.#inner(one));
      return inner.some((one, index) => one !== value[index]) ? inner : value;
    }
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    const entries = Object.entries(value);
    const inner = entries.map(([name, one]): [string, unknown] => [this.text(name), this.#inner(one)]);
    const same = inner.every(
      ([name, one], index) => name === entries[index]?.[0] && one === entries[index][1],
    );
    return same ? value : Object.fromEntries(inner);
  }
}
