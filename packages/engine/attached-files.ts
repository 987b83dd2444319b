import type { Attachment } from '@hearth/language/plan/settings.ts';
import type { Values } from '@hearth/language/value.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import { HOST_LINE } from './host-line.ts';
import type { Plan } from './runnable.ts';
import type { State } from './state.ts';

/*
 * Files that a person hands over: with a message, for whoever answers it, or as one of the attachments that a bot declares,
 * for the whole run. Their bytes are blobs of the conversation; programs and agents are given a copy of their own, by its
 * path.
 */

/** A file, and where a copy of it can be read. */
export interface AttachedFile extends BlobRef {
  /** Absolute. */
  readonly path: string;
}

/** Files by the names under which a bot declares them. */
export type Attachments = Readonly<Record<string, AttachedFile>>;

/** A file as a message brings it; `as` names the attachment that it is. */
export interface BroughtFile extends AttachedFile {
  readonly as?: string;
}

/** What a run that begins is given, or why it cannot begin, for a person. */
export type GivenFiles =
  | { readonly ok: true; readonly attachments: Attachments }
  | { readonly ok: false; readonly why: string };

/** The references alone, without where the copies are. */
export function refsOf(files: readonly AttachedFile[]): BlobRef[] {
  return files.map(({ blob, bytes, name, mime }) => ({ blob, bytes, name, mime }));
}

/** What templates read of attachments. */
export function valuesOf(attachments: Attachments): Values {
  return Object.fromEntries(
    Object.entries(attachments).map(([name, { path, mime, bytes, blob }]) => [
      name,
      { path, mime, size: bytes, sha256: blob.slice('sha256:'.length) },
    ]),
  );
}

/** Whether a path is that of a file of the turn's, or of one that a later message brought to it. */
export function isAttached(state: State, files: readonly AttachedFile[], path: string): boolean {
  const { run, turn } = state.machine;
  const joined = run?.tokens.flatMap(({ stage }) =>
    stage.is === 'running' ? [...stage.joined, ...stage.taken] : [],
  );
  const brought = [...(joined ?? []), ...state.inbox].flatMap(message => message.files ?? []);
  return [...files, ...(turn?.files ?? []), ...brought].some(file => file.path === path);
}

/** One line of the host's for each file, for whoever reads the message that it came with. */
export function fileLines(files: readonly AttachedFile[] = []): string {
  return files
    .map(
      ({ name, mime, bytes, path }) =>
        `${HOST_LINE}Attached: ${name} (${mime}, ${bytes} bytes), at ${path}\n`,
    )
    .join('');
}

/**
 * The attachments of a run that begins: what its message brings, before what the run before had, before the bundle's own
 * files. Refused when the bot has none of that name, takes no file of that kind, or is left without one that it requires.
 */
export function runAttachments(
  plan: Plan,
  brought: readonly BroughtFile[],
  earlier: Attachments,
  defaults: Attachments,
): GivenFiles {
  const declared = plan.attachments ?? [];
  const attachments: Record<string, AttachedFile> = {};
  for (const one of declared) {
    const kept = earlier[one.name] ?? defaults[one.name];
    if (kept !== undefined) attachments[one.name] = kept;
  }
  for (const { as, ...file } of brought) {
    if (as === undefined) continue;
    const one = declared.find(({ name }) => name === as);
    if (one === undefined) {
      const names = declared.map(({ name }) => name).join(', ') || 'none';
      return { ok: false, why: `${plan.title} has no attachment "${as}"; it has: ${names}.` };
    }
    const taken = kinds(one);
    if (!taken.some(kind => fits(kind, file.mime)))
      return {
        ok: false,
        why: `The attachment "${as}" of ${plan.title} takes ${taken.join(', ')}, and "${file.name}" is ${file.mime}.`,
      };
    attachments[as] = file;
  }
  const missing = declared.find(({ name, required }) => required && attachments[name] === undefined);
  if (missing !== undefined) {
    const what = missing.description === null ? '' : ` (${missing.description})`;
    const why = `${plan.title} begins no run without the attachment "${missing.name}"${what}: send it with the message.`;
    return { ok: false, why };
  }
  return { ok: true, attachments };
}

function kinds({ type, accept }: Attachment): readonly string[] {
  return accept ?? [type === 'image' ? 'image/*' : '*/*'];
}

/** Whether a file of a MIME type is of a kind, `type/*` among them. */
function fits(kind: string, mime: string): boolean {
  if (kind === '*/*') return true;
  const bare = mime.split(';')[0]?.trim().toLowerCase() ?? '';
  const wanted = kind.toLowerCase();
  return wanted.endsWith('/*') ? bare.startsWith(wanted.slice(0, -1)) : bare === wanted;
}
