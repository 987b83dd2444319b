import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { Act } from '@hearth/protocol/decision.ts';
import type { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import { sameAct } from './ways.ts';

/** A command as its person made it. */
export interface Spoken {
  readonly commandId: CommandId;
  readonly conversation: ConversationId;
  readonly what: /** `files` come with the words, in their order. */
    | { readonly text: string; readonly files?: readonly Attached[] }
    /** `shown`: the version of a card that was on screen. */
    | { readonly pause: string; readonly act: Act; readonly shown?: ArtifactRef };
}

/**
 * The commands that got no answer, one for each that differs. The same words or the same decision made again are the same
 * command until it was judged or has arrived, so that they happen once however often they were sent.
 */
export class Unanswered {
  #commands: readonly Spoken[] = [];

  /** The id under which this was sent before without an answer; `null` when it was not. */
  idOf(conversation: ConversationId, what: Spoken['what']): CommandId | null {
    const before = this.#commands.find(one => one.conversation === conversation && isSame(one.what, what));
    return before?.commandId ?? null;
  }

  /** Nobody answered it. */
  add(command: Spoken): void {
    this.settle(command.commandId);
    this.#commands = [...this.#commands, command];
  }

  /** It was judged or has arrived: the same once more is another command. The command, if it was known. */
  settle(commandId: CommandId): Spoken | null {
    const known = this.#commands.find(one => one.commandId === commandId) ?? null;
    if (known !== null) this.#commands = this.#commands.filter(one => one !== known);
    return known;
  }
}

function isSame(a: Spoken['what'], b: Spoken['what']): boolean {
  if ('text' in a) return 'text' in b && a.text === b.text && sameFiles(a.files, b.files);
  return (
    'pause' in b && a.pause === b.pause && a.shown?.version === b.shown?.version && sameAct(a.act, b.act)
  );
}

function sameFiles(a: readonly Attached[] = [], b: readonly Attached[] = []): boolean {
  const same = (one: Attached, other: Attached | undefined): boolean =>
    one.blob === other?.blob && one.name === other.name && one.as === other.as;
  return a.length === b.length && a.every((one, at) => same(one, b[at]));
}
