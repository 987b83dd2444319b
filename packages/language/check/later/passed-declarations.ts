import type { Model } from '../../compile/model.ts';
import type { Report } from '../../compile/report.ts';
import { didYouMean } from '../../nearest.ts';
import type { PassedDeclaration } from '../../parse/later-declaration.ts';
import { repeated } from '../names.ts';
import type { Rule } from '../rule.ts';

type Check = (one: PassedDeclaration, model: Model, report: Report) => void;

/** C116, C119, C141, C190 to C192, C196 to C198: declarations that are passed over say what they need. */
export const passedDeclarations: Rule = (model, report) => {
  const all = model.file.passedDeclarations;
  for (const one of all) CHECKS[one.kind]?.(one, model, report);
  const supervisors = all.filter(one => one.kind === 'supervisor');
  for (const { value, at } of repeated(supervisors.map(one => one.name))) {
    report.error('C192', `the supervisor \`${value}\` is declared twice`, { at, fix: 'rename one of them' });
  }
};

/** Reports a property that a declaration does not have. */
function needs(code: string, key: string, like: string): Check {
  return ({ kind, name, properties }, _, report) => {
    if (properties.has(key)) return;
    const message = `the ${kind} \`${name.value}\` has no \`${key}\``;
    report.error(code, message, { at: name.at, fix: `add \`${key}: ${like}\`` });
  };
}

function use({ properties }: PassedDeclaration, { file }: Model, report: Report): void {
  const group = properties.get('group');
  const groups = file.passedDeclarations.flatMap(one => (one.kind === 'group' ? [one.name.value] : []));
  if (!group || groups.includes(group.value)) return;
  const fix = (): string => didYouMean(group.value, groups) ?? `declare it: \`group ${group.value}():\``;
  report.error('C116', `there is no group \`${group.value}\``, { at: group.at, fix });
}

function group({ name, empty }: PassedDeclaration, _: Model, report: Report): void {
  if (!empty) return;
  report.warn('C141', `the group \`${name.value}\` is empty`, {
    at: name.at,
    fix: 'add its nodes, or take it out',
  });
}

function supervisor({ name, properties }: PassedDeclaration, { nodes }: Model, report: Report): void {
  const watches = properties.get('watches');
  if (!watches) {
    const fix = 'add `watches: [NODE]`';
    report.warn('C191', `the supervisor \`${name.value}\` watches nothing`, { at: name.at, fix });
    return;
  }
  for (const watched of watches.value.split(/[[\],]/).filter(word => word !== '')) {
    if (['agent', 'judge'].includes(nodes.get(watched)?.kind ?? '')) continue;
    const message = `the supervisor \`${name.value}\` watches \`${watched}\`, which is no agent`;
    report.warn('C190', message, { at: watches.at, fix: 'name agents only' });
  }
}

function wait(one: PassedDeclaration, model: Model, report: Report): void {
  needs('C196', 'event', '"NAME"')(one, model, report);
  needs('C197', 'timeout', '"10m"')(one, model, report);
  const event = one.properties.get('event');
  const emitted = model.file.passedDeclarations.flatMap(other =>
    other.kind === 'emit' ? [other.properties.get('event')?.value] : [],
  );
  if (!event || emitted.includes(event.value)) return;
  const message = `\`${one.name.value}\` waits for \`${event.value}\`, which nothing emits`;
  report.warn('C198', message, { at: event.at, fix: 'add an `emit` node with the event, or mend its name' });
}

const CHECKS: Readonly<Record<string, Check>> = {
  use,
  group,
  supervisor,
  wait,
  subbot: needs('C119', 'source', '"PATH"'),
  emit: needs('C196', 'event', '"NAME"'),
};
