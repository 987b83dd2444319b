import type { AttachmentSyntax } from '../parse/attachments.ts';
import type { Model } from './model.ts';

/** An attachment, or what keeps a declaration from being one. */
export interface JudgedAttachment {
  readonly syntax: AttachmentSyntax;
  readonly clash: 'var' | 'twice' | null;
}

/** All declared attachments, those of the file first. One with a var's name is none, and of a name the first counts. */
export function judgedAttachments(model: Model): readonly JudgedAttachment[] {
  const blocks = [model.file.attachments?.value, model.workflow.properties.attachments?.value];
  const seen = new Set<string>();
  return blocks
    .flatMap(block => block ?? [])
    .map(syntax => {
      const name = syntax.name.value;
      if (model.vars.has(name)) return { syntax, clash: 'var' };
      if (seen.has(name)) return { syntax, clash: 'twice' };
      seen.add(name);
      return { syntax, clash: null };
    });
}

/** The attachments that there are. */
export function attachmentsOf(model: Model): readonly AttachmentSyntax[] {
  return judgedAttachments(model).flatMap(({ syntax, clash }) => (clash === null ? [syntax] : []));
}
