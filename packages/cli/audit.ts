import { shortDigest } from '@hearth/client/card-words.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { HearthProblem } from '@hearth/client/problem.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Invocation } from './command.ts';
import { findConversation } from './conversation.ts';
import { print, printJson, printTable } from './output.ts';
import { connect } from './supervisor.ts';

/*
 * Who decided what, at which version. What was accepted is told by the transcript, which is never trimmed; what changed
 * nothing by the latest lines of the audit. Ids and digests, no bodies and nobody's words.
 */

/** Turns of a page of the history, and how many pages are read at most. */
const PAGE = 200;
const PAGES = 100;
/** Versions of one artifact that are told. */
const VERSIONS = 100;

/** A decision or what changed nothing, in the order in which it happened. */
export interface Told {
  readonly at: string;
  readonly is: 'accepted' | 'refused' | 'replayed' | 'discarded';
  readonly by: Actor;
  /** The pause that it was about. */
  readonly pause: string | null;
  /** The action, option or grant, or the kind of command. */
  readonly what: string;
  /** As `plan@2 ab12cd34`. */
  readonly shown: string | null;
  /** Why it was refused. */
  readonly code: string | null;
  readonly commandId: string | null;
}

/** `hearth audit`: the versions of every artifact and who made them, then every decision. */
export async function audit(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const conversation = await findConversation(client, call.words[0] ?? call.option('conversation'));
  const [view, lines, { lines: others }] = await Promise.all([
    client.get(conversation),
    transcriptOf(client, conversation),
    client.audit(conversation),
  ]);
  const story = storyOf(lines, others);
  const made: ArtifactVersion[] = [];
  for (const { ref } of view.artifacts) made.push(...(await versionsOf(client, conversation, ref)));
  const artifacts = made.map(({ body: _body, feedback: _words, ...rest }) => rest);
  if (call.flag('json')) {
    printJson(io, { conversation, title: view.title, standing: view.artifacts, artifacts, story });
    return EXIT.done;
  }
  print(io, `${view.id}  ${sanitiseLine(view.title)}`);
  const standing = new Map(
    view.artifacts.map(({ ref, status }) => [`${ref.artifact}@${ref.version}`, status]),
  );
  if (artifacts.length > 0) print(io, '\nArtifacts');
  printTable(
    io,
    artifacts.map(({ ref, madeBy, at, findings }) => [
      at,
      `${ref.artifact}@${ref.version}`,
      shortDigest(ref.digest),
      standing.get(`${ref.artifact}@${ref.version}`) ?? 'earlier',
      `made by ${madeBy.node}${madeBy.model === null ? '' : `, ${madeBy.model}`}${findings.length === 0 ? '' : `, ${findings.length} found in it`}`,
    ]),
  );
  print(io, story.length === 0 ? '\nNothing was decided yet.' : '\nDecisions');
  printTable(
    io,
    story.map(one => [
      one.at,
      one.code ?? one.is,
      `${one.by.name} (${one.by.surface})`,
      one.pause ?? '-',
      one.what,
      one.shown ?? '',
    ]),
  );
  return EXIT.done;
}

/** What was accepted and what changed nothing, in the order of time. */
export function storyOf(lines: readonly TranscriptLine[], others: readonly AuditLine[]): readonly Told[] {
  const accepted = lines.flatMap((line): Told[] =>
    line.is === 'decided'
      ? [
          {
            at: line.at,
            is: 'accepted',
            by: line.by,
            pause: line.pause,
            what: line.option ?? line.how,
            shown: line.shown === undefined ? null : named(line.shown),
            code: null,
            commandId: null,
          },
        ]
      : [],
  );
  const rest = others.map((line): Told => {
    const is = line.code === 'replayed' || line.code === 'discarded' ? line.code : 'refused';
    return {
      at: line.at,
      is,
      by: line.by,
      pause: line.pause ?? null,
      what: line.action ?? line.command,
      shown: line.shown === undefined ? null : named(line.shown),
      code: is === 'refused' ? line.code : null,
      commandId: line.commandId,
    };
  });
  return [...accepted, ...rest].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function named({ artifact = '?', version, digest }: NonNullable<AuditLine['shown']>): string {
  return `${artifact}${version === undefined ? '' : `@${version}`}${digest === undefined ? '' : ` ${shortDigest(digest)}`}`;
}

/** The transcript since the last reset, oldest first. */
async function transcriptOf(
  client: HearthClient,
  conversation: ConversationId,
): Promise<readonly TranscriptLine[]> {
  const pages: (readonly TranscriptLine[])[] = [];
  let before: number | null = null;
  let epoch: number | null = null;
  for (let count = 0; count < PAGES; count += 1) {
    const page = await client.history(conversation, before, PAGE);
    epoch ??= page.epoch;
    if (page.epoch !== epoch) break;
    pages.unshift(page.items);
    before = page.previous;
    if (before === null) break;
  }
  return pages.flat();
}

async function versionsOf(
  client: HearthClient,
  conversation: ConversationId,
  { artifact, version }: { readonly artifact: string; readonly version: number },
): Promise<readonly ArtifactVersion[]> {
  const found: ArtifactVersion[] = [];
  for (let number = Math.max(1, version - VERSIONS + 1); number <= version; number += 1) {
    try {
      found.push(await client.artifact(conversation, { artifact, version: number }));
    } catch (error) {
      // A number that a draft took and never published.
      if (!(error instanceof HearthProblem) || error.code !== 'unknown_artifact') throw error;
    }
  }
  return found;
}
