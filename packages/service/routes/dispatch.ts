import { SetDispatch } from '@hearth/protocol/dispatch.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { HomeError } from '../home-error.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** Who works on tickets that are ready. Setting a switch twice is setting it once, so no receipt is kept. */
export function dispatchRoutes({
  dispatcher,
}: {
  readonly dispatcher: Pick<Dispatcher, 'status' | 'turn'>;
}): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/dispatch',
      summary:
        'Whether bots are set to work on tickets that are ready, what is under way, and why what waits does.',
      handle: async () => jsonResponse(await dispatcher.status()),
    }),
    route({
      method: 'PUT',
      path: '/dispatch',
      summary:
        'Turns the dispatcher on or off, in the settings of the home; what is under way is followed to its end.',
      body: SetDispatch,
      async handle({ body }) {
        await dispatcher.turn(body.on).catch((error: unknown) => {
          if (error instanceof HomeError) throw new ProblemError(error.code, error.message);
          throw error;
        });
        return jsonResponse(await dispatcher.status());
      },
    }),
  ];
}
