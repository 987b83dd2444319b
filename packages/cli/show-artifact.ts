import { changeWords, findingWords, fromWords, lineCount, shortDigest } from '@hearth/client/card-words.ts';
import type { HearthClient } from '@hearth/client/http.ts';
import { sanitiseLine } from '@hearth/client/sanitise.ts';
import type { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { CommandError, type Invocation, type Io, UsageError } from './command.ts';
import { print, printJson } from './output.ts';

/** `hearth show --artifact`: a version of an artifact, whole, and what changed since another one. */
export async function showArtifact(
  call: Invocation,
  client: HearthClient,
  conversation: ConversationId,
  named: string,
): Promise<ExitCode> {
  const { artifact, version } = artifactNamed(named);
  const given = call.option('since');
  const since = given === null ? undefined : versionNumber(given);
  const wanted = version ?? (await currentVersion(client, conversation, artifact));
  const found = await client.artifact(conversation, { artifact, version: wanted }, { since });
  if (call.flag('json')) printJson(call.io, found);
  else printVersion(call.io, found);
  return EXIT.done;
}

/** `plan@2`, or `plan` for the version that counts now. Throws `UsageError`. */
export function artifactNamed(text: string): { readonly artifact: string; readonly version: number | null } {
  const cut = text.indexOf('@');
  if (cut < 0) return { artifact: text, version: null };
  return { artifact: text.slice(0, cut), version: versionNumber(text.slice(cut + 1)) };
}

/** Throws `UsageError`. */
export function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no version: give a number from 1, as in plan@2.`);
}

async function currentVersion(
  client: HearthClient,
  conversation: ConversationId,
  name: string,
): Promise<number> {
  const { artifacts } = await client.get(conversation);
  const found = artifacts.find(({ ref }) => ref.artifact === name);
  if (found !== undefined) return found.ref.version;
  const names = artifacts.map(({ ref }) => ref.artifact).join(', ') || 'none';
  throw new CommandError(
    EXIT.failed,
    'unknown_artifact',
    `There is no artifact "${name}" here; there are: ${names}.`,
  );
}

function printVersion(
  io: Io,
  { ref, body, from, madeBy, findings, feedback, at, changes }: ArtifactAnswer,
): void {
  const model = madeBy.model === null ? '' : `, ${madeBy.model}`;
  const made = fromWords({ from });
  const about = [
    `${ref.artifact}@${ref.version}, ${shortDigest(ref.digest)}, made by ${madeBy.node}${model}, ${at}`,
    ...(made === '' ? [] : [made]),
    ...(feedback === null ? [] : [`asked for with: ${feedback}`]),
    ...findings.map(findingWords),
  ];
  for (const line of about) print(io, sanitiseLine(line));
  if (changes === undefined) return print(io, `\n${body}`);
  print(io, `\n${changeWords(changes)}\n`);
  const sign = { same: ' ', added: '+', removed: '-' };
  for (const line of changes.lines)
    print(io, line.is === 'left' ? `  … ${lineCount(line.lines)} the same` : `${sign[line.is]} ${line.text}`);
}
