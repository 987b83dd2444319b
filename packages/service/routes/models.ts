import { type ModelList, SetDefaultModel, TestModel } from '@hearth/protocol/models.ts';
import { knownModels, type Models } from '../models.ts';
import { HomeError } from '../home-error.ts';
import { ProblemError } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';

/** The providers of models, as the service's environment configures them, and whether one answers. No key is shown. */
export function modelRoutes({ models }: { readonly models: Models }): readonly Route[] {
  const listed = async (): Promise<Response> => {
    const [backends, providers, chosen] = await Promise.all([
      models.backends(),
      models.providers(),
      models.chosen(),
    ]);
    const { facts, bots } = models.standard;
    const list: ModelList = {
      backends: [...backends],
      providers: [...providers],
      known: [...knownModels(providers)],
      default: facts,
      bots: { ...bots },
      chosen,
    };
    return jsonResponse(list);
  };
  return [
    route({
      method: 'GET',
      path: '/models',
      summary:
        'How each backend and each provider of models stands, and which one bots get that leave the choice open.',
      handle: listed,
    }),
    route({
      method: 'POST',
      path: '/models/test',
      summary: 'Asks a backend or a model for one word and says what came of it; it costs a few tokens.',
      body: TestModel,
      handle: async call => jsonResponse(await models.trial(call.body.model)),
    }),
    route({
      method: 'PUT',
      path: '/models/default',
      summary:
        'Sets the backend or the model of bots that leave it open, or of one bot, `auto` for any; it holds from the next turn on.',
      body: SetDefaultModel,
      async handle(call) {
        const { model, bot } = call.body;
        const { standard } = models;
        const changed = bot === undefined ? standard.change(model) : standard.changeOf(bot, model);
        await changed.catch((error: unknown) => {
          if (error instanceof HomeError) throw new ProblemError(error.code, error.message);
          throw error;
        });
        return listed();
      },
    }),
  ];
}
