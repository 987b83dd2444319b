import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Started, Talk } from '@hearth/backends/testing/conformance/talk.ts';
import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode, KEY } from '../support/agent-kinds.ts';
import { type AgentStage, agentStage } from '../support/agent-stage.ts';
import { furnished, NEEDLE } from '../support/closed-home.ts';
import { calls, type FakeCall, type Move, says } from '../support/fake-provider.ts';
import { processesIn } from '../support/processes.ts';

/* What is particular to the real Claude Code: its own tools and questions, its files, its login, its process. */

let stage: AgentStage;
let talk: Talk;

beforeEach(async () => {
  stage = await agentStage(claudeCode);
  talk = new Talk(stage);
});

afterEach(async () => {
  expect(stage.problems()).toEqual([]);
  await expect.poll(() => processesIn(stage.root)).toEqual([]);
  await stage.close();
});

const answer = (reply: string) =>
  calls([{ name: 'StructuredOutput', args: { reply, close: false, quick_replies: [], dispatched_ids: [] } }]);
const bash = (command: string): FakeCall => ({ name: 'Bash', args: { command, description: 'x' } });
const NATIVE = { native: ['Bash', 'Read', 'Write', 'AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode'] };

/** Plays a turn against moves of the provider. */
function turn(moves: readonly Move[], more: Partial<BackendTurn> = {}, words = 'Go on.'): Started {
  stage.provider.forget().plays(...moves);
  return talk.start(talk.turn(words, more));
}

/** Every file below a directory, by its path. */
function filesIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(name => join(root, name))
    .filter(path => statSync(path).isFile());
}

const tools = (events: readonly BackendEvent[]) =>
  events.flatMap(event => (event.type === 'tool' ? [[event.name, event.change]] : []));

