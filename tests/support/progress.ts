/** Says how far a long test is, so that whoever waits sees that it goes on. */
export function progress(line: string): void {
  process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
