import type { Model } from '@hearth/client/view.ts';
import { openPauses, shownPause } from '@hearth/client/view.ts';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import { ConversationList } from './conversation-list.tsx';
import type { Desk } from './desk.ts';
import type { Sheet } from './sheet.ts';
import { PausePanel } from './pause-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { oneLine } from './text.ts';
import { Transcript } from './transcript.tsx';
import { SILENT, tabTitle, troubleOf } from './words.ts';

/** The page: the list of conversations, and the open one. */
export function App({ desk }: { desk: Desk }): ReactNode {
  const sheet = useSyncExternalStore(desk.subscribe, desk.sheet);
  const { model, rows, signedOut } = sheet;
  const title = tabTitle(rows, model?.now.title ?? null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (signedOut !== null && model === null) return <SignedOut why={signedOut} />;
  return (
    <div className="page">
      <a className="skip" href="#composer" onClick={toComposer}>
        Skip to the composer
      </a>
      <ConversationList rows={rows} open={model?.id ?? null} desk={desk} />
      <main>
        <Trouble sheet={sheet} desk={desk} />
        {model === null ? <h1>Hearth</h1> : <Chat key={model.id} model={model} sheet={sheet} desk={desk} />}
        <Notices sheet={sheet} desk={desk} />
      </main>
    </div>
  );
}

function toComposer(event: { preventDefault(): void }): void {
  // The address names the conversation and stays as it is.
  event.preventDefault();
  document.getElementById('composer')?.focus();
}

function Chat({ model, sheet, desk }: { model: Model; sheet: Sheet; desk: Desk }): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const pause = shownPause(model);
  const { actor } = desk.client;
  return (
    <>
      <h1>{oneLine(model.now.title)}</h1>
      <Transcript model={model} desk={desk} readingBack={sheet.readingBack} />
      {pause === null ? null : (
        <PausePanel
          key={pause.id}
          pause={pause}
          others={openPauses(model).length - 1}
          desk={desk}
          busy={sheet.deciding !== null}
          words={sheet.beside[pause.id] ?? ''}
          onAnswered={() => field.current?.focus()}
        />
      )}
      <Composer model={model} desk={desk} sheet={sheet} field={field} />
      <StatusBar model={model} backend={sheet.backend} desk={desk} />
      <Announcer model={model} me={actor} />
    </>
  );
}

/** Says plainly that nobody answers, or that nothing can be saved. The element is always there, so that its words are announced when they come. */
function Trouble({ sheet, desk }: { sheet: Sheet; desk: Desk }): ReactNode {
  const trouble = troubleOf(sheet);
  const [was, setWas] = useState(false);
  if (trouble !== null && !was) setWas(true);
  const over = was ? 'All is well again.' : '';
  return (
    <div className={trouble === null ? 'hidden' : 'lost'} role="status">
      {trouble === null ? over : <span>{trouble.text}</span>}
      {trouble?.again === true ? (
        <button type="button" className="chip small" onClick={() => void desk.tryAgain()}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

function Notices({ sheet, desk }: { sheet: Sheet; desk: Desk }): ReactNode {
  return (
    <div className="notices" role="alert">
      {sheet.notices.map(notice => (
        <p key={notice.id} className={`notice ${notice.severity}`}>
          <span>{notice.text}</span>
          <button type="button" className="chip small" onClick={() => desk.dismiss(notice.id)}>
            Dismiss
          </button>
        </p>
      ))}
    </div>
  );
}

/** What stands here while a service that served the page does not answer any more. */
export function Silent(): ReactNode {
  return (
    <main className="signed-out">
      <h1>Hearth</h1>
      <p role="status">{SILENT}</p>
    </main>
  );
}

/** What a browser without a session shows; there is nothing else that it could. */
export function SignedOut({ why }: { why: string }): ReactNode {
  return (
    <main className="signed-out">
      <h1>This browser is not signed in</h1>
      <p>{why}</p>
      <p>
        Run <code>hearth studio</code> in a terminal and open the link it prints. It works once, within five
        minutes.
      </p>
    </main>
  );
}
