import type { RpcError } from '../agent-programs/json-rpc.ts';
import { type Failure, failureOf } from '../model-api/failure.ts';

/** The protocol's number for an agent that wants a login first. */
const AUTH_REQUIRED = -32_000;

/** Words by which agents tell what the provider's status would, the first that fits. */
const TOLD: readonly { readonly words: RegExp; readonly status: number }[] = [
  { words: /invalid api key|not logged in|please (?:run|log)|unauthori[sz]ed/i, status: 401 },
  { words: /(?:prompt|conversation|input) is too long|context (?:length|window)/i, status: 400 },
  {
    words: /issue with the selected model|model .{0,40}(?:not found|does not exist)|unknown model/i,
    status: 404,
  },
  { words: /rate limit|usage limit|quota/i, status: 429 },
  { words: /overloaded/i, status: 529 },
];

/** A status as agents write it: `API Error: 529`, `rejected (429)`, `status 404`. */
const STATUS = /(?:API Error|status|HTTP)\D{0,12}([45]\d\d)\b|\(([45]\d\d)\)/i;
/** The answer broke off. */
const BROKE = /terminated|socket|connection|ECONN|stream (?:closed|ended)|premature close/i;

/** What an agent's error means. Agents have no kinds for what their provider answers: it is read from their words. */
export function acpFailure(
  error: Pick<RpcError, 'code' | 'message' | 'data'>,
  who: string,
  now: number,
): Failure {
  if (error.code === AUTH_REQUIRED) {
    return { code: 'auth', message: `${who} wants a login; start it by hand and log in, then try again.` };
  }
  const { data } = error;
  const words =
    data === null
      ? error.message
      : `${error.message} ${typeof data === 'string' ? data : JSON.stringify(data)}`;
  const read = STATUS.exec(words);
  const written = read?.[1] ?? read?.[2];
  const status = written === undefined ? TOLD.find(row => row.words.test(words))?.status : Number(written);
  const about = { who, model: 'its model', key: null, now };
  if (status === undefined && BROKE.test(words))
    return failureOf({ name: 'CutStream', message: 'socket' }, about);
  return failureOf({ name: 'AgentError', message: words, statusCode: status ?? null }, about);
}
