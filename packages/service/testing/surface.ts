import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedBackend, type Script } from '@hearth/backends/testing/scripted/scripted-backend.ts';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { Frame } from '@hearth/protocol/frame.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import { type Did, Reply } from '@hearth/protocol/receipt.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { expect } from 'vitest';
import { type ServiceOptions, startService } from '../main.ts';
import type { Service } from '../service.ts';

/* A service in this process and a surface that talks HTTP to it, for the tests of what is served. */

export type Json = Record<string, unknown>;

const running: Service[] = [];
export const home = (): string => mkdtempSync(join(tmpdir(), 'hearth-service-'));
export const workspace = (): string => mkdtempSync(join(tmpdir(), 'hearth-work-'));
export const actor = { kind: 'person', name: 'ada', surface: 'test' };

/** Starts a service that `stopAll` stops. */
export async function start(
  script: Script,
  options: Partial<ServiceOptions> & { home: string },
): Promise<Service> {
  const service = await startService({ env: {}, backends: [new ScriptedBackend(script)], ...options });
  running.push(service);
  return service;
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(service => service.stop()));
}

export const token = (at: string): string => readFileSync(join(at, 'token'), 'utf8').trim();

/** What a stream sent: the SSE id, the frame, and its event if it is one. */
export interface Sent {
  readonly id: string | null;
  readonly frame: Frame;
  readonly event: Event | null;
}

/** A surface of one home. */
export class Surface {
  readonly service: Service;
  readonly headers: Record<string, string>;
  constructor(service: Service, at: string) {
    this.service = service;
    this.headers = { authorization: `Bearer ${token(at)}` };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.service.address}/v1${path}`, {
      ...init,
      headers: { ...this.headers, ...(init.headers as Record<string, string>) },
    });
  }

  async get(path: string): Promise<{ status: number; json: Json }> {
    const response = await this.fetch(path);
    return { status: response.status, json: (await response.json()) as Json };
  }

  async post(path: string, body: Json = {}, method = 'POST'): Promise<{ status: number; json: Json }> {
    const response = await this.fetch(path, {
      method,
      body: JSON.stringify({ commandId: randomUUID(), actor, ...body }),
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, json: (await response.json()) as Json };
  }

  /** Reads frames until one fits. */
  async frames(
    path: string,
    until: (frame: Frame) => boolean,
    headers: Record<string, string> = {},
  ): Promise<Sent[]> {
    const controller = new AbortController();
    const response = await this.fetch(path, { headers, signal: controller.signal });
    expect(response.status).toBe(200);
    const found: Sent[] = [];
    let text = '';
    if (response.body === null) throw new Error('the stream has no body');
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const frame = Frame.parse(JSON.parse(data));
        found.push({
          id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
          frame,
          event: frame.frame === 'event' ? frame.event : null,
        });
        if (until(frame)) {
          controller.abort();
          return found;
        }
      }
    }
    return found;
  }

  /** A conversation with a bot of the smallest kind. */
  async conversation(): Promise<string> {
    const { status, json } = await this.post('/conversations', { bot: 'hello', title: 'Talk' });
    expect(status).toBe(200);
    return Reply.parse(json).view.id;
  }

  async say(c: string, text: string): Promise<Reply> {
    const sent = await this.post(`/conversations/${c}/messages`, { text, workspace: workspace() });
    expect(sent.status).toBe(200);
    return Reply.parse(sent.json);
  }
}

export const turnEnded = (frame: Frame): boolean =>
  frame.frame === 'event' && frame.event.type === 'turn' && frame.event.change === 'completed';
export const questionOpened = (frame: Frame): boolean =>
  frame.frame === 'event' && frame.event.type === 'pause.opened' && frame.event.pause.kind === 'question';
/** What was said in a history, of one kind of line. */
export const wordsIn = (json: Json, is: 'said' | 'replied'): readonly unknown[] =>
  HistoryPage.parse(json).items.flatMap(line => (line.is === is ? [line.text] : []));
export function didIn(json: unknown): Did {
  const { receipt } = Reply.parse(json);
  if (receipt === null) throw new Error('nothing was accepted');
  return receipt.did;
}

export const echo: Script = turn => [reply(`You said: ${turn.prompt.user.trim()}`)];
