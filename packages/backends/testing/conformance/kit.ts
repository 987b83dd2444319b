import { afterEach, beforeEach, describe, expect } from 'vitest';
import { deathTests } from './deaths.ts';
import { failureTests } from './failures.ts';
import { messageTests } from './messages.ts';
import { questionTests } from './questions.ts';
import type { Subject } from './subject.ts';
import { Talk } from './talk.ts';
import { turnTests } from './turns.ts';

/*
 * The conformance kit: what is asked of every backend, as tests that any backend can be put through. Each capability that
 * it declares is tried, and of the others how their lack is told.
 */

/** The talk of the present test. */
export interface Present {
  readonly talk: () => Talk;
  readonly subject: Subject;
}

/** Puts a backend through the kit. */
export function conforms(subject: Subject): void {
  describe(`${subject.name} keeps the promises of the port`, { timeout: 120_000 }, () => {
    let talk: Talk | null = null;
    beforeEach(async () => {
      talk = new Talk(await subject.open());
    });
    afterEach(async () => {
      const stage = talk?.stage;
      try {
        expect(stage?.problems()).toEqual([]);
        await expect.poll(() => stage?.processes()).toBe(0);
      } finally {
        await stage?.close();
      }
    });
    const present: Present = {
      subject,
      talk: () => {
        if (talk === null) throw new Error('there is no stage');
        return talk;
      },
    };
    turnTests(present);
    questionTests(present);
    messageTests(present);
    failureTests(present);
    deathTests(present);
  });
}
