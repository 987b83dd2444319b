import type { MessageId } from '@hearth/protocol/ids.ts';
import { taskOf } from './answerer.ts';
import { isAttached } from './attached-files.ts';
import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { Backend, BackendRun, InboxMessage, ModelChoice } from './backend.ts';
import { type Ending, failure, isEnding, notice, outcomeOf } from './backend-events.ts';
import { backendTurn, inboxMessage, QUIET_MS } from './backend-turn.ts';
import { calibration } from './calibration.ts';
import { ActiveLimit } from './active-limit.ts';
import { OVER_BUDGET } from './budget.ts';
import { EffectRecord } from './effect-record.ts';
import type { EntryBody, Outcome } from './entry.ts';
import { frameOf, withFiles } from './frame.ts';
import { gateOf } from './permission.ts';
import { permitOf } from './permit.ts';
import { grantedTools, nativeTools, unlistedTools } from './grants.ts';
import { heardBy } from './heard-host.ts';
import { EffectHost } from './host.ts';
import type { Effect } from './machine.ts';
import { givenMemory } from './memory.ts';
import { Meter } from './meter.ts';
import { untoldLines } from './open-questions.ts';
import { askingHost, QuestionTools } from './question-tools.ts';
import type { EffectOptions, RunningEffect } from './running-effect.ts';
import type { ModelNode } from './runnable.ts';
import { type GivenSecrets, givenSecrets } from './secret-source.ts';
import { projectionDigest } from './projection.ts';
import { sessionStart } from './session.ts';
import { Stall } from './stall.ts';
import { steerable } from './steer.ts';
import { storedMismatch } from './stored-guard.ts';
import { withServers } from './served-work.ts';
import type { Tool, ToolContext } from './tool.ts';
import { type WorkedIn, workedIn } from './work-place.ts';

/** Silence after which a backend that does not give up by itself is given up: three times what it is asked to bear. */
const STALL_MS = 3 * QUIET_MS;

/**
 * One run of an agent node on a backend: from the start of the backend to the outcome. Everything the backend shows
 * is committed in the order in which it came; the outcome is returned and not committed, so that whatever follows
 * from it shares its commit.
 */
export class AgentEffect implements RunningEffect {
  readonly effect: Effect;
  readonly #options: EffectOptions;
  readonly #node: ModelNode;
  readonly #abort = new AbortController();
  /** Aborts at an interrupt too: a tool that runs must not outlive the turn. */
  readonly #stop = new AbortController();
  /** Aborts when the backend is given up. */
  readonly #given = new AbortController();
  readonly #offered = new Set<MessageId>();
  readonly #meter: Meter;
  readonly #record: EffectRecord;
  readonly #limit: ActiveLimit;
  #backend: BackendRun | null = null;
  #host: EffectHost | null = null;
  #place: WorkedIn = { workspace: '' };
  #interrupting = false;
  #stall: Stall | null = null;

  constructor(options: EffectOptions, node: ModelNode, effect: Effect) {
    this.#options = options;
    this.#node = node;
    this.effect = effect;
    this.#meter = new Meter(options.time);
    const { drive } = options;
    this.#record = new EffectRecord({ drive, meter: this.#meter, effect, node: node.name });
    this.#limit = new ActiveLimit(drive, options.clock, this.#meter, () => this.interrupt());
  }

