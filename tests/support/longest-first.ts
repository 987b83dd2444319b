import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where files lie of which a single one may take a minute, the longest first. */
const LONG = [
  '/tests/crash/',
  '/tests/simulate/',
  '/tests/e2e/five-starts',
  '/tests/e2e/package',
  '/tests/e2e/',
];

/** Begins with what takes longest, so that at the end no worker is waited for by the others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

function place({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex(part => moduleId.includes(part));
  return found < 0 ? LONG.length : found;
}
