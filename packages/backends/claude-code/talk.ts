import { randomUUID } from 'node:crypto';
import type { BackendEvent, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { type ClosedHome, closedPaths, entersHome } from '../agent-programs/closed-home.ts';
import { AgentProgram } from '../agent-programs/agent-program.ts';
import { Watchdog } from '../agent-programs/watchdog.ts';
import { watchedField } from '../model-api/partial-reply.ts';
import { OwnTools } from '../own-tools/own-tools.ts';
import { argumentsOf, type From, initialize } from './arguments.ts';
import { endOf, repeats } from './ending.ts';
import { programEnvironment } from './environment.ts';
import { boundaryFault } from './boundary.ts';
import { crashed, type Failure, failed, silence } from './failure.ts';
import { Gate } from './gate.ts';
import { Inbox } from './inbox.ts';
import { idOf, openingOf, type Words } from '../agent-programs/opening.ts';
import type { ProgramPorts } from '../agent-programs/ports.ts';
import { Reader } from './reader.ts';
import { nativeNames } from './tool-names.ts';
import { ControlRequest, Line, type ResultLine } from './wire.ts';

/*
 * The talk with one process of Claude Code. It opens by telling the program of the tools and the words of the turn; what the
 * program writes becomes events in order; what it asks is answered by the gate. One thing ends it, whatever comes first: a
 * result that nothing is left to answer behind, the end of the process, silence, an interrupt, or the end of the service.
 */

/** What the program is started with. */
export interface Begins {
  readonly path: string;
  readonly from: From;
  readonly how: 'opened' | 'resumed' | 'forked' | 'reseeded';
  readonly fingerprint: string;
  /** Whether the session has read words of this id. */
  readonly holds: (id: string) => boolean;
  /** Hearth's home, which the program's own tools are kept from. */
  readonly closed: ClosedHome | null;
}

/** What one process is started for, and where its events go. */
export interface TalkParts {
  readonly turn: BackendTurn;
  readonly host: Host;
  readonly ports: ProgramPorts;
  readonly begins: Begins;
  /** Resolves when the engine has taken the event in. */
  readonly put: (event: BackendEvent) => Promise<void>;
}

type Ending = Extract<BackendEvent, { type: 'done' | 'parked' | 'stopped' | 'failed' }>;

/** How long a program may take to say that it holds a message, once the turn could end, in milliseconds. */
const UNHEARD_MS = 1000;
/** How long it may take to stop by itself when it is interrupted, in milliseconds. */
const INTERRUPT_MS = 3000;

const DEGRADED = 'The earlier session is gone; a new one knows only the latest words.';

/** One process and the turn that it plays. Nothing of it is left once `ended` has resolved. */
export class Talk {
  /** The last event of the turn, once nothing of the process is left. Never rejects. */
  readonly ended: Promise<Ending>;
  readonly #parts: TalkParts;
  readonly #program: AgentProgram;
  readonly #watchdog: Watchdog;
  readonly #tools: OwnTools;
  readonly #native: readonly string[];
  readonly #gate: Gate;
  readonly #reader: Reader;
  readonly #inbox: Inbox;
  readonly #decision = Promise.withResolvers<Ending>();
  /** The engine has taken in which session this is. */
  readonly #known = Promise.withResolvers<void>();
  #session: string | null = null;
  #latest: Extract<Ending, { type: 'done' }> | null = null;
  /** The program came to a result since it was asked to stop, or ended. */
  readonly #still = Promise.withResolvers<void>();
  #repairs = 0;
  #spent = false;
  #acted = false;
  #decided = false;
  #abrupt = false;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    const { turn, host, ports, begins } = parts;
    this.#watchdog = new Watchdog(ports.clock, { quietMs: turn.quietMs });
    const served: Host = {
      call: async call => {
        await this.#known.promise;
        return await host.call(call);
      },
      permit: call => host.permit(call),
    };
    this.#tools = new OwnTools(turn, served, { stops: true });
    this.#native = nativeNames(turn);
    this.#reader = new Reader(watchedField(turn.output));
    this.#inbox = new Inbox(turn, begins.holds);
    const closed = begins.closed === null ? [] : closedPaths(begins.closed);
    this.#gate = new Gate(this.#tools, this.#native, host, {
      enters: ({ args }) => entersHome(begins.closed, args),
      starts: async ({ id, name, args }) => {
        this.#acted = true;
        this.#watchdog.begin(id);
        await parts.put(this.#reader.started(id, name, args));
      },
      denied: ({ id, name }) =>
        void parts.put({ type: 'tool', call: id, name, change: 'denied', mutates: null }),
      works: (call, working) => (working ? this.#watchdog.begin(call) : this.#watchdog.end(call)),
    });
    this.#program = AgentProgram.start({
      argv: [begins.path, ...argumentsOf(turn, this.#tools, this.#native, begins.from, closed)],
      cwd: turn.workspace ?? turn.directory,
      env: programEnvironment(ports.env, turn.directory),
      onLine: line => this.#heard(line),
      onNoise: error => this.#fail({ code: 'protocol', message: error.message }),
      ...(ports.patience === undefined ? {} : { patience: ports.patience }),
    });
    this.#program.send(initialize(turn));
    for (const words of openingOf(turn, begins)) this.#say(words);
    void this.#program.ended.then(({ exit }) => this.#fail(crashed(exit)));
    void this.#watchdog.silent.then(kind => this.#fail(silence(kind, turn.quietMs)));
    this.ended = this.#closed();
  }

  offer(message: InboxMessage): void {
    if (this.#decided) return;
    const come = this.#inbox.offer(message);
    if ('id' in come) return this.#say(come);
    // It is told behind the session's own event.
    void this.#known.promise.then(() => {
      for (const moved of come) void this.#parts.put(moved);
    });
  }

  /** Asks the program to stop; it is ended when it does not. Resolves when it is gone. */
  async interrupt(): Promise<void> {
    if (this.#decided) return void (await this.ended);
    this.#decide({ type: 'stopped' });
    await this.ended;
  }

  /** Ends the program at once: nobody is left to hear of it. */
  abort(): void {
    this.#abrupt = true;
    this.#decide({ type: 'stopped' });
  }

  #say({ id, text }: Words): void {
    const message = { role: 'user', content: text };
    this.#program.send({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: id });
  }

  #heard(value: JsonObject): void {
    this.#watchdog.heard();
    const read = Line.safeParse(value);
    if (!read.success) return;
    const line = read.data;
    if (line.type === 'control_request') return void this.#answer(line.request_id, line.request);
    if (line.type === 'command_lifecycle')
      return this.#tell(this.#inbox.moved(line.command_uuid, line.state));
    if (line.type === 'system' && line.subtype === 'init') return this.#begun(line);
    if (line.type === 'result') return this.#ended(line);
    if (line.type === 'stream_event' && line.event.type === 'message_start') {
      // A question was put and the program goes on all the same: nothing of this step is wanted.
      if (this.#gate.parks) return this.#park();
      this.#tell(this.#inbox.stepped());
    }
    if (line.type === 'user') this.#toolsEnded(line);
    this.#tell(this.#reader.read(line));
  }

  #tell(events: Iterable<BackendEvent>): void {
    if (this.#decided) return;
    for (const event of events) void this.#parts.put(event);
  }

  #toolsEnded(line: Extract<Line, { type: 'user' }>): void {
    for (const block of line.message.content) {
      if (block.type === 'tool_result') this.#watchdog.end(block.tool_use_id);
    }
  }

  /** The program's own word of what it works with: the session, and the tools that its model sees. */
  #begun({ session_id: id, tools = [], model }: Extract<Line, { type: 'system' }>): void {
    if (this.#session !== null || this.#decided) return;
    if (id === undefined)
      return this.#fail({
        code: 'protocol',
        message: 'Claude Code does not say which session it works in; update it.',
      });
    this.#session = id;
    const fault = boundaryFault(tools, this.#tools.grants, this.#native);
    if (fault !== null) return this.#fail(fault);
    const { how, fingerprint } = this.#parts.begins;
    const degraded = how === 'reseeded' ? { degraded: DEGRADED } : {};
    const more = model === undefined ? {} : { model };
    void this.#parts
      .put({ type: 'session', id, fingerprint, how, ...degraded, ...more })
      .then(() => this.#known.resolve());
  }

  async #answer(id: string, request: JsonObject): Promise<void> {
    const read = ControlRequest.safeParse(request);
    if (!read.success) {
      const error = 'This is not answered here.';
      return this.#program.send({
        type: 'control_response',
        response: { subtype: 'error', request_id: id, error },
      });
    }
    try {
      const response = await this.#gate.answer(read.data);
      this.#program.send({
        type: 'control_response',
        response: { subtype: 'success', request_id: id, response },
      });
    } catch {
      // The host gives nothing more: the turn is over. One that was interrupted still ends in the program's own way.
      if (!this.#decided) this.abort();
    }
  }

  #ended(result: ResultLine): void {
    for (const event of this.#reader.used(result)) void this.#parts.put(event);
    if (this.#decided) return this.#still.resolve();
    if (this.#gate.parks) return this.#park();
    const again = { byItself: this.#reader.repairs, byHost: this.#repairs, spent: this.#spent };
    const end = endOf(this.#parts.turn, result, again);
    if (end.is === 'failure') return this.#fail(end.failure);
    if (end.is === 'again') {
      if (end.why === 'form') this.#repairs += 1;
      else this.#spent = true;
      return this.#say({
        id: idOf(this.#parts.turn.effect, randomUUID(), end.text),
        text: end.text,
      });
    }
    this.#latest = end.event;
    void this.#finished();
  }

  #park(): void {
    this.#beside('');
    this.#decide({ type: 'parked', asks: this.#tools.asks, permits: this.#gate.permits });
  }

  /** The turn could end; a message that the program holds, or may hold, is answered first. */
  async #finished(): Promise<void> {
    const step = UNHEARD_MS / 20;
    for (let waited = 0; this.#inbox.unheard && waited < UNHEARD_MS; waited += step) {
      await new Promise(resolve => setTimeout(resolve, step));
    }
    // What is held is answered in a part of the turn that has a result of its own.
    if (this.#inbox.waiting || this.#latest === null) return;
    this.#beside(this.#latest.text);
    this.#decide(this.#latest);
  }

  /** Words that are not the answer are shown, unless the answer says them too. */
  #beside(answer: string): void {
    const words = this.#reader.beside();
    if (words !== '' && (answer === '' || !repeats(answer, words)))
      this.#tell([{ type: 'narration', text: words }]);
  }

  #fail(failure: Failure): void {
    const began = this.#acted || this.#tools.called || this.#reader.spoke;
    this.#decide(failed(failure, began));
  }

  #decide(ending: Ending): void {
    if (this.#decided) return;
    this.#decided = true;
    this.#watchdog.stop();
    this.#known.resolve();
    this.#decision.resolve(ending);
  }

  async #closed(): Promise<Ending> {
    const ending = await this.#decision.promise;
    if (ending.type === 'stopped' && !this.#abrupt) await this.#stopped();
    await this.#program.end(this.#abrupt || ending.type === 'failed' ? 'term' : 'leave');
    return ending;
  }

  /** The program's own way to stop keeps its session whole. */
  async #stopped(): Promise<void> {
    this.#program.send({
      type: 'control_request',
      request_id: 'interrupt',
      request: { subtype: 'interrupt' },
    });
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, INTERRUPT_MS);
    await Promise.race([this.#still.promise, this.#program.ended, late.promise]);
    clearTimeout(timer);
  }
}
