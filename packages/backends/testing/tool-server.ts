import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';

/* A tool server as a program, for tests: it adds, fails, tells its environment, and may be slow or say nonsense. */

export function sampleServer(): McpServer {
  const server = new McpServer({ name: 'sample', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }] }),
  );
  server.registerTool(
    'note',
    { description: 'Notes a word.', inputSchema: { word: z.string() } },
    ({ word }) => ({
      content: [
        { type: 'text', text: `noted ${word}` },
        { type: 'image', data: '', mimeType: 'image/png' },
      ],
    }),
  );
  server.registerTool('fail', { description: 'Fails.' }, () => ({
    content: [{ type: 'text', text: 'it is broken' }],
    isError: true,
  }));
  server.registerTool('environment', { description: 'Tells where it runs.' }, () => ({
    content: [
      { type: 'text', text: JSON.stringify({ cwd: process.cwd(), key: process.env['MY_API_KEY'] ?? null }) },
    ],
  }));
  server.registerTool('slow', { description: 'Never ends.' }, () => new Promise(() => undefined));
  server.registerTool('end', { description: 'Ends its program.' }, () => process.exit(0));
  return server;
}

const [, program, how, pidFile] = process.argv;
if (program?.endsWith('tool-server.ts') && how === 'serve') {
  if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
  process.stdout.write('this line is no JSON\n');
  await sampleServer().connect(new StdioServerTransport());
}
