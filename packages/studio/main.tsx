import './strict-parsing.ts';
import { createRoot } from 'react-dom/client';
import { App, SignedOut, Silent } from './app.tsx';
import { Desk } from './desk.ts';
import { Drafts } from './drafts.ts';
import { fragmentOf, readPlace } from './place.ts';
import { enter, pageClient } from './session.ts';

/*
 * Where the page begins: the code is taken out of the address and used up, then the conversation is opened. Who has a
 * session already goes on with it, even with a link that was used before.
 */

const element = document.getElementById('studio');
if (element === null) throw new Error('The page has no place for the studio.');
const root = createRoot(element);

const { code, conversation } = readPlace(location.hash);
if (code !== null) history.replaceState(null, '', `${location.pathname}${fragmentOf(conversation)}`);
addEventListener('hashchange', () => {
  // A new link in a tab that is open already: begin again with it.
  if (readPlace(location.hash).code !== null) location.reload();
});

const entry = await enter(code, () => root.render(<Silent />));
if ('why' in entry) {
  root.render(<SignedOut why={entry.why} />);
} else {
  const desk = new Desk({
    client: pageClient(entry.name),
    workspace: entry.workspace,
    drafts: new Drafts(sessionStorage),
    onOpened: opened => {
      const named = readPlace(location.hash).conversation;
      if (named === null) history.replaceState(null, '', fragmentOf(opened));
      else if (named !== opened) history.pushState(null, '', fragmentOf(opened));
    },
    onSignedIn: () => location.reload(),
  });
  addEventListener('hashchange', () => void desk.open(readPlace(location.hash).conversation));
  document.addEventListener('visibilitychange', () => desk.setHidden(document.hidden));
  root.render(<App desk={desk} />);
  desk.start(conversation);
}
