import type { CommandRow } from './command.ts';
import { json, now } from './command-options.ts';

/** Commands about the service and its home. */
export const SERVICE_COMMANDS: readonly CommandRow[] = [
  {
    name: 'status',
    takes: '',
    words: [0, 0],
    summary: 'Say whether the service runs, where, and which backend answers.',
    options: { json },
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'serve',
    takes: '',
    words: [0, 0],
    summary: 'Run the service in the foreground.',
    options: {
      port: { value: 'N', summary: 'Listen there; a port that is taken is an error.' },
      host: { value: 'ADDRESS', summary: 'Listen on that address; only loopback is possible yet.' },
    },
    endsItself: true,
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'stop',
    takes: '',
    words: [0, 0],
    summary: 'Stop the service; turns under way get a few seconds to settle.',
    options: { now },
    load: async () => (await import('./stop.ts')).stop,
  },
  {
    name: 'restart',
    takes: '',
    words: [0, 0],
    summary: 'Stop the service and start it with this version of Hearth and this environment.',
    options: { now, json },
    load: async () => (await import('./restart.ts')).restart,
  },
  {
    name: 'logs',
    takes: '',
    words: [0, 0],
    summary: 'Print the last lines of the service’s log.',
    options: {
      follow: { short: 'f', summary: 'Go on with what follows, until ctrl-C.' },
      lines: { value: 'N', short: 'n', summary: 'How many lines (50).' },
      json: { summary: 'Print each line as JSON.' },
    },
    endsItself: true,
    load: async () => (await import('./logs.ts')).logs,
  },
  {
    name: 'verify',
    takes: '[ID]',
    words: [0, 1],
    summary:
      'Read everything that the home holds, or one conversation, and say what is damaged; changes nothing.',
    options: { json },
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'doctor',
    takes: '',
    words: [0, 0],
    summary: 'Look at everything that the home is made of, say what is wrong and what a repair does.',
    options: { repair: { summary: 'Do what can be repaired without you.' }, json },
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'export',
    takes: 'ID FILE',
    words: [2, 2],
    summary: 'Write a whole conversation into an archive; overwrites nothing.',
    options: { json },
    load: async () => (await import('./export.ts')).exportTo,
  },
  {
    name: 'import',
    takes: 'FILE',
    words: [1, 1],
    summary: 'Take in a conversation from an archive and print its id.',
    options: { json },
    load: async () => (await import('./import.ts')).importFrom,
  },
  {
    name: 'record',
    takes: '[ID]',
    words: [0, 1],
    summary: 'Keep a run of a conversation as a recording of its bot, to be played again without a model.',
    options: {
      name: { value: 'NAME', summary: 'What to call the recording (the run).' },
      into: { value: 'DIR', summary: 'The bundle that gets it; needed for a bot that comes with Hearth.' },
      run: { value: 'RUN', summary: 'That run instead of the latest.' },
      force: { summary: 'Replace a recording of that name.' },
      json,
    },
    load: async () => (await import('./record.ts')).record,
  },
  {
    name: 'replay',
    takes: '[NAME|PATH]',
    words: [0, 1],
    summary: 'Play the recordings of a bot, without a model, and tell where its turns go another way now.',
    options: { name: { value: 'NAME', summary: 'Only that recording.' }, json },
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'token rotate',
    takes: '',
    words: [0, 0],
    summary:
      'Give the home another token; the old one is refused at once, and browsers have to sign in again.',
    options: {},
    load: async () => (await import('./token.ts')).rotate,
  },
];
