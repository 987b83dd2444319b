/** Paths are patterns to the program, in which these mean something else than themselves. */
const MEANS = /[\\*?[\]!#]/g;

/**
 * Rules of the program's own that deny paths and all below them: to its file tools, to its searches, and to commands of its
 * shell where it understands that they name them.
 */
export function denialsOf(closed: readonly string[]): string[] {
  return closed
    .map(path => `/${path.replaceAll(MEANS, String.raw`\$&`)}`)
    .flatMap(path => [path, `${path}/**`])
    .flatMap(place => [`Read(${place})`, `Edit(${place})`]);
}
