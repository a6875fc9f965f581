import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { requestLog, serve } from './peer.ts';

/** The ceiling: bare `node:http` that reads the body, answers a constant and writes the request log. Argument: the size of the answer. */
const [size = '0'] = process.argv.slice(2);
const log = await requestLog();
const answer = 'x'.repeat(Number(size));
const headers = ['Content-Type', 'application/json', 'Content-Length', size];

const server = createServer((request, response) => {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, headers);
    response.end(answer);
    log({ correlationId: randomUUID(), operation: 'constant', product: null, status: 200, startedAt });
  });
});

serve(server);
