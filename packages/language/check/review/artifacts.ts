import { backEdges } from '../../compile/graph.ts';
import type { Model } from '../../compile/model.ts';
import { bodyField } from '../../compile/plan-review.ts';
import { fieldsOf, outputSchema } from '../../compile/outputs.ts';
import { LINTS } from '../../lints.ts';
import { didYouMean } from '../../nearest.ts';
import type { Spanned } from '../../parse/parser.ts';
import { repeated } from '../names.ts';
import type { Rule } from '../rule.ts';

/** H011, H014, H015: an artifact is declared once, is made by a node, and is checked by what exists. */
export const artifactDeclarations: Rule = (model, report) => {
  const declared = model.file.declarations.filter(one => one.kind === 'artifact');
  for (const { value, at } of repeated(declared.map(one => one.name))) {
    report.error('H011', `the artifact \`${value}\` is declared twice; only the first counts`, {
      at,
      fix: 'rename one of them, or take one out',
    });
  }
  const made = new Set(publications(model).map(one => one.artifact.value));
  for (const { name, properties } of model.artifacts.values()) {
    if (!made.has(name.value)) {
      report.error('H014', `no node publishes the artifact \`${name.value}\``, {
        at: name.at,
        fix: `add \`publish: ${name.value}\` to the node that writes it`,
      });
    }
    const { lint } = properties;
    if (lint && !LINTS.includes(lint.value)) {
      report.error('H015', `there is no lint \`${lint.value}\``, {
        at: lint.at,
        fix: () => didYouMean(lint.value, LINTS) ?? `use ${LINTS.join(' or ')}`,
      });
    }
  }
};

/** H010: every artifact that is named is declared. */
export const artifactNames: Rule = (model, report) => {
  for (const { name, node, edge } of namedArtifacts(model)) {
    if (model.artifacts.has(name.value)) continue;
    report.error('H010', `the artifact \`${name.value}\` is not declared`, {
      at: name.at,
      node,
      edge,
      fix: () => didYouMean(name.value, model.artifacts.keys()) ?? `declare it: \`artifact ${name.value}:\``,
    });
  }
};

/** H012: no artifact is made from itself, over any number of others. */
export const artifactCycles: Rule = (model, report) => {
  const edges = [...model.artifacts.values()].flatMap(({ name, properties }) =>
    (properties.from?.value ?? []).map(({ value, at }) => ({ from: name.value, to: value, at })),
  );
  for (const { from, to, at } of backEdges(edges, model.artifacts.keys())) {
    const message =
      from === to
        ? `the artifact \`${from}\` is made from itself`
        : `the artifact \`${from}\` is made from \`${to}\`, which is made from it`;
    report.error('H012', message, { at, fix: `take \`${to}\` out of this \`from\`` });
  }
};

/** H013: the node that publishes a declared artifact puts out its text, as a string. */
export const artifactBodies: Rule = (model, report) => {
  for (const { node, artifact } of publications(model)) {
    const declared = model.artifacts.get(artifact.value);
    if (declared === undefined) continue;
    const field = bodyField(declared.properties);
    const schema = outputSchema(model, node);
    const type = schema ? fieldsOf(schema).get(field)?.type : undefined;
    if (type === 'string') continue;
    const has = type === undefined ? 'puts out no field' : `puts out as a ${type} the field`;
    report.error('H013', `\`${node}\` publishes \`${artifact.value}\` but ${has} \`${field}\`, its text`, {
      at: artifact.at,
      node,
      fix: `add \`${field}: string\` to its output schema, or name another field as \`body\` of the artifact`,
    });
  }
};

interface Publication {
  readonly node: string;
  readonly artifact: Spanned<string>;
}

function publications(model: Model): readonly Publication[] {
  return [...model.nodes.values()].flatMap(({ name, syntax }) => {
    const publish = syntax && 'publish' in syntax.properties ? syntax.properties.publish : undefined;
    return publish ? [{ node: name, artifact: publish }] : [];
  });
}

interface NamedArtifact {
  readonly name: Spanned<string>;
  readonly node?: string;
  readonly edge?: string;
}

/** Every place that names an artifact which must be declared, in the order of the file's parts. */
function namedArtifacts(model: Model): readonly NamedArtifact[] {
  const named: NamedArtifact[] = [];
  for (const { properties } of model.artifacts.values()) {
    for (const name of properties.from?.value ?? []) named.push({ name });
  }
  for (const { name: node, syntax } of model.nodes.values()) {
    if (syntax === null) continue;
    if (syntax.kind === 'review' && syntax.properties.artifact) {
      named.push({ name: syntax.properties.artifact, node });
    }
    if ('requires' in syntax.properties) {
      for (const name of syntax.properties.requires?.value ?? []) named.push({ name, node });
    }
    if (!('actions' in syntax.properties)) continue;
    for (const { modifiers } of syntax.properties.actions?.value ?? []) {
      for (const one of modifiers) {
        if (one.is === 'reopens' || one.is === 'notes') named.push({ name: one.target, node });
      }
    }
  }
  for (const { opens, label } of model.edges) for (const name of opens) named.push({ name, edge: label });
  return named;
}
