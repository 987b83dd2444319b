/** The token `string[]` is the one word that names nothing but a type. Every other word may name things. */
export function isName(word: string): boolean {
  return word !== 'string[]';
}
