import './strict-parsing.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { createRoot } from 'react-dom/client';
import { App, SignedOut } from './app.tsx';
import { Desk } from './desk.ts';
import { fragmentOf, readPlace } from './place.ts';
import { pageClient, signIn } from './session.ts';

/*
 * Where the page begins: the code is taken out of the address and used up, then the conversation is opened. Who has a
 * session already goes on with it, even with a link that was used before.
 */

const element = document.getElementById('studio');
if (element === null) throw new Error('The page has no place for the studio.');
const root = createRoot(element);

const { code, conversation } = readPlace(location.hash);
if (code !== null) history.replaceState(null, '', `${location.pathname}${fragmentOf(conversation)}`);
const refused = code === null ? null : await signIn(code);

const client = pageClient();
const signedOut = await client.status().then(
  () => null,
  (error: unknown) => (asProblem(error).status === 401 ? (refused ?? 'There is no session.') : null),
);

addEventListener('hashchange', () => {
  // A new link in a tab that is open already: begin again with it.
  if (readPlace(location.hash).code !== null) location.reload();
});

if (signedOut !== null) {
  root.render(<SignedOut why={signedOut} />);
} else {
  const desk = new Desk({
    client,
    onOpened: opened => {
      const named = readPlace(location.hash).conversation;
      if (named === null) history.replaceState(null, '', fragmentOf(opened));
      else if (named !== opened) history.pushState(null, '', fragmentOf(opened));
    },
  });
  addEventListener('hashchange', () => void desk.open(readPlace(location.hash).conversation));
  document.addEventListener('visibilitychange', () => desk.setHidden(document.hidden));
  root.render(<App desk={desk} />);
  desk.start(conversation);
}
