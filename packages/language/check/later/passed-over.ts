import type { Model } from '../../compile/model.ts';
import type { Report } from '../../compile/report.ts';
import { durationOf } from '../../duration.ts';
import { didYouMean } from '../../nearest.ts';
import type { PassedOver } from '../../parse/complaints.ts';
import type { Rule } from '../rule.ts';

/*
 * What is passed over (H003) is judged all the same where its line says enough, so that a source keeps its verdict when
 * the feature arrives (docs/adr/0021).
 */

/** Properties that are one of some words. */
const WORDS: Readonly<Record<string, { readonly code: string; readonly words: readonly string[] }>> = {
  compress: { code: 'C102', words: ['on', 'off', 'ultra'] },
  policy: { code: 'C103', words: ['required', 'recover', 'best_effort'] },
  auto_memory: { code: 'C131', words: ['on', 'off'] },
  repo_devbox: { code: 'C134', words: ['auto', 'on', 'off', 'none'] },
  workspace_checkpoint: { code: 'C139', words: ['auto', 'on', 'off', 'none'] },
};

/** C102, C103, C122, C131, C134, C139: what is passed over is written as it will be read. */
export const passedOverValues: Rule = ({ file, nodes }, report) => {
  for (const { word, value, owner } of file.passedOver) {
    const node = nodes.has(owner) ? owner : undefined;
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (known && !known.words.includes(value.value)) {
      const list = known.words.map(one => `\`${one}\``).join(', ');
      report.error(known.code, `\`${word}\` is one of ${list}, not \`${value.value}\``, {
        at: value.at,
        node,
        fix: () => didYouMean(value.value, known.words) ?? `write ${list}`,
      });
    } else if (word === 'timeout' && !value.value.includes('$') && !durationOf(value.value)) {
      report.error('C122', `the timeout \`${value.value}\` of \`${owner}\` cannot be read`, {
        at: value.at,
        node,
        fix: 'write it like `45s`, `10m` or `1h30m`',
      });
    }
  }
};

type Own = ReadonlyMap<string, PassedOver>;

/** C049, C100, C104 to C106, C113 to C115, C195, C260 to C263, C266: what is passed over on one node goes together. */
export const passedOverTogether: Rule = (model, report) => {
  const nodes = new Map<string, Map<string, PassedOver>>();
  for (const one of model.file.passedOver) {
    const own = nodes.get(one.owner) ?? new Map<string, PassedOver>();
    nodes.set(one.owner, own.set(one.word, one));
  }
  for (const [node, own] of nodes) {
    const kind = model.nodes.get(node)?.kind;
    if (kind === undefined) continue;
    if (kind === 'router') checkEach(model, node, own, report);
    checkReview(model, node, own, report);
    if (kind === 'tool') checkRecovery(model, node, own, report);
    if (kind === 'tool') checkConnector(node, own, report);
    checkLabels(model, node, own, report);
    const needs = own.get('needs');
    if (needs && !model.file.passedOver.some(one => one.word === 'resources')) {
      const message = `\`${node}\` needs a resource, and the workflow declares none`;
      report.error('C195', message, {
        at: needs.at,
        node,
        fix: 'declare it under `resources:` of the workflow',
      });
    }
  }
};

function checkLabels(model: Model, node: string, own: Own, report: Report): void {
  const labels = own.get('artifact_labels');
  const syntax = model.nodes.get(node)?.syntax;
  if (!labels || !syntax || ('publish' in syntax.properties && syntax.properties.publish)) return;
  const message = `\`${node}\` labels an artifact, and publishes none`;
  report.warn('C049', message, { at: labels.at, node, fix: 'add `publish: NAME`, or take the labels out' });
}

function checkEach(model: Model, node: string, own: Own, report: Report): void {
  const mode = own.get('mode');
  if (!mode) {
    for (const word of ['over', 'key', 'depends_on']) {
      const stray = own.get(word);
      if (!stray) continue;
      const message = `\`${word}\` says nothing on \`${node}\`, whose mode is not \`fan_out_each\``;
      report.error('C114', message, {
        at: stray.at,
        node,
        fix: 'take it out, or write `mode: fan_out_each`',
      });
    }
    return;
  }
  if (!own.has('over')) {
    const message = `\`${node}\` fans out for each element, and names no list`;
    report.error('C113', message, { at: mode.at, node, fix: 'add `over: "{{outputs.NODE.FIELD}}"`' });
  }
  const edges = model.edges.filter(edge => edge.from === node);
  if (edges.length === 1) return;
  const message = `\`${node}\` fans out for each element along one edge, and has ${edges.length}`;
  report.error('C115', message, { at: mode.at, node, fix: 'give it one edge' });
}

function checkReview(model: Model, node: string, own: Own, report: Report): void {
  const review = own.get('interaction');
  if (review?.value.value !== 'review' || model.workflow.properties.worktree?.value !== 'none') return;
  const message = `\`${node}\` asks for a review of changes, and there is no worktree to review`;
  report.error('C100', message, { at: review.at, node, fix: 'write `worktree: auto`' });
}

function checkRecovery(model: Model, node: string, own: Own, report: Report): void {
  const recovery = own.get('recovery');
  if (!recovery) return;
  const place = { at: recovery.at, node };
  const action = own.get('action');
  if (action) {
    report.error('C262', `\`${node}\` is an action, which recovers by itself`, {
      ...place,
      fix: 'take `recovery` out',
    });
  } else if (!own.has('postcondition')) {
    const message = `\`${node}\` has a recovery and nothing that says when it is needed`;
    report.error('C104', message, { ...place, fix: 'add `postcondition:`' });
  }
  if (model.edges.some(edge => edge.from === node && edge.when !== null)) {
    const message = `\`${node}\` decides where to go, and a recovery would change what it found`;
    report.error('C105', message, { ...place, fix: 'take `recovery` out, or decide behind another node' });
  }
  const policy = own.get('policy');
  if (policy && policy.value.value !== 'recover' && WORDS['policy']?.words.includes(policy.value.value)) {
    const message = `the recovery of \`${node}\` is never tried, since its policy is \`${policy.value.value}\``;
    report.warn('C106', message, { ...place, fix: 'write `policy: recover`' });
  }
}

function checkConnector(node: string, own: Own, report: Report): void {
  const action = own.get('action');
  const connection = own.get('connection');
  if (!action) {
    for (const word of ['connection', 'params', 'retry']) {
      const stray = own.get(word);
      if (!stray) continue;
      const message = `\`${word}\` says nothing on \`${node}\`, which is no action`;
      report.warn('C266', message, { at: stray.at, node, fix: 'take it out, or add `action:`' });
    }
    return;
  }
  const { value, at } = action.value;
  if (!/^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*){2}$/.test(value)) {
    const message = `the action \`${value}\` of \`${node}\` is not written as one`;
    report.error('C260', message, { at, node, fix: 'write it like `forgejo.issue.comment`' });
  }
  if (!connection || /\{\{|\$/.test(connection.value.value)) {
    const message = `the action of \`${node}\` has no connection that is known before it runs`;
    report.error('C261', message, {
      at: connection?.value.at ?? action.at,
      node,
      fix: 'add `connection: NAME`',
    });
  }
  const postcondition = own.get('postcondition');
  if (postcondition) {
    const message = `\`${node}\` is an action, whose outcome is known without a postcondition`;
    report.error('C263', message, { at: postcondition.at, node, fix: 'take it out' });
  }
}
