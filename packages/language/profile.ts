/** The two profiles of the language: 1 unless a source begins with `dsl: 2`, which brings the later features. */
export type Profile = 1 | 2;
