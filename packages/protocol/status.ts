import { z } from 'zod';

/** GET `/status`. `models` says which backends could be used now and which one bots that leave it open will get. */
export const ServiceStatus = z.object({
  version: z.string(),
  pid: z.int(),
  home: z.string(),
  startedAt: z.string(),
  address: z.string(),
  conversations: z.int(),
  working: z.int(),
  waiting: z.int(),
  backend: z.object({ name: z.string(), why: z.string() }),
});
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** `service.json`: advice for people and supervisors, never the lock. */
export const ServiceFile = z.object({
  pid: z.int(),
  startedAt: z.string(),
  address: z.string(),
  version: z.string(),
  start: z.string(),
});
export type ServiceFile = z.infer<typeof ServiceFile>;

/** POST `/stop`. Turns under way get a few seconds to settle, unless it shall end `now`. */
export const StopService = z.object({ now: z.boolean().default(false) }).prefault({});
