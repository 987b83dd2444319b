import type { HearthClient } from '@hearth/client/http.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type ConversationId, Digest } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { questionNamed } from './answer.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';
import { findConversation } from './conversation.ts';
import { printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { exitOfReport, printReport } from './turn-output.ts';
import { waitForTurn } from './turn-wait.ts';

/** A version as a person names it: its number, and the beginning of its digest where they gave one. */
export interface VersionNamed {
  readonly version: number;
  /** Hex digits, at least four of them; `null` when none were given. */
  readonly digest: string | null;
}

/** What is said of the version in a decision. */
type Seen = { readonly artifact?: string; readonly version?: number; readonly digest?: Digest };

/**
 * `hearth decide`: an action at a card, for the version that the person read and no other; whether that is what is shown
 * now is judged by the service. The artifact is filled in.
 */
export async function decide(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const action = call.option('action');
  if (action === null) throw new UsageError('Say which action: --action NAME, as "hearth show" lists them.');
  const feedback = call.option('feedback');
  const version = versionNamed(call.option('version'));
  const card = questionNamed(call.words[0] ?? '', call.option('conversation'));
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, card.conversation);
  const view = await client.get(conversation);
  const pause = view.pauses.find(one => one.id === card.pause) ?? null;
  const seen = await seenOf(client, conversation, pause, version);
  const act = { do: 'act', action, ...(feedback === null ? {} : { feedback }) } as const;
  const { receipt } = await client.decide(conversation, card.pause, act, seen);
  io.interruption.message =
    'Interrupted; the decision is accepted and the turn goes on: see it with "hearth show".';
  const turn = receipt?.did.turn ?? pause?.turn ?? null;
  const report = await waitForTurn(io, client, { conversation, turn, message: null });
  if (call.flag('json')) printJson(io, report);
  else printReport(io, report, card.conversation !== null);
  return exitOfReport(report);
}

/** `3`, `3:ab12cd` or `3:sha256:ab12…`; `null` when nothing was given. Throws `UsageError`. */
export function versionNamed(text: string | null): VersionNamed | null {
  if (text === null) return null;
  const found = /^([1-9]\d{0,8})(?::(?:sha256:)?([0-9a-f]{4,64}))?$/i.exec(text);
  if (found !== null) return { version: Number(found[1]), digest: found[2]?.toLowerCase() ?? null };
  throw new UsageError(
    `"${text}" is no version: give its number, as in 3, or with at least four digits of its digest, as in 3:ab12cd34.`,
  );
}

/** What the decision says it was made on. A card needs a version: nobody decides on what they have not named. */
async function seenOf(
  client: HearthClient,
  conversation: ConversationId,
  pause: Pause | null,
  named: VersionNamed | null,
): Promise<Seen> {
  if (pause?.kind !== 'card') return named === null ? {} : { version: named.version };
  const { artifact } = pause.shown;
  if (named === null) {
    throw new UsageError(
      `Name the version that you have read: --version ${pause.shown.version} is shown now (see it with "hearth show --artifact ${artifact}@${pause.shown.version}").`,
    );
  }
  const { version, digest } = named;
  if (digest === null) return { artifact, version };
  return {
    artifact,
    version,
    digest: await wholeDigest(client, conversation, { artifact, version, digest }),
  };
}

/** The whole digest of that version, when it begins as was said; another one is refused here, as the service would. */
async function wholeDigest(
  client: HearthClient,
  conversation: ConversationId,
  { artifact, version, digest }: { artifact: string; version: number; digest: string },
): Promise<Digest> {
  const whole = Digest.safeParse(`sha256:${digest}`);
  if (whole.success) return whole.data;
  const { ref } = await client.artifact(conversation, { artifact, version });
  if (ref.digest.startsWith(`sha256:${digest}`)) return ref.digest;
  const message = `${artifact}@${version} has another digest than ${digest}: read it again with "hearth show --artifact ${artifact}@${version}".`;
  throw new CommandError(EXIT.failed, 'digest_mismatch', message);
}
