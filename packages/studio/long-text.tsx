import { asProblem } from '@hearth/client/problem.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Text } from '@hearth/protocol/text.ts';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Desk } from './desk.ts';
import { bytes, cleaned } from './text.ts';

/** Which text, and of which conversation, so that the rest of it can be fetched. */
export interface LongTextProps {
  readonly text: Text;
  readonly desk: Desk;
  readonly conversation: ConversationId;
  /** How words are drawn; as they stand when absent. */
  readonly draw?: (text: string) => ReactNode;
}

function plain(text: string): ReactNode {
  return <div className="words plain">{cleaned(text)}</div>;
}

/** A text; of one too long for an event the beginning, and the rest when it is asked for. */
export function LongText({ text, desk, conversation, draw = plain }: LongTextProps): ReactNode {
  const [whole, setWhole] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  if (typeof text === 'string') return draw(text);
  if (whole !== null) return draw(whole);
  const load = async (): Promise<void> => {
    try {
      setFault(null);
      setWhole(await desk.operating.whole(conversation, text.blob));
    } catch (error) {
      setFault(asProblem(error).detail);
    }
  };
  return (
    <>
      {draw(text.head)}
      <button type="button" className="chip" onClick={() => void load()}>
        Show all of it ({bytes(text.bytes)})
      </button>
      {fault === null ? null : <p className="note">{fault}</p>}
    </>
  );
}
