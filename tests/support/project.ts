import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDirectory } from './temp.ts';

/** A project folder with a git history; one commit settles the ticket about the login page's spelling. */
export function makeProject(): string {
  const root = tempDirectory('project');
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: root, stdio: 'ignore', env: ENV });
  const commit = (path: string, text: string, subject: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    git('add', '-A');
    git('commit', '-q', '-m', subject);
  };
  git('init', '-q', '-b', 'main');
  commit('README.md', '# Orchard\n', 'Start the orchard');
  commit('src/export.ts', 'export const rows = 1;\n', 'Add the CSV export of harvest rows');
  commit(
    'src/login.html',
    '<h1>Welcome</h1>\n',
    'Correct the spelling mistake on the login page (welcome banner)',
  );
  commit('src/server.ts', 'export const port = 1;\n', 'Read the port from the environment');
  return root;
}

const ENV = {
  ...process.env,
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** Twelve tickets: some small, some large, one blocked, one already settled by a commit, one done. */
export const TWELVE_TICKETS = [
  { title: 'Fix spelling mistake in login page welcome banner', state: 'ready', labels: ['small', 'bug'] },
  { title: 'Add a favicon', state: 'ready', labels: ['small'], body: 'An hour at most: one file.' },
  {
    title: 'Rewrite the storage engine',
    state: 'backlog',
    labels: ['large'],
    body: 'Weeks of work; needs a design.',
  },
  {
    title: 'Migrate billing to the new provider',
    state: 'blocked',
    labels: ['large'],
    body: 'Waits for the contract.',
  },
  { title: 'Document the backup command', state: 'ready', labels: ['small', 'docs'] },
  { title: 'Support single sign-on', state: 'backlog', labels: ['large'] },
  { title: 'Sort the harvest table by date', state: 'backlog', labels: ['medium'] },
  { title: 'Upgrade the date picker', state: 'inbox', labels: [] },
  { title: 'Show an empty state on the dashboard', state: 'ready', labels: ['small', 'ui'] },
  { title: 'Translate the settings screen into French', state: 'backlog', labels: ['medium'] },
  { title: 'Investigate slow start on old phones', state: 'in_progress', labels: ['medium'], owner: 'ada' },
  { title: 'Remove the old tracking script', state: 'done', labels: ['small'] },
];
