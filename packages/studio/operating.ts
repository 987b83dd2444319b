import type { Attachment } from '@hearth/client/attachment.ts';
import type { Fact } from '@hearth/client/run-figures.ts';
import { readRunFacts } from '@hearth/client/run-facts.ts';
import type { ArtifactAnswer, ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { ConversationId, Digest } from '@hearth/protocol/ids.ts';

/** What a person looks up of the open conversation, and does to its run and to what was allowed in it. */
export class Operating {
  readonly #attachment: Attachment;
  readonly #attempt: (work: () => Promise<void>) => Promise<void>;

  /** `attempt` does something and tells of its failure. */
  constructor(attachment: Attachment, attempt: (work: () => Promise<void>) => Promise<void>) {
    this.#attachment = attachment;
    this.#attempt = attempt;
  }

  async interrupt(): Promise<void> {
    await this.#attempt(async () => void (await this.#attachment.interrupt()));
  }

  /** Takes back what was allowed or denied for good. */
  async revokeRule(rule: string): Promise<void> {
    await this.#attempt(async () => {
      const { model } = this.#attachment;
      if (model === null) return;
      const commandId = this.#attachment.client.newCommandId();
      await this.#attachment.act(client => client.revokeRule(model.id, rule, { commandId }));
    });
  }

  /** A version of an artifact. Rejects with a `HearthProblem`. */
  version(ref: Pick<ArtifactRef, 'artifact' | 'version'>, since?: number): Promise<ArtifactAnswer> {
    const conversation = this.#attachment.model?.id;
    if (conversation === undefined) throw new Error('No conversation is open.');
    return this.#attachment.call(client => client.artifact(conversation, ref, { since }));
  }

  /** A long text, whole. Rejects with a `HearthProblem`. */
  whole(conversation: ConversationId, digest: Digest): Promise<string> {
    return this.#attachment.call(client => client.blob(conversation, digest));
  }

  /** The run in figures, as they are now; `null` when none has begun. Rejects with a `HearthProblem`. */
  async facts(): Promise<readonly Fact[] | null> {
    const { model } = this.#attachment;
    return model === null ? null : await readRunFacts(this.#attachment, model.id);
  }
}
