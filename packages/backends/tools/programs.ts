import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program, Programs, Ran } from '@hearth/engine/surroundings.ts';
import { Kept } from './kept.ts';
import { runProcess } from './process.ts';

/*
 * Runs what tool nodes say, as the user of the service, in the workspace. The text is put into a file that only this user
 * can read, since an argument has a bound, and everybody on the machine can read it.
 */

/** How much of an output is kept: what a node's output may hold, in bytes. */
const OUTPUT = 1024 * 1024;
const ERRORS = 16 * 1024;

interface Language {
  readonly file: string;
  readonly argv: (file: string) => readonly [string, ...string[]];
}

const shell = (name: string): Language => ({ file: 'script.sh', argv: file => [name, file] });
const node: Language = { file: 'script.cjs', argv: file => [process.execPath, file] };
const python: Language = { file: 'script.py', argv: file => ['python3', file] };

const LANGUAGES: Readonly<Record<Program['language'], Language>> = {
  command: shell('bash'),
  sh: shell('sh'),
  bash: shell('bash'),
  js: node,
  node,
  py: python,
  python,
  python3: python,
};

/** Runs programs on this machine; the file is removed when the program has ended. */
export const programs: Programs = {
  run: async ({ node: name, language, text, workspace, directory, ms, env, signal }): Promise<Ran> => {
    const { file, argv } = LANGUAGES[language];
    const path = join(directory, file);
    await writeFile(path, text, { mode: 0o600 });
    try {
      const output = new Kept(OUTPUT);
      const errors = new Kept(ERRORS);
      const ended = await runProcess({
        argv: argv(path),
        cwd: workspace,
        env: { PROJECT_DIR: workspace, ...env },
        ms,
        signal,
        onOutput: chunk => output.add(chunk),
        onErrors: chunk => errors.add(chunk),
      });
      if (ended === null) {
        throw new Error(
          `The tool "${name}" cannot be started in ${workspace}: look whether that directory is there, and a shell.`,
        );
      }
      return {
        exit: ended.exit,
        output: output.text(),
        cut: output.cut,
        errors: errors.text(),
        ended: ended.why,
      };
    } finally {
      await rm(path, { force: true });
    }
  },
};
