// Programs that tests drive as a person would and that no package of the registry brings. They are looked for on the
// path; root installs Debian's package, anybody else is told how.
import { execFileSync, spawnSync } from 'node:child_process';

/** Where a Chromium may be, as `tests/support/browser.ts` looks for it. */
const CHROMIUM = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const named = process.env.CHROMIUM ? [process.env.CHROMIUM] : [];

const TOOLS = [
  { name: 'tmux', commands: ['tmux'], args: ['-V'], debian: ['tmux'] },
  { name: 'curl', commands: ['curl'], args: ['--version'], debian: ['curl'] },
  { name: 'git', commands: ['git'], args: ['--version'], debian: ['git'] },
  {
    name: 'Chromium',
    commands: [...named, ...CHROMIUM],
    args: ['--version'],
    debian: ['chromium-headless-shell', 'fonts-dejavu-core'],
    // Where a system does not pack the one without windows by itself.
    otherwise: ['chromium', 'fonts-dejavu-core'],
  },
];

const missing = TOOLS.filter(
  tool => !tool.commands.some(command => spawnSync(command, tool.args).status === 0),
);

if (missing.length > 0) {
  const packages = missing.flatMap(tool => tool.debian);
  const advice = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(`The tests need ${missing.map(tool => tool.name).join(' and ')}: run "${advice}" as root.`);
    process.exit(4);
  }
  console.log(`Installing what the tests drive: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
  const known = missing.flatMap(({ debian, otherwise = debian }) => (isPacked(debian) ? debian : otherwise));
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...known], {
    stdio: 'inherit',
    env,
  });
}

/** Whether the system has all of these packages, as far as it was told by its last update. */
function isPacked(packages) {
  return packages.every(name => spawnSync('apt-cache', ['show', name]).status === 0);
}
