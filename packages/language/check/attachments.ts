import { judgedAttachments } from '../compile/attachments.ts';
import type { Rule } from './rule.ts';

/** Something on both sides of one slash; `image/*` is well. */
const MIME = /^[^/]+\/./s;

/** C050 to C052: attachments have names of their own and accept types that exist. */
export const attachments: Rule = (model, report) => {
  for (const { syntax, clash } of judgedAttachments(model)) {
    const { value, at } = syntax.name;
    if (clash === 'var') {
      report.error('C051', `\`${value}\` is both an attachment and a var`, {
        at,
        fix: 'rename one of them',
      });
    } else if (clash === 'twice') {
      report.error('C050', `the attachment \`${value}\` is declared twice; only the first counts`, { at });
    } else {
      for (const mime of syntax.properties.accept_mime?.value ?? []) {
        if (MIME.test(mime.value)) continue;
        report.error('C052', `\`${mime.value}\` is no MIME type`, {
          at: mime.at,
          fix: 'write it like `image/png` or `image/*`',
        });
      }
    }
  }
};
