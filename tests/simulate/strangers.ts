/**
 * Requests of somebody who may not ask: without the token, with another one, from a foreign page, and under a foreign name of
 * the machine. Each is refused for that; what it asked for would be seen by the judgement.
 */
import { openPauses } from '@hearth/client/view.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { pick } from '@hearth/store/seeded-random.ts';
import { z } from 'zod';
import { actFor } from './answering.ts';
import { Broken } from './history.ts';
import { TOKEN } from './machine.ts';
import type { Stage } from './stage.ts';

/** What every word of a stranger begins with. */
export const STRANGE = 'a stranger says';

const OURS = { host: '127.0.0.1:1', authorization: `Bearer ${TOKEN}` };

/** What is wrong with a request, and how that is refused. */
const WAYS = [
  [{ host: OURS.host }, 'unauthorized'],
  [{ ...OURS, authorization: 'Bearer another' }, 'unauthorized'],
  [{ ...OURS, origin: 'http://127.0.0.1:2' }, 'foreign_origin'],
  [{ ...OURS, host: 'hearth.example:1' }, 'foreign_host'],
] as const;

const Problem = z.looseObject({ code: z.string() });

/** One such request; what is not refused as it must be is a `Broken` of the stage. */
export async function intrude(stage: Stage, c: ConversationId): Promise<void> {
  const { random, studio, machine } = stage;
  const { instance } = machine;
  if (instance === null) return;
  const [headers, code] = WAYS[pick(random, WAYS.length)] ?? WAYS[0];
  const pause = studio.model === null ? undefined : openPauses(studio.model)[0];
  const act = pause === undefined ? null : actFor(random, pause);
  const actor = { kind: 'person', name: 'stranger', surface: 'script' };
  const command = { commandId: stage.commandId(), actor };
  const [route, body] =
    pause === undefined || act === null
      ? ['messages', { ...command, text: `${STRANGE} so`, delivery: 'queue' }]
      : ['decisions', { ...command, pause: pause.id, act }];
  const request = new Request(`http://127.0.0.1:1/v1/conversations/${c}/${route}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await Promise.race([instance.answer(request), instance.gone]);
  const told = Problem.safeParse(await response.json()).data?.code;
  stage.guard(() => {
    if (told !== code) throw new Broken(12, `a request that is ${code} was answered with ${String(told)}`);
  });
}
