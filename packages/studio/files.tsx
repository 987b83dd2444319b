import { fileWords } from '@hearth/client/file-words.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { ReactNode, RefObject } from 'react';
import { useRef } from 'react';
import type { Desk } from './desk.ts';
import { oneLine } from './text.ts';

/* Files that go with the next message: chosen by a button, dropped on the composer, or pasted into it. */

/** Opens the browser's choice of files. */
export function AttachButton({ desk }: { readonly desk: Desk }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={event => {
          const chosen = [...(event.currentTarget.files ?? [])];
          // The same file can be chosen once more.
          event.currentTarget.value = '';
          void desk.handing.attach(chosen);
        }}
      />
      <button type="button" className="chip attach" onClick={() => input.current?.click()}>
        Attach<span className="hidden"> files to the message</span>
      </button>
    </>
  );
}

interface Props {
  readonly files: readonly Attached[];
  readonly uploading: boolean;
  readonly desk: Desk;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** The files that were chosen, each of which can be left out again. What becomes of them is announced. */
export function Files({ files, uploading, desk, field }: Props): ReactNode {
  const leaveOut = (file: Attached): void => {
    field.current?.focus();
    desk.handing.detach(file);
  };
  return (
    <>
      {files.length === 0 ? null : (
        <ul className="files" aria-label="Files that go with the message">
          {files.map(file => (
            <li key={`${file.blob} ${file.name}`}>
              <span className="head">{fileWords([file])}</span>
              <button
                type="button"
                className="chip small"
                aria-label={`Leave out: ${oneLine(file.name)}`}
                onClick={() => leaveOut(file)}
              >
                Leave out
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={uploading ? 'note' : 'hidden'} role="status">
        {uploading ? 'Attaching…' : fileWords(files)}
      </p>
    </>
  );
}

/** Takes the files of a drop or a paste; words are left to the field. */
export function takeFiles(
  from: Pick<DataTransfer, 'files'>,
  event: { preventDefault(): void },
  desk: Desk,
): void {
  const files = [...from.files];
  if (files.length === 0) return;
  event.preventDefault();
  void desk.handing.attach(files);
}
