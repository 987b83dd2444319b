import { repeated } from './names.ts';
import type { Rule } from './rule.ts';

const MIME = /^[A-Za-z0-9!#$&^_.+-]+\/(?:\*|[A-Za-z0-9!#$&^_.+-]+)$/;

/** C050 to C052: attachments have names of their own and accept types that exist. */
export const attachments: Rule = (model, report) => {
  const blocks = [model.file.attachments?.value, model.workflow.properties.attachments?.value];
  const all = blocks.flatMap(block => block ?? []);
  for (const { value, at } of repeated(all.map(one => one.name))) {
    report.error('C050', `the attachment \`${value}\` is declared twice; only the first counts`, { at });
  }
  for (const { name, properties } of all) {
    if (model.vars.has(name.value)) {
      report.error('C051', `\`${name.value}\` is both an attachment and a var`, { at: name.at });
    }
    for (const { value, at } of properties.accept_mime?.value ?? []) {
      if (MIME.test(value)) continue;
      report.error('C052', `\`${value}\` is no MIME type`, {
        at,
        fix: 'write it like `image/png` or `image/*`',
      });
    }
  }
};
