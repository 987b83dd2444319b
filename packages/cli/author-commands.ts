import type { CommandRow } from './command.ts';
import { json } from './command-options.ts';

/** Commands for who writes bots. */
export const AUTHOR_COMMANDS: readonly CommandRow[] = [
  {
    name: 'init',
    takes: '[DIR]',
    words: [0, 1],
    summary: 'Make the files of a new bot in a directory, or here; overwrites nothing.',
    options: { name: { value: 'NAME', summary: 'What it is called, instead of the directory’s name.' } },
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'check',
    takes: 'PATH… | -',
    words: [1, Number.POSITIVE_INFINITY],
    summary: 'Compile bundles, .botz or .bot files and print what is wrong with them.',
    options: { json },
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'explain',
    takes: '[CODE]',
    words: [0, 1],
    summary:
      'Say what the code of a diagnostic means, with a source before and after; without one, list all.',
    options: { json },
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'fmt',
    takes: '[PATH…]',
    words: [0, Number.POSITIVE_INFINITY],
    summary: 'Format .bot files, also those below a directory, and name those that changed.',
    options: {
      check: { summary: 'Change nothing; exit with 1 when something would.' },
      stdin: { summary: 'Format what comes from stdin, to stdout.' },
    },
    load: async () => (await import('./fmt.ts')).fmt,
  },
  {
    name: 'graph',
    takes: 'PATH | -',
    words: [1, 1],
    summary: 'Draw a bot’s graph as a Mermaid flowchart.',
    options: { json },
    load: async () => (await import('./graph.ts')).graph,
  },
  {
    name: 'lsp',
    takes: '',
    words: [0, 0],
    summary: 'Run the language server for an editor, on stdin and stdout.',
    options: { stdio: { summary: 'What it does anyway; some editors ask for it.' } },
    endsItself: true,
    load: async () => (await import('./lsp.ts')).lsp,
  },
];
