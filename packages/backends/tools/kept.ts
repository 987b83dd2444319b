/** The beginning and the end of an output, whatever its length. */
export class Kept {
  readonly #bytes: number;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #left = 0;

  /** `bytes` are kept: half of them of the beginning, half of the end. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Whether something in the middle was left out. */
  get cut(): boolean {
    return this.#left > 0;
  }

  add(chunk: Buffer): void {
    const half = this.#bytes / 2;
    const room = Math.max(0, half - this.#head.length);
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.#tail, chunk.subarray(room)]);
    const over = Math.max(0, rest.length - half);
    this.#left += over;
    this.#tail = rest.subarray(over);
  }

  text(): string {
    const gap = this.#left === 0 ? '' : `\n… ${this.#left} bytes left out …\n`;
    if (gap === '') return Buffer.concat([this.#head, this.#tail]).toString('utf8');
    return this.#head.toString('utf8') + gap + this.#tail.toString('utf8');
  }
}
