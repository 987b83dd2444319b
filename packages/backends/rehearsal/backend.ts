import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendRun,
  type BackendTurn,
  type Host,
} from '@hearth/engine/backend.ts';
import { LateRuns } from '../late-run.ts';
import { FINGERPRINT, type RehearsalPorts } from './ports.ts';

/*
 * The backend that always works: no model, no network, and it says so. It is deterministic: the same session, board,
 * history and message give the same turn. It is no intelligence; it knows the requests of one table and says so when a
 * message is none of them. As the board's assistant (a node that was given `list_issues` and answers with `reply`) it
 * reads and changes the board through the same tools as any agent; for other bots it fills the output schema.
 */

const runs = new LateRuns(async () => {
  const { RehearsalRun } = await import('./run.ts');
  return (...args: ConstructorParameters<typeof RehearsalRun>) => new RehearsalRun(...args);
});

/** The backend `rehearsal`, the last resort of every choice (docs/adr/0014). */
export class Rehearsal implements Backend {
  readonly name = 'rehearsal';
  /** It plays a turn to its end by itself: words that come meanwhile are for the next. */
  readonly capabilities = { ...ALL_CAPABILITIES, steering: false };
  readonly #ports: RehearsalPorts;

  constructor(ports: RehearsalPorts) {
    this.#ports = ports;
  }

  detect(): Promise<{ usable: boolean; why: string }> {
    return Promise.resolve({ usable: true, why: 'built in; no model is configured' });
  }

  fingerprint(): Promise<string> {
    return Promise.resolve(FINGERPRINT);
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    return runs.start(turn, host, signal, this.#ports);
  }
}
