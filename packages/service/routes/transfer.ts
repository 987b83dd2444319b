import { isAbsolute } from 'node:path';
import type { Conversations } from '@hearth/conversations/registry.ts';
import { Bare } from '@hearth/protocol/command.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';
import { ProblemError } from '../problem.ts';
import { replyResponse } from '../reply.ts';
import { type Route, route } from '../route.ts';

const ImportBody = Bare.extend({ path: z.string().refine(isAbsolute, 'an absolute path is needed') });

/** Conversations that leave as an archive and come as one. */
export function transferRoutes(wiring: {
  readonly conversations: Conversations;
  readonly disk: Disk;
  readonly home: string;
}): readonly Route[] {
  const { conversations, disk, home } = wiring;
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/export',
      summary: 'The whole conversation as a tar archive; refused while it works.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const { exportArchive } = await import('../export.ts');
        const archive = await exportArchive(disk, home, lane);
        const headers = {
          'content-type': 'application/x-tar',
          'content-disposition': `attachment; filename="${lane.id}.hearth.tar"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        };
        return new Response(archive, { headers });
      },
    }),
    route({
      method: 'POST',
      path: '/conversations/import',
      summary:
        'Takes in the archive at an absolute path of this machine, under its own id or, if that was ever here, another.',
      body: ImportBody,
      async handle(call) {
        // A page must not have files of this machine read.
        if (!call.headers.has('authorization')) {
          throw new ProblemError(
            'unauthorized',
            'Only the holder of the token may import: run "hearth import" in a terminal.',
          );
        }
        const { importArchive } = await import('../import.ts');
        return replyResponse(await importArchive(disk, conversations, call.body, call.body.path));
      },
    }),
  ];
}
