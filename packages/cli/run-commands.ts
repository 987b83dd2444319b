import type { CommandRow } from './command.ts';
import { conversation, json } from './command-options.ts';

/** Commands about the runs of a conversation. */
export const RUN_COMMANDS: readonly CommandRow[] = [
  {
    name: 'runs list',
    takes: '',
    words: [0, 0],
    summary: 'List the runs of a conversation: how each stands and what it used.',
    options: { conversation, json },
    load: async () => (await import('./runs.ts')).listRuns,
  },
  {
    name: 'runs show',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Show a run in figures: nodes, tools, time, cost.',
    options: { conversation, json },
    load: async () => (await import('./runs.ts')).showRun,
  },
  {
    name: 'runs trace',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Show what a run did, step by step.',
    options: { conversation, json },
    load: async () => (await import('./runs.ts')).traceRun,
  },
  {
    name: 'runs report',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Print a report of a run in Markdown.',
    options: { conversation, json },
    load: async () => (await import('./runs.ts')).reportRun,
  },
  {
    name: 'runs pause',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Pause a run before its next step.',
    options: { conversation, json },
    load: async () => (await import('./runs-operate.ts')).pauseRun,
  },
  {
    name: 'runs resume',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Take up a run that was paused, was interrupted or has failed.',
    options: { conversation, json },
    load: async () => (await import('./runs-operate.ts')).resumeRun,
  },
  {
    name: 'runs cancel',
    takes: '[RUN]',
    words: [0, 1],
    summary: 'Give a run up; the next message begins another.',
    options: { conversation, json },
    load: async () => (await import('./runs-operate.ts')).cancelRun,
  },
  {
    name: 'runs raise',
    takes: 'LEDGER AXIS TO',
    words: [3, 3],
    summary: 'Raise a limit of the run under way: "lifetime cost 20", "burst duration 2h".',
    options: { conversation, json },
    load: async () => (await import('./runs-operate.ts')).raiseLimit,
  },
];
