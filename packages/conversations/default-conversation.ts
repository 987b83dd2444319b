/** The bot of the default conversation, and of those that name none. */
export const DEFAULT_BOT = 'whats-next';
/** The title of the default conversation. */
export const DEFAULT_TITLE = 'Nexie';
