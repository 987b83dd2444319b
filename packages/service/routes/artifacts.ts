import type { Lane } from '@hearth/conversations/lane.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import { changesBetween } from '@hearth/decisions/line-changes.ts';
import type { ArtifactAnswer, ArtifactVersion } from '@hearth/protocol/artifact.ts';
import { z } from 'zod';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

const VersionQuery = z.object({ since: z.coerce.number().int().positive().exactOptional() });

/** The versions of artifacts. No event carries a body: it is fetched here. */
export function artifactRoutes({
  conversations,
}: {
  readonly conversations: Conversations;
}): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/artifacts/:name/:version',
      summary: 'A version of an artifact, whole; `since` tells what changed since an earlier one.',
      query: VersionQuery,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const name = call.param('name');
        const version = await versionIn(lane, name, call.param('version'));
        const { since } = call.query;
        if (since === undefined) return jsonResponse(version);
        const before = await versionIn(lane, name, String(since));
        const changes = changesBetween(since, before.body, version.body);
        return jsonResponse({ ...version, changes } satisfies ArtifactAnswer);
      },
    }),
  ];
}

async function versionIn(lane: Lane, name: string, number: string): Promise<ArtifactVersion> {
  const found = /^[1-9]\d{0,8}$/.test(number) ? await lane.artifact(name, Number(number)) : null;
  if (found !== null) return found;
  const named = `${name.slice(0, 64)}@${number.slice(0, 12)}`;
  const { artifacts } = lane.view();
  const counts = artifacts.some(({ ref }) => ref.artifact === name && String(ref.version) === number);
  // It is there for whoever decides, and its text is not: another version can be asked for.
  const message = counts
    ? `The text of ${named} is lost, or was changed where it is stored: ask for another version, or stop.`
    : `There is no ${named} here: the view of the conversation names its artifacts, and its audit every version.`;
  throw new ProblemError('unknown_artifact', message);
}
