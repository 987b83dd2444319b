import type { z } from 'zod';

/*
 * A schema as the TypeScript type of what it reads, without the validator: for declarations that need nothing else.
 */

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

/** The name under which a schema is declared; `undefined` when it has none. */
export type NameOf = (schema: Schema) => string | undefined;

/** The type of a schema, with the names of those that it contains. Throws for a kind of schema that no declaration needs. */
export function typeOf(schema: Schema, nameOf: NameOf): string {
  const inner = (one: Schema): string => nameOf(one) ?? typeOf(one, nameOf);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return written(def, inner);
}

function written(def: Def, inner: (schema: Schema) => string): string {
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'unknown':
      return def.type;
    case 'literal':
      return def.values.map(value => JSON.stringify(value)).join(' | ');
    case 'enum':
      return Object.values(def.entries)
        .map(value => JSON.stringify(value))
        .join(' | ');
    case 'array':
      return `Array<${inner(def.element)}>`;
    case 'union':
      return `(${def.options.map(inner).join(' | ')})`;
    case 'nullable':
      return `(${inner(def.innerType)} | null)`;
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.out);
    case 'record':
      return `Partial<Record<${inner(def.keyType)}, ${inner(def.valueType)}>>`;
    case 'template_literal':
      return `\`${def.parts.map(part => (isSchema(part) ? `\${${inner(part)}}` : String(part))).join('')}\``;
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => {
        const optional = field._zod.optout === 'optional' ? '?' : '';
        return `${JSON.stringify(name)}${optional}: ${inner(field)};`;
      });
      const rest = def.catchall?._zod.def.type === 'unknown' ? ['[name: string]: unknown;'] : [];
      return `{ ${[...fields, ...rest].join(' ')} }`;
    }
    default:
      throw new Error(`No declaration is known for a schema of the kind "${def.type}".`);
  }
}

function isSchema(part: unknown): part is Schema {
  return typeof part === 'object' && part !== null && '_zod' in part;
}
