import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, ScriptedBackend } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { HearthClient } from '@hearth/client/http.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { type ServiceOptions, startService } from '../main.ts';
import type { Service } from '../service.ts';

/** A service in this process, on a home that `endAll` removes, with a scripted backend and a person's client on it. */
export class Served {
  readonly service: Service;
  readonly home: string;

  constructor(service: Service, home: string) {
    this.service = service;
    this.home = home;
  }

  get token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  get client(): HearthClient {
    const { address } = this.service;
    return new HearthClient({
      address,
      token: this.token,
      surface: 'test',
      name: 'ada',
      newCommandId: randomUUID,
    });
  }

  /** Any request, as `curl` would send it. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...(init.headers as Record<string, string>) };
    return fetch(`${this.service.address}${path}`, { ...init, headers });
  }

  /** A write, signed as a surface signs it. */
  post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    const actor = { kind: 'person', name: 'ada', surface: 'test' };
    return this.fetch(path, {
      method: 'POST',
      body: JSON.stringify({ commandId: randomUUID(), actor, ...body }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** A new conversation with a bot that answers once. */
  async conversation(title = 'Talk'): Promise<ConversationId> {
    return (await this.client.create({ bot: 'hello', title })).view.id;
  }

  /** Waits until the conversation is as it should be. */
  async until(c: ConversationId, fits: (view: ConversationView) => boolean): Promise<ConversationView> {
    for (;;) {
      const view = await this.client.get(c);
      if (fits(view)) return view;
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }
}

const running: Service[] = [];
const homes: string[] = [];

/** A new empty directory by its real path. */
export function newHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-served-')));
  homes.push(home);
  return home;
}

/** Starts a service; on a new home unless one is given. */
export async function serve(script: Script, options: Partial<ServiceOptions> = {}): Promise<Served> {
  const home = options.home ?? newHome();
  const backends = [new ScriptedBackend(script)];
  const service = await startService({ env: {}, backends, ...options, home });
  running.push(service);
  return new Served(service, home);
}

/** Stops every service and removes every home. For `afterEach`. */
export async function endAll(): Promise<void> {
  await Promise.all(running.splice(0).map(service => service.stop({ now: true })));
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
}
