/** The number of bytes that a text takes in UTF-8. Counted here, since the language also runs in browsers. */
export function byteLength(text: string): number {
  let size = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return size;
}
