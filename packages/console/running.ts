import type { Attachment } from '@hearth/client/attachment.ts';
import { readRunFacts } from '@hearth/client/run-facts.ts';
import { durationOf } from '@hearth/language/duration.ts';
import type { RunId } from '@hearth/protocol/ids.ts';
import { Axis, LedgerName } from '@hearth/protocol/spend.ts';
import { oneLine } from './text.ts';
import type { Notice } from './transcript.ts';

/** The conversation that is shown, and where figures are told. */
export interface RunningOptions {
  readonly attachment: Pick<Attachment, 'model' | 'client' | 'act' | 'call'>;
  readonly tell: (severity: Notice['severity'], text: string) => void;
}

const SAYS = {
  pause: 'is paused before its next step; /run resume takes it up again.',
  resume: 'goes on.',
  cancel: 'is given up; the next message begins another.',
} as const;

const USAGE =
  '/run alone shows the run; /run pause, /run resume and /run cancel act on it; /run raise burst cost 5 raises a limit of it.';

/** `/run`: the run in figures, and what can be done to it. Failures are thrown, in words for a person. */
export class Running {
  readonly #options: RunningOptions;

  constructor(options: RunningOptions) {
    this.#options = options;
  }

  async run(argument: string): Promise<void> {
    const [what = '', ...rest] = argument.split(/\s+/);
    if (argument === '') return this.#show();
    if (what === 'raise') return this.#raise(rest);
    if ((what === 'pause' || what === 'resume' || what === 'cancel') && rest.length === 0)
      return this.#operate(what);
    throw new Error(USAGE);
  }

  async #show(): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id } = this.#open();
    const facts = await readRunFacts(attachment, id);
    if (facts === null) return tell('info', 'No run has begun here yet.');
    tell('info', facts.map(({ label, text }) => `${label}: ${oneLine(text)}`).join('\n'));
  }

  async #operate(what: keyof typeof SAYS): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id, now } = this.#open();
    const run = this.#of(now.run);
    const commandId = attachment.client.newCommandId();
    await attachment.act(client => client.operate(id, run, what, { commandId }));
    tell('info', `Run ${run} ${SAYS[what]}`);
  }

  /** The new limit is absolute, as in `/run raise burst duration 90m`. */
  async #raise(words: readonly string[]): Promise<void> {
    const { attachment, tell } = this.#options;
    const { id } = this.#open();
    const [first, second, third = ''] = words;
    const ledger = LedgerName.safeParse(first);
    const axis = Axis.safeParse(second);
    if (!ledger.success || !axis.success || words.length > 3)
      throw new Error(
        `/run raise takes a ledger (${LedgerName.options.join(' or ')}), a limit (${Axis.options.join(', ')}) and what it shall be.`,
      );
    const to = axis.data === 'duration' ? durationOf(third) : Number(third);
    if (to === undefined || !Number.isFinite(to) || to <= 0)
      throw new Error(`"${third}" is no limit: write a number, or a time like 45m for the duration.`);
    const commandId = attachment.client.newCommandId();
    await attachment.act(client => client.raise(id, ledger.data, axis.data, to, { commandId }));
    tell('info', `The ${ledger.data} limit for ${axis.data} is ${third} now.`);
  }

  #of(run: RunId | null): RunId {
    if (run === null) throw new Error('No run is under way.');
    return run;
  }

  #open(): NonNullable<Attachment['model']> {
    const { model } = this.#options.attachment;
    if (model === null) throw new Error('No conversation is open.');
    return model;
  }
}
