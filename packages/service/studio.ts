import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainResponse } from './plain-response.ts';
import { ProblemError } from './problem.ts';

/*
 * The studio's files. They hold nothing of the home and are served to anybody on this machine; what they show is asked
 * for by the page, with authority. Guarantees: only files of the build are ever read; a page runs nothing but the
 * build's own script and talks to nobody but this service. The files belong to the installation and not to the home,
 * so they are read from the file system itself.
 */

/** What was built, by directories named after a digest of the sources; the file `current` names the one to serve. */
const BUILT = fileURLToPath(new URL('../studio/dist/', import.meta.url));
/** Builds it where it is missing or its sources have changed; there is none in a bundle, which brings a build along. */
const BUILDER = fileURLToPath(new URL('../../scripts/studio.ts', import.meta.url));

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Paths that are served: the page, its icon, and files with a digest in their name. */
const PAGE = /^\/(?:index\.html)?$/;
const FILE = /^\/(favicon\.svg|assets\/[\w-][\w.-]*)$/;

/** The pages of one installation. In a clone they are built when they are first asked for. */
export class Studio {
  readonly #built: string;
  readonly #builder: string;
  #preparing: Promise<void> | null = null;

  constructor(built = BUILT, builder = BUILDER) {
    this.#built = built;
    this.#builder = builder;
  }

  /** Makes sure that the page is there and as new as its sources. Rejects with `ProblemError` `studio_unbuilt`. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = null;
    });
    return this.#preparing;
  }

  /** The answer to a GET of a path; `null` when the studio has no such file. */
  async answer(path: string): Promise<Response | null> {
    const page = PAGE.test(path);
    const name = page ? 'index.html' : FILE.exec(path)?.[1];
    const type = TYPES[extname(name ?? '')];
    if (name === undefined || type === undefined) return null;
    const directory = await this.#current();
    const bytes = directory === null ? null : await readFile(join(directory, name)).catch(() => null);
    if (bytes === null) return page ? unbuilt() : null;
    const caching = name.startsWith('assets/') ? 'private, max-age=31536000, immutable' : 'no-cache';
    return new PlainResponse(new Uint8Array(bytes), {
      headers: { ...HEADERS, 'content-type': type, 'cache-control': caching },
    });
  }

  async #current(): Promise<string | null> {
    const name = (await readFile(join(this.#built, 'current'), 'utf8').catch(() => '')).trim();
    return /^[0-9a-f]{16}$/.test(name) ? join(this.#built, name) : null;
  }

  async #prepare(): Promise<void> {
    if ((await stat(this.#builder).catch(() => null)) === null) {
      const directory = await this.#current();
      const files = directory === null ? [] : await readdir(directory).catch(() => []);
      if (files.includes('index.html')) return;
      throw unbuiltProblem('it did not come with this installation', 'install Hearth again');
    }
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, [this.#builder], error => {
        if (error === null) return resolve();
        reject(unbuiltProblem('its build failed', `run "node ${this.#builder}" to see why`));
      });
    });
  }
}

function unbuiltProblem(why: string, what: string): ProblemError {
  return new ProblemError('studio_unbuilt', `The studio cannot be shown, since ${why}: ${what}.`);
}

function unbuilt(): Response {
  return new PlainResponse(
    'The studio is not built yet. Run "hearth studio" and open the link it prints.\n',
    {
      status: 503,
      headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    },
  );
}
