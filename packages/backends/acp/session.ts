import { join } from 'node:path';
import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { type ClosedHome, closedPaths } from '../agent-programs/closed-home.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import type { Standing } from '../agent-programs/opening.ts';
import { denialsOf } from '../claude-code/denials.ts';
import type { ServedTurn } from '../own-tools/loopback.ts';
import { SERVER } from '../own-tools/mcp.ts';
import { bridgeTo } from '../own-tools/stdio-bridge.ts';
import type { RpcProgram } from '../agent-programs/rpc-program.ts';
import { ToldWords } from './told-words.ts';
import { type Initialized, Opened } from './wire.ts';

/** Where this backend keeps what is its own, below the turn's directory. */
export const OWN_DIRECTORY = 'acp';

/** A session that began, and the event that tells how; or why it cannot. */
export type Session =
  | {
      readonly id: string;
      readonly event: Extract<BackendEvent, { type: 'session' }>;
      readonly standing: Standing;
      readonly told: ToldWords;
    }
  | { readonly lost: string };

/** What a session is begun or gone on with. */
export interface SessionParts {
  readonly said: Initialized;
  readonly served: ServedTurn;
  readonly fingerprint: string;
  readonly takesSystem: boolean;
  /** Hearth's home, which an agent that can be told so keeps out of. */
  readonly closed: ClosedHome | null;
}

type How = Extract<BackendEvent, { type: 'session' }>['how'];

/**
 * Opens, resumes, forks or reseeds the turn's session, with what the agent offers. What it does not offer, or has lost, is
 * replaced by a session that knows the recap, and said to be, unless the turn is strict. Rejects with `RpcError`.
 */
export async function begun(client: RpcProgram, turn: BackendTurn, parts: SessionParts): Promise<Session> {
  const { session } = turn;
  const params = paramsOf(turn, parts);
  let degraded = '';
  if (session.mode !== 'fresh') {
    const method = methodFor(session.mode, parts.said);
    if (method !== null) {
      const known = await client.request(method, { ...params, sessionId: session.id }).catch(lost);
      if (known !== null) {
        const id = Opened.parse(known ?? {}).sessionId ?? session.id;
        return await told(turn, parts, id, session.mode === 'fork' ? 'forked' : 'resumed');
      }
    }
    degraded =
      method === null
        ? `This agent cannot ${session.mode === 'fork' ? 'copy' : 'go on with'} a session; a new one knows only the latest words.`
        : 'The earlier session is gone; a new one knows only the latest words.';
    if (session.strict) {
      return {
        lost: `The session "${session.id}" cannot be gone on with, and this bot does not go on without it; start a new conversation with /new.`,
      };
    }
  }
  const opened = Opened.parse(await client.request('session/new', params));
  if (opened.sessionId === undefined) throw new RpcError('The agent gave its session no id.', -32_603);
  return await told(turn, parts, opened.sessionId, degraded === '' ? 'opened' : 'reseeded', degraded);
}

function methodFor(mode: 'resume' | 'fork', { agentCapabilities: can }: Initialized): string | null {
  if (mode === 'fork') return can.sessionCapabilities.fork ? 'session/fork' : null;
  if (can.sessionCapabilities.resume) return 'session/resume';
  return can.loadSession ? 'session/load' : null;
}

/** The agent refuses: it does not know the session. That it is gone itself says nothing of the session. */
function lost(error: unknown): null {
  if (error instanceof RpcError && error.code !== 0) return null;
  throw error;
}

function paramsOf(turn: BackendTurn, { said, served, takesSystem, closed }: SessionParts): JsonObject {
  const { system } = turn.prompt;
  return {
    cwd: turn.workspace ?? turn.directory,
    mcpServers: [serverOf(said, served)],
    ...(takesSystem ? { _meta: claudeMeta(system, closed) } : {}),
  };
}

/** How agents on Claude Code are told a system prompt; the one that a session began with is not to be sent again. */
function claudeMeta(system: string, closed: ClosedHome | null): JsonObject {
  const deny = closed === null ? [] : denialsOf(closedPaths(closed));
  const options = {
    extraArgs: {
      'system-prompt-snapshot': 'off',
      ...(deny.length === 0 ? {} : { settings: JSON.stringify({ permissions: { deny } }) }),
    },
  };
  return {
    ...(system.trim() === '' ? {} : { systemPrompt: { append: system } }),
    claudeCode: { options },
  };
}

function serverOf(said: Initialized, served: ServedTurn): JsonObject {
  if (said.agentCapabilities.mcpCapabilities.http) {
    const headers = [{ name: 'Authorization', value: `Bearer ${served.secret}` }];
    return { type: 'http', name: SERVER, url: served.address, headers };
  }
  const { command, args, env } = bridgeTo(served);
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  return { name: SERVER, command, args: [...args], env: variables };
}

async function told(
  turn: BackendTurn,
  { fingerprint }: SessionParts,
  id: string,
  how: How,
  degraded = '',
): Promise<Session> {
  const words = new ToldWords(join(turn.directory, OWN_DIRECTORY), id);
  await words.open();
  return {
    id,
    told: words,
    event: { type: 'session', id, fingerprint, how, ...(degraded === '' ? {} : { degraded }) },
    standing: { how, holds: one => words.holds(one) },
  };
}
