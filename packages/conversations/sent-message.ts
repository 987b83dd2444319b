import type { Judged } from '@hearth/engine/accept.ts';
import { judgeMessage } from '@hearth/engine/accept.ts';
import type { SendMessage } from '@hearth/protocol/command.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import { MESSAGE_LIMIT } from '@hearth/protocol/text.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { broughtFiles, ownFiles } from './attached-files.ts';
import type { Opening } from './opening.ts';
import { outsidePattern } from './var-patterns.ts';

const refuse = (code: Refusal['code'], message: string): Judged => ({ refused: { code, message } });

/** What was found out about a message before it is judged, since its judgement waits for nothing. */
export interface SentFacts {
  readonly clock: Clock;
  /** The files that it brings, or the sentence about one that is not there. */
  readonly files: Awaited<ReturnType<typeof broughtFiles>>;
  /** The files that the bot has of its own. */
  readonly defaults: Awaited<ReturnType<typeof ownFiles>>;
  /** The sentence about a secret that a run could not begin without; `null` when there is none. */
  readonly missing: string | null;
}

/** Judges a message against everything accepted before it: it starts a turn, joins one, waits, or is refused. */
export function judgeSent({ writer, driver }: Opening, command: SendMessage, facts: SentFacts): Judged {
  const { text, delivery, expects, workspace, actor, commandId, vars, preset } = command;
  const { files, defaults, missing } = facts;
  if (Buffer.byteLength(text) > MESSAGE_LIMIT) {
    return refuse('too_large', 'The message is larger than 1 MiB; shorten it, or name a file that holds it.');
  }
  if (expects !== undefined && expects !== writer.last) {
    return refuse('revision_conflict', 'Something happened here meanwhile; look at it and send again.');
  }
  if ('missing' in files) return refuse('invalid_attachment', files.missing);
  const { scope } = writer.record;
  const { bot } = driver;
  driver.replan();
  const { run } = writer.state.machine;
  const digest = run?.status === 'active' ? run.plan : bot.digest;
  const begins = run?.status !== 'active' && writer.state.inbox.length === 0;
  if (begins && missing !== null) return refuse('missing_secret', missing);
  const kept = writer.record.preset;
  const lasts = begins && kept !== undefined && Object.hasOwn(bot.plan.presets ?? {}, kept);
  const chosen = preset ?? (lasts ? kept : undefined);
  const plan = writer.shelf.at(digest) ?? bot.plan;
  const stray = outsidePattern(plan, { ...plan.presets?.[chosen ?? ''], ...vars });
  if (stray !== null) return refuse('invalid_vars', stray);
  return judgeMessage(plan, writer.state, {
    text,
    delivery,
    workspace: scope.kind === 'workspace' ? scope.path : (workspace ?? null),
    by: actor,
    commandId,
    planDigest: digest,
    ...(vars === undefined ? {} : { vars }),
    ...(chosen === undefined ? {} : { preset: chosen }),
    files,
    defaults,
    at: instant(facts.clock),
  });
}
