import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { tempDirectory } from './temp.ts';

/**
 * Runs npm to its end in a folder: without a network, with an empty cache and settings of nobody, so that whatever it
 * needs has to be there. Nothing answers at its registry.
 */
export function npm(
  args: readonly string[],
  cwd: string,
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const own = tempDirectory('npm');
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^node_options$/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    HOME: own,
    npm_config_cache: join(own, 'cache'),
    npm_config_userconfig: join(own, 'npmrc'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  };
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}
