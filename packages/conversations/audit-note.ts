import type { Plan } from '@hearth/engine/bot.ts';
import type { Drive } from '@hearth/engine/drive.ts';
import { publishes } from '@hearth/engine/document.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import type { Decide } from '@hearth/protocol/command.ts';
import type { CommandId, Instant } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { payloadOf } from './payload.ts';

/** A command as far as the audit looks at it; only a decision names what it decides on. */
type Noted = { readonly commandId: CommandId; readonly actor: Actor } & Partial<
  Pick<Decide, 'pause' | 'artifact' | 'version' | 'digest' | 'act'>
>;

/** The line that tells of a command that changed nothing: who asked for what, by ids and digests, and no words. */
export function auditNote(kind: string, command: Noted, code: string, at: Instant): AuditLine {
  const { commandId, actor, pause, artifact, version, digest, act } = command;
  const named =
    act?.do === 'act'
      ? act.action
      : act?.do === 'answer'
        ? act.option
        : act?.do === 'permit'
          ? act.grant
          : undefined;
  const shown = {
    ...(artifact === undefined ? {} : { artifact }),
    ...(version === undefined ? {} : { version }),
    ...(digest === undefined ? {} : { digest }),
  };
  return {
    at,
    commandId,
    command: kind,
    by: actor,
    code,
    ...(pause === undefined ? {} : { pause }),
    ...(named === undefined ? {} : { action: named }),
    ...(Object.keys(shown).length === 0 ? {} : { shown }),
    payload: payloadOf(kind, command),
  };
}

/** The line that tells of what a model handed in too late, by its digest. */
export function lateNote(plan: Plan, late: Parameters<Drive['discarded']>[0], at: Instant): AuditLine {
  const artifact = publishes(plan, late.node);
  return {
    at,
    commandId: late.effect,
    command: 'draft',
    by: { kind: 'bot', name: plan.title, surface: 'bot' },
    code: 'discarded',
    ...(artifact === null ? {} : { shown: { artifact } }),
    payload: sha256(canonicalJson(late.output)),
  };
}
