import type { Lane } from '@hearth/conversations/lane.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import { stepsOf } from '@hearth/conversations/run-steps.ts';
import { OperateRun } from '@hearth/protocol/command.ts';
import { RunId } from '@hearth/protocol/ids.ts';
import type { RunSummary, RunTracePage } from '@hearth/protocol/run.ts';
import { ProblemError } from '../problem.ts';
import { replyResponse } from '../reply.ts';
import { jsonResponse, type Route, route } from '../route.ts';

const WAYS = [
  ['pause', 'Pauses a run before its next step; what runs ends as it will.'],
  ['resume', 'Takes up what was paused, was interrupted or has failed; it answers nothing.'],
  ['cancel', 'Gives a run up; the next message begins another.'],
] as const;

/** The runs of a conversation: looking at them, and operating the one under way. */
export function runRoutes({ conversations }: { readonly conversations: Conversations }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/runs',
      summary: 'The runs that are kept, in figures, the latest first.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const { summaryOf } = await figures();
        const runs: RunSummary[] = [];
        for (const run of (await lane.runs()).toReversed()) {
          const found = await stepsIn(lane, run);
          if (found !== null) runs.push(summaryOf(run, found, lane.view()));
        }
        return jsonResponse({ runs });
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c/runs/:run',
      summary: 'One run in figures.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const run = runNamed(call.param('run'));
        const found = await stepsIn(lane, run);
        if (found === null) throw unknown(run);
        const { summaryOf } = await figures();
        return jsonResponse(summaryOf(run, found, lane.view()));
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c/runs/:run/trace',
      summary: 'What a run did, step by step, oldest first.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const run = runNamed(call.param('run'));
        const found = await stepsIn(lane, run);
        if (found === null) throw unknown(run);
        return jsonResponse(found);
      },
    }),
    ...WAYS.map(([what, summary]) =>
      route({
        method: 'POST',
        path: `/conversations/:c/runs/:run/${what}`,
        summary,
        body: OperateRun,
        fromPath: ['run'],
        handle: async call =>
          replyResponse(await (await conversations.lane(call.param('c'))).operate(what, call.body)),
      }),
    ),
  ];
}

/** What works out the figures of a run. */
function figures(): Promise<typeof import('@hearth/conversations/run-summary.ts')> {
  return import('@hearth/conversations/run-summary.ts');
}

/** What is kept of a run, step by step; `null` when nothing is. */
async function stepsIn(lane: Lane, run: RunId): Promise<RunTracePage | null> {
  const trace = await lane.trace(run);
  if (trace === null) return null;
  const thin = trace.lines.filter(line => line.thin === true).length;
  return { run, dropped: trace.dropped + thin, steps: [...stepsOf(trace.lines)] };
}

function runNamed(name: string): RunId {
  const run = RunId.safeParse(name);
  if (!run.success) throw unknown(name);
  return run.data;
}

function unknown(name: string): ProblemError {
  const message = `There is no run "${name.slice(0, 40)}" here, or it is not kept any more; see the list of runs.`;
  return new ProblemError('unknown_run', message);
}
