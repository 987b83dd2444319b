import { Bare } from '@hearth/protocol/command.ts';
import { StopService } from '@hearth/protocol/status.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';
import type { Wiring } from '../wiring.ts';

/** The service itself: how it is, and its end. */
export function serviceRoutes(
  wiring: Pick<Wiring, 'status' | 'stop' | 'rotate' | 'description'>,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/status',
      summary: 'What runs where, since when, and which backend answers.',
      handle: async () => jsonResponse(await wiring.status()),
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API, described in OpenAPI 3.1.',
      handle: async () => jsonResponse(await wiring.description()),
    }),
    route({
      method: 'POST',
      path: '/token/rotate',
      summary:
        'Gives the home another token; the old one is refused at once, and every stream and session ends.',
      body: Bare,
      async handle(call) {
        if (!call.headers.has('authorization')) {
          throw new ProblemError(
            'unauthorized',
            'Only the holder of the token may have another one made: run "hearth token rotate" in a terminal.',
          );
        }
        await wiring.rotate();
        const answer = jsonResponse({ rotated: true });
        answer.headers.set('connection', 'close');
        return answer;
      },
    }),
    route({
      method: 'POST',
      path: '/stop',
      summary: 'Stops the service; what was accepted is durable and goes on at the next start.',
      body: StopService,
      handle({ body }) {
        wiring.stop(body.now);
        const answer = jsonResponse({ stopping: true });
        answer.headers.set('connection', 'close');
        return Promise.resolve(answer);
      },
    }),
  ];
}
