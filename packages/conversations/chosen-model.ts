/** The backend or the model that a person sets for a conversation. */
import type { EventBody } from '@hearth/protocol/event.ts';
import { notice } from './driver.ts';
import type { ConversationRecord } from './ports.ts';

/** The record with another model; `auto` leaves it to whoever is asked next. */
export function withModel(record: ConversationRecord, wanted: string | undefined): ConversationRecord {
  if (wanted === undefined) return record;
  const { model: _before, ...rest } = record;
  const model = wanted.trim();
  return model === '' || model === 'auto' ? rest : { ...rest, model };
}

/** Tells of it in the log. */
export function modelNotice(before: ConversationRecord, { model }: ConversationRecord): readonly EventBody[] {
  if (before.model === model) return [];
  const text =
    model === undefined
      ? 'The model of this conversation is left open from the next turn on.'
      : `The model of this conversation is "${model}" from the next turn on.`;
  return [notice('model_set', 'info', text)];
}
