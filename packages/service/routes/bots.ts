import { isAbsolute } from 'node:path';
import { BotError } from '@hearth/engine/bot.ts';
import { z } from 'zod';
import type { BundleBots } from '../bots.ts';
import { jsonResponse, type Route, route } from '../route.ts';

const CheckBody = z.object({ path: z.string().refine(isAbsolute, 'an absolute path is needed') });

/** The bots that come with Hearth, and the compiler's judgement of any other. */
export function botRoutes({ bots }: { readonly bots: BundleBots }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/bots',
      summary: 'The bots that come with this installation.',
      async handle() {
        const names = await bots.names();
        const rows = names.map(async name => {
          try {
            const { title } = await bots.load(name);
            return { name, title };
          } catch (error) {
            if (!(error instanceof BotError)) throw error;
            return { name, title: name, broken: error.message };
          }
        });
        return jsonResponse({ bots: await Promise.all(rows) });
      },
    }),
    route({
      method: 'POST',
      path: '/bots/check',
      summary: 'Compiles a bundle or a .bot file and reports what is wrong with it.',
      body: CheckBody,
      async handle(call) {
        const diagnostics = await bots.check(call.body.path);
        return jsonResponse({ ok: !diagnostics.some(one => one.severity === 'error'), diagnostics });
      },
    }),
  ];
}
