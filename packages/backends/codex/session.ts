import { readFile } from 'node:fs/promises';
import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { type ClosedHome, closedToSandbox } from '../agent-programs/closed-home.ts';
import { RpcError } from '../agent-programs/json-rpc.ts';
import type { Standing } from '../agent-programs/opening.ts';
import type { RpcProgram } from '../agent-programs/rpc-program.ts';
import type { PersonsConfig } from './persons-config.ts';
import { Threaded } from './wire.ts';

/** A session that began, and the event that tells how; or why it cannot. */
export type Session =
  | {
      readonly thread: string;
      readonly model: string;
      readonly event: Extract<BackendEvent, { type: 'session' }>;
      readonly standing: Standing;
    }
  | { readonly lost: string };

/** What a thread is begun or gone on with. */
export interface ThreadParts {
  readonly config: PersonsConfig;
  readonly fingerprint: string;
  /** Hearth's home, which what the program runs is kept from. */
  readonly closed: ClosedHome | null;
  /** The program's own tools that the node names. */
  readonly native: readonly string[];
}

/**
 * Opens, resumes, forks or reseeds the turn's session. A lost one is replaced, with `degraded` saying so, unless the turn
 * is strict. Rejects with `RpcError` when the program begins none at all.
 */
export async function begun(client: RpcProgram, turn: BackendTurn, parts: ThreadParts): Promise<Session> {
  const { session } = turn;
  const params = paramsOf(turn, parts);
  if (session.mode !== 'fresh') {
    const fork = session.mode === 'fork';
    const method = fork ? 'thread/fork' : 'thread/resume';
    const known = await client
      .request(method, { ...params, threadId: session.id, excludeTurns: true })
      .catch((error: unknown) => {
        // The program itself is gone: that says nothing of the session.
        if (error instanceof RpcError && error.code !== 0) return null;
        throw error;
      });
    if (known !== null) return await told(known, fork ? 'forked' : 'resumed', parts.fingerprint);
    if (session.strict) {
      return {
        lost: `The session "${session.id}" is gone, and this bot does not go on without it; start a new conversation with /new.`,
      };
    }
  }
  const opened = await client.request('thread/start', {
    ...params,
    ...(parts.native.includes('shell') ? {} : { environments: [] }),
  });
  return await told(opened, session.mode === 'fresh' ? 'opened' : 'reseeded', parts.fingerprint);
}

/** The sandbox of a turn: a profile of the program's with Hearth's home taken out of it. */
const PROFILE = 'hearth';

function paramsOf(turn: BackendTurn, { config, closed, native }: ThreadParts): JsonObject {
  const wanted = turn.model.model;
  const model = wanted === 'auto' ? config.model : wanted.replace(/^openai\//, '');
  const { effort } = turn.model;
  return {
    cwd: turn.workspace ?? turn.directory,
    approvalPolicy: turn.permission.mode === 'off' ? 'never' : 'untrusted',
    baseInstructions: turn.prompt.system,
    ...(model === null ? {} : { model }),
    ...(config.provider === null ? {} : { modelProvider: config.provider }),
    config: {
      ...config.settings,
      default_permissions: PROFILE,
      [`permissions.${PROFILE}`]: {
        extends: native.includes('shell') ? ':workspace' : ':read-only',
        filesystem: Object.fromEntries(closedToSandbox(closed).map(path => [path, 'deny'])),
      },
      ...(effort === null ? {} : { model_reasoning_effort: effort === 'max' ? 'xhigh' : effort }),
    },
  };
}

const DEGRADED = 'The earlier session is gone; a new one knows only the latest words.';

async function told(
  answer: unknown,
  how: Extract<BackendEvent, { type: 'session' }>['how'],
  fingerprint: string,
): Promise<Session> {
  const { thread, model } = Threaded.parse(answer);
  const words = how === 'resumed' || how === 'forked' ? await contentOf(thread.path) : '';
  return {
    thread: thread.id,
    model,
    event: {
      type: 'session',
      id: thread.id,
      fingerprint,
      how,
      ...(how === 'reseeded' ? { degraded: DEGRADED } : {}),
      ...(model === '' ? {} : { model }),
    },
    standing: { how, holds: id => words.includes(id) },
  };
}

/** The session's file, in which every message has the id under which it was said. */
async function contentOf(path: string | null | undefined): Promise<string> {
  return path == null ? '' : await readFile(path, 'utf8').catch(() => '');
}
