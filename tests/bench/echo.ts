/* The floor of a fan-out: whatever is posted goes to everybody who listens, over the same kind of server. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const open = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': attached\n\n');
    open.add(response);
    response.on('close', () => open.delete(response));
    return;
  }
  let body = '';
  request.on('data', chunk => {
    body += String(chunk);
  });
  request.on('end', () => {
    for (const one of open) one.write(`data: ${body}\n\n`);
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
