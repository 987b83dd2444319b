/** The checks of an artifact's text that `lint:` may name. Each is deterministic, and its findings stand beside the text. */
export const LINTS: readonly string[] = ['pseudocode'];