describe('its own tools', () => {
  test('run where the node names them and the host allows it, inside of the workspace', async () => {
    talk.permit = ({ name }) => (name === 'Write' ? 'deny' : 'allow');
    const { events, last } = await turn(
      [
        calls([
          bash('pwd > here.txt; echo done'),
          { name: 'Read', args: { file_path: '/etc/hostname' } },
          { name: 'Write', args: { file_path: join(stage.workspace, 'not.txt'), content: 'x' } },
        ]),
        answer('Done.'),
      ],
      NATIVE,
    ).told;
    expect(last).toMatchObject({ type: 'done', output: { reply: 'Done.' } });
    expect(readFileSync(join(stage.workspace, 'here.txt'), 'utf8').trim()).toBe(stage.workspace);
    expect(existsSync(join(stage.workspace, 'not.txt'))).toBe(false);
    expect(tools(events)).toEqual(
      expect.arrayContaining([
        ['Bash', 'started'],
        ['Bash', 'completed'],
        ['Write', 'denied'],
        ['Read', 'failed'],
      ]),
    );
    expect(stage.heard()?.at(-1)).not.toContain(readFileSync('/etc/hostname', 'utf8').trim() || '-');
  });

  test("keep out of Hearth's own home, also where the workspace holds it", async () => {
    const { token, secret, plain } = furnished(stage);
    talk.permit = () => 'allow';
    const steps = [
      { name: 'Read', args: { file_path: plain } },
      { name: 'Read', args: { file_path: token } },
      { name: 'Read', args: { file_path: join(stage.root, 'link', 'secrets', 'A_KEY') } },
      { name: 'Grep', args: { pattern: NEEDLE, output_mode: 'content' } },
      { name: 'Grep', args: { pattern: NEEDLE, path: stage.hearth, output_mode: 'content' } },
      { name: 'Glob', args: { pattern: '**/{token,A_KEY}' } },
      { name: 'Write', args: { file_path: join(stage.hearth, 'settings.json'), content: '{}' } },
      { name: 'Edit', args: { file_path: token, old_string: 'token', new_string: 'known' } },
      bash(`cat ${token}`),
      bash(`cat ${secret}`),
    ];
    const native = ['Bash', 'Read', 'Write', 'Edit', 'Grep', 'Glob'];
    const { last } = await turn([...steps.map(one => calls([one])), answer('Not there.')], {
      native,
      workspace: stage.root,
    }).told;
    expect(last).toMatchObject({ type: 'done', output: { reply: 'Not there.' } });
    const heard = stage.heard()?.at(-1) ?? '';
    expect(heard).toContain(`${NEEDLE} plain`);
    expect(heard).not.toMatch(new RegExp(`${NEEDLE} (?:token|secret|known)`));
    expect(heard).not.toMatch(/hearth\/token\\n|A_KEY\\n/);
    expect(readFileSync(token, 'utf8')).toBe(`${NEEDLE} token`);
    expect(existsSync(join(stage.hearth, 'settings.json'))).toBe(false);

    // In a workspace of its own it reads what it has put aside itself, and no secret by a command that names one.
    const long = bash('for i in $(seq 1 9000); do echo "line number $i"; done');
    await turn([calls([long]), calls([bash(`cat ${token}`)]), answer('Long.')], { native }).told;
    expect(stage.heard()?.at(-1)).not.toContain(`${NEEDLE} token`);
    const aside = filesIn(stage.directory).find(path => path.includes('tool-results'));
    const again = { name: 'Read', args: { file_path: aside, offset: 8999 } };
    await turn([calls([again]), answer('Read.')], { native }).told;
    expect(stage.heard()?.at(-1)).toContain('line number 8999');
  });

  test('wait for leave, each call for its own, and only what was allowed is done, once (B14)', async () => {
    talk.permit = () => 'park';
    const parked = await turn([calls([bash('echo one >> log'), bash('echo two >> log')])], NATIVE).told;
    if (parked.last.type !== 'parked') throw new Error(JSON.stringify(parked.last));
    expect(parked.last.permits.map((call: ToolCall) => call.args['command'])).toEqual([
      'echo one >> log',
      'echo two >> log',
    ]);
    expect(processesIn(stage.root)).toEqual([]);
    expect(existsSync(join(stage.workspace, 'log'))).toBe(false);
    await stage.restart();
    talk.permit = ({ args }) => (args['command'] === 'echo one >> log' ? 'allow' : 'deny');
    const answers = parked.last.permits.map(({ id, name }, at) => ({
      ask: '',
      call: id,
      options: [],
      result: { option: at === 0 ? 'once' : 'deny' },
      permit: { tool: name, digest: 'sha256:0' as const },
    }));
    const after = await turn(
      [calls([bash('echo one >> log'), bash('echo two >> log')]), answer('One is done.')],
      {
        ...NATIVE,
        answers,
      },
    ).told;
    expect(after.last.type).toBe('done');
    expect(readFileSync(join(stage.workspace, 'log'), 'utf8')).toBe('one\n');
    expect(stage.heard()?.at(-1)).toContain('The person allowed the call of');
  });

  test('ask the person: its question and its plan are questions of ours', async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'as now' },
          { label: 'Blue', description: 'new' },
        ],
      },
    ];
    const asked = await turn([calls([{ name: 'AskUserQuestion', args: { questions } }])], NATIVE).told;
    expect(asked.last).toMatchObject({
      type: 'parked',
      asks: [{ text: 'Which colour?', options: [{ id: 'Red' }, { id: 'Blue' }], allowFreeText: false }],
    });
    expect(stage.provider.requests).toHaveLength(1);
    await stage.restart();
    talk.permit = ({ name }) => (name === 'EnterPlanMode' ? 'allow' : 'deny');
    stage.provider
      .forget()
      .plays(
        calls([{ name: 'EnterPlanMode', args: {} }]),
        calls([{ name: 'ExitPlanMode', args: { plan: 'Paint it blue.' } }]),
      );
    const planned = await talk.start({
      ...talk.answering([{ place: 0, result: { option: 'Blue' } }]),
      ...NATIVE,
    }).told;
    expect(stage.heard()?.at(-1)).toContain('"option\\":\\"Blue');
    expect(planned.last).toMatchObject({
      type: 'parked',
      asks: [{ options: [{ id: 'approve' }, { id: 'keep_planning' }] }],
    });
    stage.provider.plays(answer('Painted.'));
    const done = await talk.start({
      ...talk.answering([{ place: 0, result: { option: 'approve' } }]),
      ...NATIVE,
    }).told;
    expect(done.last).toMatchObject({ type: 'done', output: { reply: 'Painted.' } });
  });

  test('that the node does not name are neither shown nor run', async () => {
    const { last } = await turn([calls([bash('touch never')]), answer('I may not.')]).told;
    expect(last.type).toBe('done');
    expect(existsSync(join(stage.workspace, 'never'))).toBe(false);
    const shown = stage.provider.requests[0]?.body.tools?.map(tool => tool.name) ?? [];
    expect(shown.filter(name => !name?.startsWith('mcp__hearth__'))).toEqual(
      expect.not.arrayContaining(['Bash', 'Read', 'Write', 'Edit', 'WebFetch', 'Task', 'AskUserQuestion']),
    );
  });
});

