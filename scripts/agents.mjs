// The programs that `npm run test:agents` drives, at pinned versions. They are fetched from the registry into a cache
// outside of the project, hundreds of megabytes each and not ours to ship, and used again from there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const CACHE =
  process.env.HEARTH_AGENTS_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hearth-agents');

export const AGENTS = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.328',
    // The program itself is in the package of the platform; no script of the package has to run.
    program: modules => {
      const scope = join(modules, '@anthropic-ai');
      const platform = readdirSync(scope).find(name => name.startsWith('claude-code-'));
      return platform === undefined ? null : join(scope, platform, 'claude');
    },
  },
  codex: {
    package: '@openai/codex',
    version: '0.169.0',
    program: modules => {
      const scope = join(modules, '@openai');
      const platform = readdirSync(scope).find(name => name.startsWith('codex-'));
      if (platform === undefined) return null;
      const vendor = join(scope, platform, 'vendor');
      const [machine] = readdirSync(vendor);
      return machine === undefined ? null : join(vendor, machine, 'bin', 'codex');
    },
  },
  // An agent of the Agent Client Protocol, on the Claude Code above.
  'claude-code-acp': {
    package: '@zed-industries/claude-code-acp',
    version: '0.16.2',
    program: modules => join(modules, '@zed-industries', 'claude-code-acp', 'dist', 'index.js'),
  },
};

/** Where a program is, once it is there. */
export function programOf(name) {
  const { package: pack, version, program } = AGENTS[name];
  const directory = join(CACHE, `${name}-${version}`);
  if (!existsSync(directory)) fetch(pack, version, directory);
  const path = program(join(directory, 'node_modules'));
  if (path === null || !existsSync(path))
    throw new Error(`${pack} ${version} has no program for this machine.`);
  return path;
}

/** Installs a package beside the cache and gives it its place in one step. */
function fetch(pack, version, directory) {
  mkdirSync(dirname(directory), { recursive: true });
  const unfinished = mkdtempSync(join(dirname(directory), 'unfinished-'));
  try {
    const args = [
      'install',
      '--prefix',
      unfinished,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ];
    execFileSync('npm', [...args, `${pack}@${version}`], { stdio: 'inherit' });
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}