  async run(): Promise<EntryBody> {
    const { choose, drive } = this.#options;
    const { model, provider, effort, backend } = this.#node;
    const effect = this.effect.id;
    this.#meter.begin();
    let outcome: Outcome;
    try {
      const mismatch = await storedMismatch(drive, this.#node);
      if (mismatch !== null) return { is: 'ended', effect, outcome: mismatch, spend: NO_SPEND };
      const chosen = await choose({ backend: backend ?? drive.plan.defaultBackend, model, provider, effort });
      this.#record.made = { backend: chosen.backend.name, model: chosen.model.model };
      const refused = this.#boundaryRefusal(chosen.backend);
      if (refused !== null)
        return { is: 'ended', effect, outcome: refused, spend: NO_SPEND, made: this.#record.made };
      this.#place = await workedIn(this.#options);
      const secrets = await givenSecrets(this.#options);
      try {
        const [abort, stop] = [this.#abort.signal, this.#stop.signal];
        const under = { workspace: this.#place.workspace, secrets, abort, stop };
        outcome = await withServers(this.#options, this.#node, under, served =>
          this.#outcome(chosen.backend, chosen.model, served, secrets),
        );
      } finally {
        await secrets.close();
      }
      return { is: 'ended', effect, outcome, spend: this.#meter.total(), made: this.#record.made };
    } catch (error) {
      if (this.#abort.signal.aborted || drive.broken()) throw error;
      const message = error instanceof Error ? error.message : 'No backend could be chosen.';
      return {
        is: 'ended',
        effect,
        outcome: { is: 'failed', code: 'missing', message, began: false },
        spend: NO_SPEND,
      };
    } finally {
      this.#meter.total();
    }
  }

  /** A list of tools that would be no boundary is none: the node is refused before anything begins. */
  #boundaryRefusal({ name, capabilities }: Backend): Outcome | null {
    if (capabilities.toolBoundary || this.#node.tools === null) return null;
    const message = `The node "${this.#node.name}" says which tools it may use, and the backend "${name}" cannot keep to such a list; choose another backend for it.`;
    return { is: 'failed', code: 'tool_boundary', message, began: false };
  }

  /** Offers the messages that may join, each once, and follows a limit that was raised. */
  refresh(): void {
    const { drive } = this.#options;
    if (this.#backend !== null) this.#limit.follow();
    const joining = steerable(drive.plan, drive.state, this.effect.id).map(inboxMessage);
    for (const message of [...this.#answers(), ...joining]) {
      if (this.#backend === null || this.#offered.has(message.id)) continue;
      this.#offered.add(message.id);
      this.#backend.offer(message);
    }
  }

  /** Answers to what its agent asked without waiting; they join whatever its inbox says, since it asked for them. */
  #answers(): readonly InboxMessage[] {
    const { run } = this.#options.drive.state.machine;
    return run === null || this.#node.interaction !== 'async' ? [] : untoldLines(run, this.#node.name);
  }

  /** Asks the backend to stop; the outcome will say so. */
  interrupt(): void {
    if (this.#interrupting) return;
    this.#interrupting = true;
    void this.#backend?.interrupt().catch(() => undefined);
    this.#stop.abort();
  }

  /** Stops the backend for good, without an outcome: the service goes down. */
  abort(): void {
    this.#stall?.stop();
    this.#abort.abort();
  }

  async #outcome(
    backend: Backend,
    model: ModelChoice,
    served: readonly Tool[],
    secrets: GivenSecrets,
  ): Promise<Outcome> {
    const { drive, bot, tools, clock } = this.#options;
    const { turn, run: whole } = drive.state.machine;
    if (whole === null) return failure('crashed', 'There is no run.');
    const run = await withFiles(drive, frameOf(whole, this.effect.branch));
    const files = await drive.attached(turn?.files ?? []);
    const { workspace } = this.#place;
    const { surroundings } = this.#options;
    const memory = await givenMemory(
      this.#node,
      { workspace: this.#place.board ?? workspace, bot: bot.name },
      surroundings?.memories,
      backend,
    );
    const listed = grantedTools(this.#node, [...tools, ...bot.tools]);
    const unlisted = unlistedTools(this.#node, bot.tools, backend.capabilities);
    const granted = [...listed, ...unlisted, ...memory.tools, ...served];
    const permission = gateOf(this.#node, surroundings?.expand('${HEARTH_PERMISSION:-off}') ?? 'off');
    const context: ToolContext = {
      effect: this.effect.id,
      node: this.#node.name,
      ...this.#place,
      author: bot.title,
      attached: path => isAttached(drive.state, [...files, ...Object.values(run.attachments ?? {})], path),
      signal: AbortSignal.any([this.#abort.signal, this.#stop.signal]),
    };
    const tooled = new EffectHost(drive, granted, context, {
      policy: permission,
      names: this.#node.tools == null ? null : nativeTools(this.#node, granted),
    });
    this.#host = tooled;
    const questions = new QuestionTools(drive, clock, { effect: this.effect.id, node: this.#node.name });
    const host = this.#node.interaction === 'async' ? askingHost(tooled, questions) : tooled;
    const signer = this.#node.session === 'fork' ? await signerOf(backend, model) : null;
    const known = { plan: drive.plan, run, recap: await drive.recap(), signer };
    const session = sessionStart(this.#node, this.effect, known);
    if ('refused' in session) {
      return { is: 'failed', code: 'session_lost', message: session.refused, began: false };
    }
    this.#record.degraded = session.degraded;
    if (memory.unread !== null && session.start.mode === 'fresh')
      await drive.commit([], [notice('memory_unread', memory.unread)]);
    const tuned = calibration(drive.plan, this.#node, text => surroundings?.expand(text) ?? text);
    if ('refused' in tuned) return { is: 'failed', code: 'cursor', message: tuned.refused, began: false };
    const directory = await drive.directory(this.#node.name);
    const from = {
      plan: drive.plan,
      run,
      ledgers: drive.state.ledgers,
      turn,
      node: this.#node,
      effect: this.effect,
      session: session.start,
      tools: granted,
      files,
      secretPaths: secrets.paths,
      permission,
    };
    const task = taskOf(drive.plan, run, drive.state.ledgers, this.effect);
    const stall = new Stall(clock, STALL_MS);
    this.#stall = stall;
    const asked = { ...from, model, directory, workspace, task, calibration: tuned.text };
    const given = { ...backendTurn(asked), ...memory.turn };
    this.#record.projection = projectionDigest(given);
    const started = backend.start(
      given,
      heardBy(stall, host),
      AbortSignal.any([this.#abort.signal, this.#given.signal]),
    );
    this.#backend = started;
    if (this.#interrupting) void started.interrupt().catch(() => undefined);
    try {
      return await this.#follow(started, backend, stall);
    } finally {
      stall.stop();
      this.#limit.stop();
      this.#backend = null;
    }
  }

  async #follow(started: BackendRun, backend: Backend, stall: Stall): Promise<Outcome> {
    const silence = stall.stalled.then(() => null);
    const unkept = Promise.withResolvers<never>();
    unkept.promise.catch(() => undefined);
    let kept: Promise<void> = Promise.resolve();
    try {
      this.refresh();
      const events = started[Symbol.asyncIterator]();
      for (;;) {
        const next = await Promise.race([events.next(), silence, unkept.promise]);
        this.#abort.signal.throwIfAborted();
        if (next === null) return this.#giveUp(backend);
        if (next.done === true) break;
        const event = next.value;
        stall.heard();
        if (isEnding(event)) {
          // What it holds, a file for one, it gives back behind its last event.
          void events.return?.(undefined)?.catch(() => undefined);
          return this.#ending(event);
        }
        if (event.type === 'tool') stall[event.change === 'started' ? 'begin' : 'end'](event.call);
        await kept;
        kept = this.#record.note(event, backend);
        // The backend need not wait for its session to be kept, whatever it shows then comes after it.
        if (event.type === 'session') kept.catch(unkept.reject);
        else await kept;
      }
      return failure('protocol', `The backend "${backend.name}" ended without saying how.`);
    } catch (error) {
      if (this.#abort.signal.aborted || this.#options.drive.broken()) throw error;
      const message = error instanceof Error ? error.message : 'unknown';
      return failure('crashed', `The backend "${backend.name}" broke: ${message}`);
    }
  }

  /** Asks the backend to stop and waits no longer for it; nothing that it still does is taken. */
  #giveUp(backend: Backend): Outcome {
    this.interrupt();
    this.#given.abort();
    const minutes = STALL_MS / 60_000;
    return failure(
      'quiet',
      `Nothing was heard from the backend "${backend.name}" for ${minutes} minutes, so it was given up; what it did until then is kept.`,
    );
  }

  #ending(event: Ending): Outcome {
    if (event.type !== 'stopped' || !this.#limit.over) return withPermits(outcomeOf(event), this.#host);
    return failure(
      OVER_BUDGET,
      `${this.#options.bot.title} was stopped: the active time that its budget allows is used up.`,
    );
  }
}

/** The calls of Hearth's tools that wait for leave are the engine's to tell, beside the backend's own. */
function withPermits(outcome: Outcome, host: EffectHost | null): Outcome {
  if (outcome.is !== 'parked' || host === null) return outcome;
  const known = new Set(outcome.permits.map(permit => permit.id));
  const parked = host.parked.filter(call => !known.has(call.id)).map(permitOf);
  return { ...outcome, permits: [...outcome.permits, ...parked] };
}

/** Who would sign now; `null` when that cannot be told, which keeps a session and does not drop it. */
async function signerOf(backend: Backend, model: ModelChoice): Promise<string | null> {
  try {
    return await backend.fingerprint(model);
  } catch {
    return null;
  }
}
