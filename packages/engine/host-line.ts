/** Begins a line that the host, and not the person, put into a prompt or a session. */
export const HOST_LINE = '[hearth] ';
