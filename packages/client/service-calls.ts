import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import type { LoginCode, Session } from '@hearth/protocol/login.ts';
import type { ModelList, ModelTrial } from '@hearth/protocol/models.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { ServiceStatus } from '@hearth/protocol/status.ts';
import type { TrashList } from '@hearth/protocol/trash.ts';
import type { BotCheck, BotList } from './answers.ts';
import type { CallOptions, WriteOptions } from './call-options.ts';
import { Caller } from './caller.ts';
import type { ClientOptions } from './client-options.ts';
import type { Readers } from './readers.ts';
import { trusted } from './readers.ts';
import type { Fetch } from './request.ts';
import type { Timers } from './timers.ts';
import { systemTimers } from './timers.ts';

/** How long a trial of a model may take, in milliseconds; the service gives it two minutes. */
const TRIAL = 150_000;

/**
 * What is asked of the service and its home as a whole, and how every call is made; see `Calls`.
 */
export class ServiceCalls {
  readonly actor: Actor;
  readonly address: string;
  readonly timers: Timers;
  protected readonly caller: Caller;
  protected readonly readers: Readers;

  constructor(options: ClientOptions, readers: Readers) {
    this.readers = readers;
    this.actor = { kind: options.kind ?? 'person', name: options.name, surface: options.surface };
    this.address = options.address.replace(/\/+$/, '');
    this.timers = options.timers ?? systemTimers;
    const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const target = { address: this.address, token: options.token ?? null, fetch, timers: this.timers };
    this.caller = new Caller(target, readers, this.actor, options.newCommandId);
  }

  /** An id for a command that must be sent again under the same id if it fails. */
  newCommandId(): CommandId {
    return this.caller.newCommandId();
  }

  status(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.caller.read('/status', this.readers.status, options);
  }

  /**
   * Asks the service to stop; resolves when it has agreed to. Turns under way get a few seconds to settle, unless it
   * shall end `now`.
   */
  async stop(wanted: WriteOptions & { readonly now?: boolean } = {}): Promise<void> {
    const { commandId, signal, ...body } = wanted;
    await this.caller.write('POST', '/stop', trusted, body, { commandId, signal });
  }

  /** Gives the home another token; this client's own is refused from then on. */
  async rotateToken(options: WriteOptions = {}): Promise<void> {
    await this.caller.write('POST', '/token/rotate', trusted, {}, options);
  }

  /**
   * A code that signs one browser in, once, to work in `workspace`, an absolute path; only for whoever has the token.
   * Makes the studio ready too.
   */
  loginCode(wanted: WriteOptions & { readonly workspace?: string } = {}): Promise<LoginCode> {
    const { commandId, signal, ...body } = wanted;
    return this.caller.write('POST', '/login-codes', this.readers.loginCode, body, { commandId, signal });
  }

  /** Whose session this browser has. Rejects with status 401 when it has none. */
  session(options: CallOptions = {}): Promise<Session> {
    return this.caller.read('/session', this.readers.session, options);
  }

  /** What was closed or removed and can be restored, the latest first. */
  trash(options: CallOptions = {}): Promise<TrashList> {
    return this.caller.read('/trash', this.readers.trash, options);
  }

  /** What a pass of retention would do now. */
  retention(options: CallOptions = {}): Promise<RetentionReport> {
    return this.caller.read('/retention', this.readers.retention, options);
  }

  /** Does a pass of retention now. */
  retain(options: WriteOptions = {}): Promise<RetentionReport> {
    return this.caller.write('POST', '/retention', this.readers.retention, {}, options);
  }

  /** How each provider of models stands, and what bots get that leave it open. */
  models(options: CallOptions = {}): Promise<ModelList> {
    return this.caller.read('/models', this.readers.models, options);
  }

  /**
   * Sets the backend or the model of bots that leave it open, or of one bot; `auto` for any. Gives how things stand then.
   */
  setDefaultModel(model: string, wanted: WriteOptions & { readonly bot?: string } = {}): Promise<ModelList> {
    const { commandId, signal, ...body } = wanted;
    const more = { model, ...body };
    return this.caller.write('PUT', '/models/default', this.readers.models, more, { commandId, signal });
  }

  /** Asks a model for a word, `auto` for the one that bots get; it costs a few tokens. */
  testModel(model: string, options: WriteOptions = {}): Promise<ModelTrial> {
    const how = { patience: TRIAL, once: true } as const;
    return this.caller.write('POST', '/models/test', this.readers.modelTrial, { model }, options, how);
  }

  bots(options: CallOptions = {}): Promise<BotList> {
    return this.caller.read('/bots', this.readers.bots, options);
  }

  /** Compiles the bundle or file at an absolute path. */
  checkBot(path: string, options: WriteOptions = {}): Promise<BotCheck> {
    return this.caller.write('POST', '/bots/check', this.readers.botCheck, { path }, options);
  }
}
