import type { Model } from '@hearth/client/view.ts';
import { quickReplies, shownPause } from '@hearth/client/view.ts';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { AttachButton, Files, takeFiles } from './files.tsx';
import type { Desk } from './desk.ts';
import { PANEL_NOTE, pressed } from './pressed.ts';
import type { Sheet } from './sheet.ts';
import { oneLine } from './text.ts';

interface Props {
  readonly model: Model;
  readonly desk: Desk;
  readonly sheet: Pick<Sheet, 'composed' | 'files' | 'uploading'>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/**
 * Where messages are typed, always. Whatever is sent from here is a message, and a message answers nothing; only at a card
 * it is what its words mean there.
 */
export function Composer({ model, desk, sheet, field }: Props): ReactNode {
  const text = sheet.composed;
  const pause = shownPause(model);
  const replies = pause === null ? quickReplies(model) : [];
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends the choice of a character, as for Japanese, is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) void desk.submit();
  };
  return (
    <form
      className="composer"
      aria-label="Message"
      onSubmit={event => {
        event.preventDefault();
        void desk.submit();
      }}
    >
      {replies.length === 0 ? null : (
        <ul className="chips" aria-label="Quick replies">
          {replies.map((reply, at) => (
            <li key={at}>
              <button
                type="button"
                className="chip"
                onClick={pressed(() => {
                  field.current?.focus();
                  void desk.say(reply);
                })}
              >
                {oneLine(reply)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Files files={sheet.files} uploading={sheet.uploading} desk={desk} field={field} />
      <div className="field">
        <label htmlFor="composer" className="hidden">
          Message to {model.now.title}
        </label>
        <textarea
          id="composer"
          ref={field}
          rows={1}
          value={text}
          placeholder={`Message to ${oneLine(model.now.title)}`}
          aria-describedby={pause === null ? 'composer-keys' : `composer-keys ${PANEL_NOTE}`}
          onChange={event => desk.compose(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={event => takeFiles(event.clipboardData, event, desk)}
          onDrop={event => takeFiles(event.dataTransfer, event, desk)}
        />
        <AttachButton desk={desk} />
        <button type="submit" className="send" aria-disabled={text.trim() === ''}>
          Send
        </button>
      </div>
      <p id="composer-keys" className="note keys">
        Enter sends, Shift+Enter makes a new line.
      </p>
    </form>
  );
}
