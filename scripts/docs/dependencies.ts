import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { code, table } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const Manifest = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Why each dependency is there. */
export const WHY: Readonly<Record<string, string>> = {
  '@ai-sdk/anthropic': 'Speaks Anthropic’s API: messages, tools, streaming.',
  '@ai-sdk/openai': 'Speaks OpenAI’s API.',
  '@ai-sdk/openai-compatible': 'Speaks to servers that offer OpenAI’s API, Ollama for one.',
  '@modelcontextprotocol/sdk': 'Speaks to the tool servers of a bundle; loaded when one is first connected.',
  ai: 'One event model over every provider’s stream; loaded when a model is first asked.',
  '@types/react': 'Types of React.',
  '@types/react-dom': 'Types of React’s browser part.',
  '@vitejs/plugin-react': 'Compiles the studio’s JSX.',
  fflate: 'Reads zipped bundles, entry by entry, with sizes known before anything is unpacked.',
  'modern-tar': 'Reads bundles packed as tar.',
  'vscode-jsonrpc': 'Speaks to the language server as an editor does, in tests.',
  'vscode-languageserver': 'Speaks the language server protocol, so that only the language is ours.',
  'vscode-languageserver-protocol': 'Types of that protocol, for the client in tests.',
  'vscode-languageserver-textdocument': 'Keeps a document in step with an editor.',
  'vscode-oniguruma': 'The regular expressions of TextMate grammars, in tests.',
  'vscode-textmate': 'Runs the grammar as an editor does, in tests.',
  '@langchain/core': 'What LangGraph stands on; needed beside it.',
  '@langchain/langgraph':
    'The peer that a chat turn is measured against, in `npm run bench`; nothing else loads it.',
  '@langchain/langgraph-checkpoint': 'What LangGraph’s savers stand on; needed beside them.',
  '@langchain/langgraph-checkpoint-sqlite': 'The peer’s own durable store.',
  'better-sqlite3': 'What that store writes with; pinned to a version that comes built.',
  'axe-core': 'Finds accessibility faults in the studio, in tests.',
  'playwright-core': 'Drives a real Chromium in tests; brings no browser of its own.',
  react: 'Draws the studio.',
  'react-dom': 'Draws the studio in a browser.',
  'react-markdown': 'Shows replies as Markdown without ever making an element of HTML in them.',
  'remark-gfm': 'Tables, task lists and bare links in Markdown.',
  vite: 'Builds the studio, and runs under the test runner; pinned, since a later version’s lockfile entry cannot be installed everywhere.',
  '@biomejs/biome': 'Formats the code: one style, checked, and nobody discusses it.',
  '@earendil-works/pi-tui':
    'Draws the console: differential rendering, wide characters and resizing done right.',
  '@lydell/node-pty': 'Gives tests a real terminal to run the console in; prebuilt, so nothing is compiled.',
  '@types/node': 'Types of Node’s own modules.',
  '@xterm/headless': 'Reads what the console drew, cell by cell, in tests.',
  esbuild: 'Bundles the source for the package.',
  'eventsource-parser': 'Reads server-sent events; small, and it runs in a browser too.',
  'fast-check': 'Makes cases for property tests, and shrinks those that fail.',
  hono: 'Finds the route of a request; works on web-standard requests, so tests need no socket.',
  node: 'Brings the Node 24 that runs the source, whatever Node the machine has.',
  oxlint: 'Lints the code; fast enough to run each time.',
  'oxlint-tsgolint': 'Gives oxlint the types, so that a promise nobody waits for is found.',
  typescript: 'Checks the types. Nothing is compiled with it: Node runs the source.',
  ulid: 'Makes conversation ids that sort by their time.',
  vitest: 'Runs the tests.',
  yaml: 'Reads manifests and the front matter of skills, and says where in the file a key stands.',
  zod: 'Parses whatever comes from outside, and makes JSON Schemas of the same shapes.',
};

interface Use {
  readonly version: string;
  readonly by: string;
}

/** Every dependency that is not a package of this repository, with who uses it. */
export function uses(): ReadonlyMap<string, readonly Use[]> {
  const packages = readdirSync(`${ROOT}packages`).map(name => `packages/${name}/package.json`);
  const found = new Map<string, Use[]>();
  for (const path of ['package.json', ...packages]) {
    const { name, dependencies, devDependencies } = Manifest.parse(
      JSON.parse(readFileSync(ROOT + path, 'utf8')),
    );
    const by = path === 'package.json' ? 'development' : name.replace('@hearth/', '');
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (dependency.startsWith('@hearth/')) continue;
      found.set(dependency, [...(found.get(dependency) ?? []), { version, by }]);
    }
  }
  return found;
}

export function dependencies(): string {
  const rows = [...uses()].sort(([a], [b]) => (a < b ? -1 : 1));
  return table(
    ['Dependency', 'Version', 'Used by', 'Why'],
    rows.map(([name, list]) => [
      code(name),
      [...new Set(list.map(one => one.version))].join(', '),
      list.map(one => one.by).join(', '),
      WHY[name] ?? '',
    ]),
  );
}
