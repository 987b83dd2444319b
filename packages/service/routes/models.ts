import { type ModelList, SetDefaultModel, TestModel } from '@hearth/protocol/models.ts';
import type { Models } from '../choice.ts';
import { HomeError } from '../home-error.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** The providers of models, as the service's environment configures them, and whether one answers. No key is shown. */
export function modelRoutes({ models }: { readonly models: Models }): readonly Route[] {
  const listed = async (): Promise<Response> => {
    const [providers, chosen] = await Promise.all([models.providers(), models.chosen()]);
    const list: ModelList = { providers: [...providers], default: models.standard.facts, chosen };
    return jsonResponse(list);
  };
  return [
    route({
      method: 'GET',
      path: '/models',
      summary: 'How each provider of models stands, and which backend bots get that leave the choice open.',
      handle: listed,
    }),
    route({
      method: 'POST',
      path: '/models/test',
      summary: 'Asks a model for one word and says what came of it; it costs a few tokens.',
      body: TestModel,
      handle: async call => jsonResponse(await models.trial(call.body.model)),
    }),
    route({
      method: 'PUT',
      path: '/models/default',
      summary: 'Sets the model of bots that leave it open, `auto` for any; it holds from the next turn on.',
      body: SetDefaultModel,
      async handle(call) {
        await models.standard.change(call.body.model).catch((error: unknown) => {
          if (error instanceof HomeError) throw new ProblemError(error.code, error.message);
          throw error;
        });
        return listed();
      },
    }),
  ];
}
