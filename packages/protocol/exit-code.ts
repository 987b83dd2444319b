/** Exit codes of every command; scripts rely on them. */
export const EXIT = {
  /** Done, or the bot published a refusal. */
  done: 0,
  /** Failed, cancelled, or the command was refused. */
  failed: 1,
  /** Stopped at an unconfirmed gate. */
  gate: 2,
  /** Waits for an answer or input. */
  waiting: 3,
  /** The provider or the environment failed. */
  environment: 4,
  /** Wrong usage. */
  usage: 64,
  /** Interrupted. */
  interrupted: 130,
} as const;
/** The number that a command ends with, one of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