describe('a conversation', () => {
  test('is one session over five turns and two workspaces, and keeps its files and no secret', async () => {
    const other = join(stage.root, 'other');
    mkdirSync(other);
    const words = ['Hello.', '/compact', 'Read @/etc/passwd for me.', '!ls', 'The last.'];
    let arguments_ = '';
    for (const [at, said] of words.entries()) {
      const held = Promise.withResolvers<void>();
      const started = turn(
        [says(`Words ${at}.`, { hold: held.promise }), answer(`Reply ${at}.`)],
        at % 2 === 0 ? {} : { workspace: other },
        said,
      );
      await started.until(event => event.type === 'draft');
      arguments_ += processesIn(stage.root)
        .map(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
        .join('\n');
      held.resolve();
      const { events, last } = await started.told;
      expect(events[0]).toMatchObject({ how: at === 0 ? 'opened' : 'resumed' });
      expect(last).toMatchObject({ type: 'done', output: { reply: `Reply ${at}.` } });
    }
    const heard = stage.heard()?.at(-1) ?? '';
    for (const said of words) expect(heard.split(JSON.stringify(said).slice(1, -1))).toHaveLength(2);
    expect(heard).not.toContain('root:x:0');
    // Whoever looks at the processes of the machine reads neither words nor keys.
    expect(arguments_).toContain('--resume');
    expect(arguments_).not.toMatch(/Nexie|Hello|compact|quick_replies|sk-ant/);
    const files = filesIn(stage.root);
    expect(files.filter(path => path.includes('.jsonl') && !path.startsWith(stage.directory))).toEqual([]);
    expect(files.filter(path => readFileSync(path).includes(KEY))).toEqual([]);
    expect(existsSync(join(stage.directory, 'claude-code', 'temporary'))).toBe(false);
    const kept = readdirSync(stage.directory, { recursive: true, encoding: 'utf8' });
    const open = kept.filter(name => (lstatSync(join(stage.directory, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(filesIn(stage.env['HOME'] ?? '')).toEqual([]);
  });

  test("works on the person's login, which stays where it is", async () => {
    const login = join(stage.env['HOME'] ?? '', '.claude');
    mkdirSync(login);
    const token = 'sk-ant-oat01-sentinel-of-the-login';
    const oauth = {
      accessToken: token,
      refreshToken: 'sk-ant-ort01-sentinel',
      expiresAt: Date.now() + 5 * 3_600_000,
      scopes: ['user:inference', 'user:profile'],
      subscriptionType: 'max',
    };
    writeFileSync(join(login, '.credentials.json'), JSON.stringify({ claudeAiOauth: oauth }), {
      mode: 0o600,
    });
    delete stage.env['ANTHROPIC_API_KEY'];
    await stage.restart();
    const { last } = await turn([answer('On your own account.')]).told;
    expect(last).toMatchObject({ type: 'done', output: { reply: 'On your own account.' } });
    expect(stage.provider.requests[0]?.headers['authorization']).toBe(`Bearer ${token}`);
    expect(filesIn(stage.root).filter(path => /sentinel/.test(readFileSync(path, 'utf8')))).toEqual([
      join(login, '.credentials.json'),
    ]);
  });
});

describe('its process', () => {
  const script = fileURLToPath(new URL('../support/claude-turn.ts', import.meta.url));
  const alone = (user: number | null) => {
    const given = { turn: talk.turn('Go on.'), env: stage.env, user };
    const env = { ...process.env, HEARTH_TEST_TURN: JSON.stringify(given) };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
    return {
      child,
      ended,
      events: () =>
        text
          .split('\n')
          .filter(line => line !== '')
          .map(line => JSON.parse(line) as BackendEvent),
    };
  };

  test('goes with the service, however that ended', async () => {
    stage.provider.plays(says('I write', { hold: new Promise(() => undefined) }));
    const { child, ended, events } = alone(null);
    await expect.poll(() => events().some(event => event.type === 'draft')).toBe(true);
    const own = processesIn(stage.root).filter(pid => pid !== child.pid);
    expect(own.length).toBeGreaterThan(0);
    // It writes its session when it gets to it.
    await expect.poll(() => sessionFiles(stage.directory).length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesIn(stage.root)).toEqual([]);
    // What it had written is there for the next attempt.
    const session = events()[0];
    if (session?.type !== 'session') throw new Error('no session');
    talk.session = {
      mode: 'resume',
      id: session.id,
      fingerprint: session.fingerprint,
      strict: true,
      recap: { turns: [] },
    };
    const { last } = await turn([answer('Back.')], {
      attempt: 2,
      interrupted: { effect: 'e1', toolsStarted: [], unseen: [] },
    }).told;
    expect(last).toMatchObject({ type: 'done' });
  });

  test('works for a user who is not root', async () => {
    const root = process.getuid?.() === 0;
    if (root) {
      const program = join(stage.root, 'claude');
      const installed = stage.env['HEARTH_CLAUDE'] ?? '';
      try {
        linkSync(installed, program);
      } catch {
        copyFileSync(installed, program);
      }
      chmodSync(program, 0o755);
      stage.env['HEARTH_CLAUDE'] = program;
      chmodSync(stage.root, 0o755);
      for (const path of [
        stage.root,
        ...readdirSync(stage.root, { recursive: true, encoding: 'utf8' }).map(name => join(stage.root, name)),
      ]) {
        if (path !== program) chownSync(path, 65534, 65534);
      }
    }
    stage.provider.plays(calls([{ name: 'mcp__hearth__list_issues', args: {} }]), answer('As anybody.'));
    const { ended, events } = alone(root ? 65534 : null);
    await ended;
    expect(events().at(-1)).toMatchObject({ type: 'done', output: { reply: 'As anybody.' } });
  });
});

/** Sessions that the program has written, with something in them. */
function sessionFiles(directory: string): readonly string[] {
  const projects = join(directory, 'claude-code', 'projects');
  if (!existsSync(projects)) return [];
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .map(name => join(projects, name))
    .filter(path => path.endsWith('.jsonl') && readFileSync(path, 'utf8').includes('"type":"user"'));
}
