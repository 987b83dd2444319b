import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { documents } from '../scripts/docs.ts';
import { releasedFile } from './support/built.ts';
import { LAUNCHER } from './support/hearth.ts';
import { removeTemps, tempDirectory } from './support/temp.ts';

/*
 * What the documents tell people to type is typed: every line of every `sh` block, in order, by a shell that knows
 * nothing but an empty home directory and a project with a git history. A block `text` or `json` right after it is what
 * the last line printed. A block that names a file is written into the project first.
 *
 * With HEARTH_UPDATE=1 the `text` blocks are written anew instead, for whoever changed what is printed.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).scripts;

/** Lines that are not run, why, and what must be there instead. */
const NOT_RUN: Readonly<
  Record<string, { readonly why: string; readonly instead: () => boolean | Promise<boolean> }>
> = {
  'npm ci': {
    why: 'it would take away the packages that these tests run on',
    instead: () => existsSync(join(ROOT, 'package-lock.json')),
  },
  'npm run package': {
    why: 'what it makes was made for all tests, by the same two programs',
    instead: async () => {
      const file = await releasedFile();
      mkdirSync(join(ROOT, 'release'), { recursive: true });
      copyFileSync(file, join(ROOT, 'release', basename(file)));
      return SCRIPTS['package']?.endsWith('node scripts/build.ts && node scripts/package.ts') ?? false;
    },
  },
  'npm test': { why: 'it would run itself', instead: () => SCRIPTS['test'] !== undefined },
};

/** Lines that serve until they are stopped. */
const SERVES: readonly string[] = ['npm start', 'hearth serve'];

const UPDATE = process.env['HEARTH_UPDATE'] === '1';

interface Block {
  /** As it stands in its document. */
  readonly whole: string;
  readonly language: string;
  /** The file that the block is, for one that names a file. */
  readonly file: string | null;
  readonly text: string;
}

interface Line {
  readonly command: string;
  readonly exit: number;
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```([a-z]+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([whole, language = '', file = null, body = '']) => ({ whole, language, file, text: body }),
  );
}

function linesOf(block: Block): readonly Line[] {
  return block.text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, command = line, exit = '0'] = /^(.*?)\s+# exit code (\d+)$/.exec(line) ?? [];
      return { command, exit: Number(exit) };
    });
}

/** A home directory with a project in it, whose one telling commit settles the ticket about uploads. */
function makeHome(): string {
  const home = tempDirectory('reader');
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'upload.ts'), 'export const tries = 3;\n');
  const who = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: '2026-03-05T09:00:00Z' };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: project, stdio: 'ignore', env: { ...readerEnv(home), ...env } });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Retry uploads after the connection drops');
  return home;
}

/** A person's environment: nothing of Hearth's, of a model's or of these tests'. */
function readerEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: home, LANG: 'C.UTF-8', npm_config_update_notifier: 'false' };
}

const MARK = '@@ended';

/** One shell for one document, as its reader would have it open. */
class Shell {
  readonly home: string;
  readonly #bash: ChildProcessWithoutNullStreams;
  #out = '';
  #err = '';
  #arrived: () => void = () => undefined;

  constructor(home: string, cwd: string) {
    this.home = home;
    this.#bash = spawn('bash', ['--norc'], { cwd, env: readerEnv(home) });
    this.#bash.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
      this.#arrived();
    });
    this.#bash.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
    });
    this.#bash.stdin.write('shopt -s expand_aliases\n');
  }

  /** Runs a line to its end. */
  async run(command: string): Promise<{ exit: number; out: string; err: string }> {
    this.#out = '';
    this.#err = '';
    this.#bash.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n${MARK} %s\\n' $?\n`);
    for (;;) {
      const ended = new RegExp(`\\n?\\n${MARK} (\\d+)\\n$`).exec(this.#out);
      if (ended !== null) {
        return { exit: Number(ended[1]), out: this.#out.slice(0, ended.index), err: this.#err };
      }
      await new Promise<void>(resolve => {
        this.#arrived = resolve;
      });
    }
  }

  /** Runs a line that serves, waits until it says where, and stops it by its process. */
  async serve(command: string): Promise<string> {
    const log = join(this.home, 'serve.log');
    await this.run(`${command} >"${log}" 2>&1 &`);
    for (let tries = 0; tries < 600; tries += 1) {
      const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
      if (/Hearth serves at http:\/\/127\.0\.0\.1:\d+\n/.test(said)) {
        this.stopService();
        await this.run('wait');
        return said;
      }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error(`${command} did not say where it serves: ${readFileSync(log, 'utf8')}`);
  }

  /** Stops the service of the home, if one runs. */
  stopService(): void {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.home, '.hearth', 'service.json'), 'utf8'));
      process.kill(pid, 'SIGTERM');
    } catch {
      // None runs.
    }
  }

  close(): void {
    this.stopService();
    this.#bash.stdin.end();
  }
}

/** What differs from one run to the next, written as the documents write it. */
function settled(text: string, home: string): string {
  return text
    .replaceAll(home, '~')
    .replace(/c_[0-9a-hjkmnp-tv-z]{26}/g, 'c_…')
    .replace(/\b\d+\.\d+\.[0-9a-f]{6}\b/g, 'CURSOR')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

const shells: Shell[] = [];
afterAll(() => {
  for (const shell of shells) shell.close();
  removeTemps();
});

const told = documents().filter(({ text }) => blocksOf(text).some(block => block.language === 'sh'));

test('the README and the pages about tasks tell what to type', () => {
  expect(told.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/talk.md', 'docs/board.md']),
  );
});

describe.each(told)('$path', ({ path, text }) => {
  test('every line that it tells people to type does what it says', { timeout: 300_000 }, async () => {
    const home = makeHome();
    const first = path === 'README.md';
    const shell = new Shell(home, first ? ROOT : join(home, 'project'));
    shells.push(shell);
    // The README defines it, as one from source; the other pages take it as given.
    if (!first) await shell.run(`alias hearth="${LAUNCHER}"`);
    let printed = '';
    for (const block of blocksOf(text)) {
      if (block.file !== null) {
        const file = join(home, 'project', block.file);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, block.text);
      } else if (block.language === 'text' && UPDATE) {
        const now = `\`\`\`text\n${settled(printed, home)}\n\`\`\``;
        const file = join(ROOT, path);
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(block.whole, () => now),
        );
      } else if (block.language === 'text') {
        expect(settled(printed, home), `what ${path} shows`).toBe(settled(block.text, home));
      } else if (block.language === 'json') {
        expect(JSON.parse(settled(printed, home))).toEqual(JSON.parse(settled(block.text, home)));
      } else if (block.language === 'sh') {
        for (const line of linesOf(block)) printed = await typed(shell, line);
      }
    }
  });
});

async function typed(shell: Shell, { command, exit }: Line): Promise<string> {
  const exception = NOT_RUN[command];
  if (exception !== undefined) {
    expect(await exception.instead(), `"${command}" is not run: ${exception.why}`).toBe(true);
    return '';
  }
  if (SERVES.includes(command)) return shell.serve(command);
  const ran = await shell.run(command);
  expect({ command, exit: ran.exit, err: ran.exit === exit ? '' : ran.err }).toEqual({
    command,
    exit,
    err: '',
  });
  return ran.out;
}
