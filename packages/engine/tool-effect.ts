import type { ToolNode } from '@hearth/language/plan/node.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { ActiveLimit } from './active-limit.ts';
import { OVER_BUDGET } from './budget.ts';
import type { EntryBody, Outcome } from './entry.ts';
import { frameOf, withFiles } from './frame.ts';
import { EffectHost } from './host.ts';
import { NO_GATE } from './permission.ts';
import type { Effect } from './machine.ts';
import { Meter } from './meter.ts';
import type { EffectOptions, RunningEffect } from './running-effect.ts';
import { lookupIn, scopeOf, withSecretPaths } from './scope.ts';
import { givenSecrets, secretEnvironment } from './secret-source.ts';
import type { Program, Ran, Surroundings, ToolServer } from './surroundings.ts';
import type { Tool } from './tool.ts';
import { namedSecrets, toolName, toolText, toolTitle } from './tool-work.ts';
import { serverOfTool } from './served.ts';
import { storedMismatch } from './stored-guard.ts';
import { workedIn } from './work-place.ts';

/** The longest that a program may run, in milliseconds. */
const PROGRAM_MS = 30 * 60_000;
/** How much of what a program wrote as errors a failure tells. */
const TAIL_CHARS = 1000;

/**
 * The work of a tool node: a registered tool by its name, or a program. Its output is the JSON object that it prints, else
 * `{result: text}`. What it may have done is not known before it ended, so it is run once for each intent and never
 * started anew by itself unless its author says that it may be.
 */
export class ToolEffect implements RunningEffect {
  readonly effect: Effect;
  readonly #options: EffectOptions;
  readonly #node: ToolNode;
  readonly #abort = new AbortController();
  readonly #stop = new AbortController();
  readonly #meter: Meter;
  readonly #limit: ActiveLimit;

  constructor(options: EffectOptions, node: ToolNode, effect: Effect) {
    this.#options = options;
    this.#node = node;
    this.effect = effect;
    this.#meter = new Meter(options.time);
    this.#limit = new ActiveLimit(options.drive, options.clock, this.#meter, () => this.#stop.abort());
  }

