import type { MouseEvent } from 'react';

/** The id of the line that says what a message does while a pause is open. */
export const PANEL_NOTE = 'panel-note';

/** Calls back for a press that was meant for this very button. */
export function pressed(act: () => void): (event: MouseEvent) => void {
  return event => {
    if (event.detail < 2) act();
  };
}
