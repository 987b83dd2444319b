import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend, BackendEvent, BackendTurn, Host } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Acp } from '../acp/backend.ts';
import { ClaudeCode } from '../claude-code/backend.ts';
import { Codex } from '../codex/backend.ts';

/* Programs of another version than what is spoken here: refused with the reason, before anything began. */

const root = mkdtempSync(join(tmpdir(), 'hearth-stale-'));
const bin = join(root, 'bin');
beforeAll(() => mkdirSync(bin));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const host: Host = {
  call: () => Promise.reject(new Error('nothing may be called')),
  permit: () => Promise.reject(new Error('nothing may be asked')),
};
const turn: BackendTurn = {
  effect: 'e1',
  attempt: 1,
  node: 'bot',
  directory: join(root, 'turn'),
  workspace: root,
  session: { mode: 'fresh' },
  prompt: { system: '', user: 'Go.', attachments: [] },
  answers: [],
  tools: [],
  mayAsk: true,
  permission: { mode: 'off', allow: [], ask: [], deny: [] },
  output: null,
  model: { model: 'auto', provider: null, effort: null },
  maxSteps: 9,
  quietMs: 300_000,
};
const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 2 } });

test.each<[string, string, (env: Record<string, string>) => Backend, RegExp]>([
  [
    'claude',
    'echo "2.0.99 (Claude Code)"',
    env => new ClaudeCode({ clock: new SimClock(), env }),
    /too old; update it to 2\.1\.0/,
  ],
  [
    'codex',
    'echo "codex-cli 0.159.9"',
    env => new Codex({ clock: new SimClock(), env }),
    /too old; update it to 0\.160\.0/,
  ],
  [
    'agent',
    `read -r line; echo '${answer}'`,
    env => new Acp({ clock: new SimClock(), env: { ...env, HEARTH_ACP: 'agent' } }),
    /speaks version 2 of the Agent Client Protocol, and Hearth version 1/,
  ],
])(
  'R13.24: a stale %s is refused by its version, and no turn begins on it',
  async (name, script, made, why) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const backend = made({ PATH: `${bin}:/usr/bin:/bin`, HOME: root, ANTHROPIC_API_KEY: 'k' });
    expect(await backend.detect()).toMatchObject({ usable: false, why: expect.stringMatching(why) });
    const events: BackendEvent[] = [];
    for await (const event of backend.start(turn, host, new AbortController().signal)) events.push(event);
    expect(events).toEqual([
      { type: 'failed', code: 'missing', message: expect.stringMatching(why), began: false },
    ]);
  },
);
