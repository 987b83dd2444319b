import { type ModelList, TestModel } from '@hearth/protocol/models.ts';
import type { Models } from '../choice.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** The providers of models, as the service's environment configures them, and whether one answers. No key is shown. */
export function modelRoutes(wiring: { readonly models: Models }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/models',
      summary: 'How each provider of models stands, and which backend bots get that leave the choice open.',
      async handle() {
        const [providers, chosen] = await Promise.all([wiring.models.providers(), wiring.models.chosen()]);
        return jsonResponse({ providers: [...providers], chosen } satisfies ModelList);
      },
    }),
    route({
      method: 'POST',
      path: '/models/test',
      summary: 'Asks a model for one word and says what came of it; it costs a few tokens.',
      body: TestModel,
      handle: async call => jsonResponse(await wiring.models.trial(call.body.model)),
    }),
  ];
}
