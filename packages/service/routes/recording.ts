import type { Conversations } from '@hearth/conversations/registry.ts';
import { RunId } from '@hearth/protocol/ids.ts';
import { z } from 'zod';
import { ProblemError } from '../problem.ts';
import type { Unrecordable } from '../replay/recorded.ts';
import { type Route, route } from '../route.ts';
import type { Redactor } from '../secrets.ts';

const RecordingQuery = z.object({ run: RunId.exactOptional() });

/** Why a run gives no recording, and what to do. */
const WHY: Readonly<Record<Unrecordable, string>> = {
  incomplete:
    'its beginning is no longer kept: reset the conversation, play the scenario anew, and record that run',
  damaged: 'a part of its journal was damaged: record another run',
  replanned: 'its bot changed while it went on: reset the conversation and record a run of the bot as it is',
  empty: 'nobody said anything in it',
};

/** Runs that leave as recordings. */
export function recordingRoutes(wiring: {
  readonly conversations: Conversations;
  readonly redactor: Pick<Redactor, 'value'>;
}): readonly Route[] {
  const { conversations, redactor } = wiring;
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/recording',
      summary: 'A run of the conversation as a recording, in JSON lines: the latest unless one is named.',
      query: RecordingQuery,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const runs = await lane.runs();
        const run = call.query.run ?? runs.at(-1);
        const trace = run === undefined ? null : await lane.trace(run);
        if (run === undefined || trace === null) {
          const named = call.query.run === undefined ? 'no run' : `no run ${call.query.run}`;
          throw new ProblemError('unknown_run', `There is ${named} of which anything is kept here.`);
        }
        const [{ recorded }, { printRecording }] = await Promise.all([
          import('../replay/recorded.ts'),
          import('@hearth/backends/replay/recording.ts'),
        ]);
        const recording = recorded(lane.view().bot, trace);
        if (typeof recording === 'string') {
          throw new ProblemError('not_recordable', `The run ${run} cannot be recorded: ${WHY[recording]}.`);
        }
        return new Response(printRecording(redactor.value(recording)), {
          headers: { 'content-type': 'application/jsonl', 'cache-control': 'no-store' },
        });
      },
    }),
  ];
}
