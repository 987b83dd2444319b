import type { Model } from '../../compile/model.ts';
import { inputSchema, outputSchema } from '../../compile/outputs.ts';
import type { Place, Report } from '../../compile/report.ts';
import type { Expr } from '../../expr/ast.ts';
import { arityProblem } from '../../expr/functions.ts';
import { ANY, divides, type Known, type PathTypes, type TypeFault, typeOf } from '../../expr/typing.ts';
import type { SchemaSyntax } from '../../parse/schema.ts';
import type { Type } from '../../plan.ts';
import type { Rule } from '../rule.ts';

/** An expression of the source: where it stands, and which input its names are fields of. */
interface Written {
  readonly expr: Expr;
  readonly place: Place;
  readonly input: SchemaSyntax | null;
  /** The type of the field that it fills; null for a condition. */
  readonly field: Type | null;
  readonly what: string;
}

/** C138: each function gets as many arguments as it takes. */
export const expressionCalls: Rule = (model, report) => {
  for (const { expr, place, what } of expressionsOf(model)) {
    for (const problem of callProblems(expr)) report.error('C138', `${what}: ${problem}`, place);
  }
};

const CODES: Readonly<Record<TypeFault['is'], 'C107' | 'C120' | 'C121'>> = {
  operands: 'C107',
  index: 'C120',
  never: 'C121',
};

/** C107, C108, C120, C121, C146: what an expression does can be done with what it is given. */
export const expressionTypes: Rule = (model, report) => {
  for (const { expr, place, input, field, what } of expressionsOf(model)) {
    const faults: TypeFault[] = [];
    const type = typeOf(expr, pathTypes(model, input), faults);
    for (const { is, problem } of faults) {
      const message = `${what}: ${problem}`;
      if (is === 'never') report.error(CODES[is], message, place);
      else report.warn(CODES[is], message, place);
    }
    if (field === null) reportNumber(type, what, place, report);
    if (field === 'int' && divides(expr)) {
      const fix = 'put `floor(…)` or `round(…)` around it';
      report.warn('C146', `${what} is an int and is made by a division`, { ...place, fix });
    }
  }
};

function reportNumber({ is }: Known, what: string, place: Place, report: Report): void {
  if (is !== 'number' && is !== 'whole') return;
  report.warn('C108', `${what} is a number, and holds when it is not 0`, {
    ...place,
    fix: 'compare it, for example with `> 0`',
  });
}

function expressionsOf(model: Model): readonly Written[] {
  const found: Written[] = [];
  for (const [node, fields] of model.fields) {
    const output = outputSchema(model, node);
    for (const { entry, parsed } of fields) {
      if (!parsed.ok) continue;
      const name = entry.name.value;
      const field = output?.fields.find(one => one.name.value === name)?.type ?? 'json';
      const place = { at: entry.value.at, node };
      found.push({
        expr: parsed.expr,
        place,
        input: inputSchema(model, node),
        field,
        what: `the expression of \`${name}\``,
      });
    }
  }
  for (const { when, from, label } of model.edges) {
    if (when?.is !== 'expr') continue;
    const place = { at: when.at, node: from, edge: label };
    const what = 'the condition of the edge';
    found.push({ expr: when.expr, place, input: outputSchema(model, from), field: null, what });
  }
  return found;
}

function callProblems(expr: Expr): readonly string[] {
  const found: string[] = [];
  const left: Expr[] = [expr];
  for (let one = left.pop(); one; one = left.pop()) {
    if (one.is === 'call') {
      const problem = arityProblem(one.name, one.args.length);
      if (problem !== null) found.push(problem);
      left.push(...one.args.toReversed());
    } else if (one.is === 'binary') left.push(one.right, one.left);
    else if (one.is === 'not' || one.is === 'negate') left.push(one.of);
    else if (one.is === 'index') left.push(one.at, one.of);
    else if (one.is === 'lambda') left.push(one.body);
  }
  return found;
}

const TYPES: Readonly<Record<Type, Known>> = {
  string: { is: 'string' },
  bool: { is: 'bool' },
  int: { is: 'whole' },
  float: { is: 'number' },
  json: ANY,
  'string[]': { is: 'list', items: { is: 'string' } },
};

const LOOP: Readonly<Record<string, Known>> = { iteration: { is: 'whole' }, max: { is: 'whole' } };

/** What the namespaces of the model hold. A path below a field is not followed. */
function pathTypes(model: Model, input: SchemaSyntax | null): PathTypes {
  return ([namespace, first = '', second, ...rest]) => {
    if (namespace === 'input') return second === undefined ? fieldType(input, first) : ANY;
    if (namespace === 'vars') {
      const declared = second === undefined ? model.vars.get(first) : undefined;
      return declared === undefined ? ANY : TYPES[declared.type];
    }
    if (second === undefined || rest.length > 0) return ANY;
    if (namespace === 'outputs') return fieldType(outputSchema(model, first), second);
    return (namespace === 'loop' && Object.hasOwn(LOOP, second) ? LOOP[second] : undefined) ?? ANY;
  };
}

function fieldType(schema: SchemaSyntax | null, name: string): Known {
  const field = schema?.fields.find(one => one.name.value === name);
  if (field === undefined) return ANY;
  if (field.enum === undefined) return TYPES[field.type];
  const of: Known = { is: 'string', of: field.enum };
  return field.type === 'string'
    ? of
    : field.type === 'string[]'
      ? { is: 'list', items: of }
      : TYPES[field.type];
}
