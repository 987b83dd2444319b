import { join } from 'node:path';
import { TurnMetrics } from '@hearth/conversations/metrics.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { BoundedFile } from './bounded-file.ts';
import { errorFacts, type Log } from './log.ts';

/*
 * `metrics/turn-settled.jsonl`: a row of counters for each turn that ended, outside the conversations and so longer lived
 * than they are. It is bounded, and a row that cannot be written is dropped; the turn knows nothing of it.
 */

const LIMIT = 4 * 1024 * 1024;

export class MetricsFile {
  readonly #file: BoundedFile;
  readonly #metrics: TurnMetrics;

  constructor(disk: Disk, home: string, tools: readonly Tool[], log: Log) {
    this.#file = new BoundedFile(disk, metricsPath(home), LIMIT, error =>
      log.write('metrics_failed', errorFacts(error)),
    );
    const mutates = new Map(tools.map(tool => [tool.name, tool.mutates]));
    this.#metrics = new TurnMetrics(tool => mutates.get(tool) ?? null);
  }

  /** Takes what a conversation tells. */
  take(c: ConversationId, frame: Frame): void {
    if (frame.frame === 'recover') this.#metrics.forget(c);
    if (frame.frame !== 'event') return;
    const row = this.#metrics.take(c, frame.event);
    if (row !== null) this.#file.write(row);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

export function metricsPath(home: string): string {
  return join(home, 'metrics', 'turn-settled.jsonl');
}