  async run(): Promise<EntryBody> {
    this.#meter.begin();
    this.#limit.follow();
    try {
      const outcome = (await storedMismatch(this.#options.drive, this.#node)) ?? (await this.#outcome());
      return { is: 'ended', effect: this.effect.id, outcome, spend: this.#meter.total() };
    } finally {
      this.#meter.total();
      this.#limit.stop();
    }
  }

  refresh(): void {
    this.#limit.follow();
  }

  interrupt(): void {
    this.#stop.abort();
  }

  abort(): void {
    this.#abort.abort();
  }

  async #outcome(): Promise<Outcome> {
    const { drive, bot, tools } = this.#options;
    const name = toolName(this.#node);
    const tool = name === null ? undefined : [...tools, ...bot.tools].find(one => one.name === name);
    try {
      const server = serverOfTool(drive.plan, name);
      const outcome = await (server !== null
        ? this.#callServer(server, name ?? '')
        : tool === undefined
          ? this.#program(name)
          : this.#call(tool));
      this.#abort.signal.throwIfAborted();
      if (!this.#stop.signal.aborted || outcome.is === 'done') return outcome;
    } catch (error) {
      if (this.#abort.signal.aborted || drive.broken()) throw error;
      if (!this.#stop.signal.aborted) {
        return failure('missing', error instanceof Error ? error.message : 'The tool could not be started.');
      }
    }
    if (!this.#limit.over) return { is: 'stopped' };
    return failure(
      OVER_BUDGET,
      `The tool "${this.#node.name}" was stopped: the active time that the budget allows is used up.`,
    );
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#abort.signal, this.#stop.signal]);
  }

  /** A registered tool gets the node's input as its arguments. */
  async #call(tool: Tool): Promise<Outcome> {
    const { drive, bot } = this.#options;
    const context = {
      effect: this.effect.id,
      node: this.#node.name,
      ...(await workedIn(this.#options)),
      author: bot.title,
      signal: this.#signal,
    };
    // It runs what its author wrote, so nobody is asked.
    const host = new EffectHost(drive, [tool], context, { policy: NO_GATE, names: [] });
    const { content, error } = await host.call({
      id: this.effect.id,
      name: tool.name,
      args: this.effect.input,
    });
    if (error !== undefined)
      return failure('TOOL_FAILED_PERMANENT', `The tool "${this.#node.name}" failed: ${error}`);
    return { is: 'done', output: objectOf(content) ?? { result: content } };
  }

  /** A tool of a server, which is connected for this one call. */
  async #callServer(server: ToolServer, name: string): Promise<Outcome> {
    const { surroundings } = this.#options;
    const missing = (why: string): Outcome =>
      failure('missing', `The tool "${this.#node.name}" cannot be run: ${why}.`);
    if (surroundings === undefined) return missing('this service connects to no tool servers');
    const { workspace } = await workedIn(this.#options);
    const given = await givenSecrets(this.#options);
    const env = secretEnvironment(this.#options.drive.plan.secrets ?? [], given);
    const served = await surroundings.servers
      .connect([server], workspace, this.#signal, env)
      .catch(async (error: unknown) => {
        await given.close();
        throw error;
      });
    try {
      const found = served.tools.find(({ dotted }) => dotted === name);
      return await (found === undefined
        ? missing(`the server "${server.name}" has no tool "${name}"`)
        : this.#call(found.tool));
    } finally {
      await served.close();
      await given.close();
    }
  }

  async #program(name: string | null): Promise<Outcome> {
    const { drive, surroundings } = this.#options;
    const { run } = drive.state.machine;
    const node = this.#node;
    if (surroundings === undefined || run === null)
      return failure('missing', `The tool "${node.name}" cannot be run: this service runs no programs.`);
    const { effect } = this;
    const { workspace } = await workedIn(this.#options);
    // A single word may have named a tool that may run twice; from here on it is known to be a program.
    if (name !== null) await drive.commit([{ is: 'began', effect: effect.id, name }]);
    const frame = await withFiles(drive, frameOf(run, effect.branch));
    const { secrets = [] } = drive.plan;
    const given = await givenSecrets(this.#options);
    try {
      const scope = scopeOf(drive.plan, frame, effect.input, drive.state.ledgers);
      const lookup = lookupIn(withSecretPaths(scope, given.paths));
      return await this.#runProgram(surroundings, {
        node: node.name,
        language: node.body.is === 'command' ? 'command' : node.body.language,
        text: toolText(node, lookup, text => surroundings.expand(text), secrets),
        workspace,
        directory: await drive.directory(node.name),
        ms: PROGRAM_MS,
        env: secretEnvironment(secrets, given, namedSecrets(node)),
        signal: this.#signal,
      });
    } finally {
      await given.close();
    }
  }

  async #runProgram({ programs }: Surroundings, program: Program): Promise<Outcome> {
    const { drive } = this.#options;
    const node = this.#node;
    const call = this.effect.id;
    const title = toolTitle(node);
    await drive.commit([], [{ type: 'tool', call, name: node.name, change: 'started', title }]);
    const ran = await programs.run(program);
    this.#abort.signal.throwIfAborted();
    const outcome = outcomeOf(node.name, ran);
    const change = outcome.is === 'done' ? 'completed' : 'failed';
    await drive.commit([], [{ type: 'tool', call, name: node.name, change, ms: this.#meter.activeMs() }]);
    return outcome;
  }
}

function outcomeOf(name: string, ran: Ran): Outcome {
  const { exit, output, cut, errors, ended } = ran;
  const said = errors.trim().slice(-TAIL_CHARS);
  const told = said === '' ? '' : ` It said: ${said}`;
  if (ended === 'time') {
    const minutes = PROGRAM_MS / 60_000;
    return failure('TIMEOUT', `The tool "${name}" was ended after ${minutes} minutes.${told}`);
  }
  if (exit === null || exit >= 128)
    return failure('TOOL_FAILED_TRANSIENT', `The tool "${name}" was ended by a signal.${told}`);
  if (exit !== 0)
    return failure('TOOL_FAILED_PERMANENT', `The tool "${name}" ended with exit code ${exit}.${told}`);
  if (cut)
    return failure('TOOL_FAILED_PERMANENT', `The tool "${name}" printed more than an output may hold.`);
  return { is: 'done', output: parsed(output) };
}

/** The JSON object that was printed, else the text. */
function parsed(output: string): Values {
  const text = output.trim();
  try {
    const value: Value = JSON.parse(text);
    return objectOf(value) ?? { result: text };
  } catch {
    return { result: text };
  }
}

function objectOf(value: Value): Values | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** What a program did before it failed is not known. */
function failure(code: string, message: string): Outcome {
  return { is: 'failed', code, message, began: code !== 'missing' };
}
