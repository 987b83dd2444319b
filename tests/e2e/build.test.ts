import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPackage } from '../support/built.ts';
import { npm } from '../support/npm.ts';
import { removeTemps } from '../support/temp.ts';

/* What `npm run build` makes: a package that npm would publish as it is, and that needs nothing but Node. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly license: string;
  readonly engines: { readonly node: string };
}

function manifestIn(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

describe('the build', () => {
  let built = '';
  let files: readonly string[] = [];
  const read = (path: string): string => readFileSync(join(built, path), 'utf8');

  /** The bundled programs and what they share. */
  const scripts = () => files.filter(path => /^packages\/cli\/[^/]+\.js$/.test(path));

  beforeAll(async () => {
    built = await builtPackage();
    files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(path =>
      statSync(join(built, path)).isFile(),
    );
  });
  afterAll(removeTemps);

  it('is a package with one command and no dependencies', () => {
    const manifest = manifestIn(built);
    expect(manifest).toMatchObject({
      name: '@hearth-bots/hearth',
      bin: { hearth: 'bin/hearth.js' },
      license: 'MIT',
      engines: { node: '>=22.18' },
    });
    expect(Object.keys(manifest).filter(key => /dependencies|scripts|private/i.test(key))).toEqual([]);
    expect(statSync(join(built, 'bin/hearth.js')).mode & 0o111).toBe(0o111);
  });

  it('has the version of the root, as every package of the repository has', () => {
    const { version } = manifestIn(ROOT);
    expect(manifestIn(built).version).toBe(version);
    const others = readdirSync(join(ROOT, 'packages')).map(name => manifestIn(join(ROOT, 'packages', name)));
    expect(others.filter(other => other.version !== version).map(other => other.name)).toEqual([]);
  });

  it('imports nothing but its own files and Node', () => {
    const programs = scripts();
    const imports = programs.flatMap(path =>
      [
        ...read(path).matchAll(
          /^(?:import|export)\b[^;'"`]*?['"]([^'"]+)['"];|\bimport\(["']([^"']+)["']\)/gm,
        ),
      ].map(([, fixed, lazy]) => fixed ?? lazy ?? ''),
    );
    expect(imports.length).toBeGreaterThan(50);
    const own = /^\.\/[\w.-]+\.js$/;
    const strays = imports.filter(
      name =>
        !own.test(name) && !builtinModules.includes(name.replace(/^node:/, '')) && name !== 'node:sqlite',
    );
    expect([...new Set(strays)]).toEqual([]);
  });

  it('names the licence of every library that is in it', () => {
    const told = new Set(
      [...read('THIRD-PARTY-NOTICES').matchAll(/^(\S+) \d[^ ]*, [\w.-]+$/gm)].map(([, name]) => name),
    );
    const bundled = scripts()
      .flatMap(path => [...read(path).matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)])
      .map(([, name]) => name);
    expect(new Set(bundled)).toEqual(
      expect.toSatisfy((names: Set<string>) =>
        ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai', '@earendil-works/pi-tui', 'hono', 'zod'].every(name =>
          names.has(name),
        ),
      ),
    );
    expect([...new Set(bundled)].filter(name => !told.has(name))).toEqual([]);
    expect([...told]).toEqual(expect.arrayContaining(['react', 'react-dom', 'react-markdown']));
    expect(read('THIRD-PARTY-NOTICES')).toContain(
      'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION',
    );
  });

  it('has the native parts of the console where the bundled library looks for them', () => {
    expect(scripts().some(path => read(path).includes('join(moduleDir, nativePath)'))).toBe(true);
    expect(files.filter(path => path.endsWith('.node')).sort()).toEqual(
      ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'].map(name => {
        const [platform = ''] = name.split('-');
        return `packages/cli/native/${platform}/prebuilds/${name}/${platform}-platform.node`;
      }),
    );
  });

  it('holds no sources, no tests, no source maps and nothing of this machine', () => {
    // Declarations of the client are no sources.
    const sources = files.filter(path => !path.endsWith('.d.ts'));
    expect(sources.filter(path => /\.tsx?$|\.map$|\.test\.|(?:^|\/)testing\//.test(path))).toEqual([]);
    const telling = files.filter(path => {
      const text = read(path);
      return text.includes(ROOT) || /^\/\/[#@] sourceMappingURL=/m.test(text);
    });
    expect(telling).toEqual([]);
  });

  it('is what npm would publish, without a correction', () => {
    const { code, err } = npm(['publish', '--dry-run'], built);
    expect(code, err).toBe(0);
    expect(err).toContain(`npm notice name: @hearth-bots/hearth`);
    expect(err).toContain('with tag latest and public access');
    expect(err).not.toMatch(/auto-corrected|npm error/);
  });
});
