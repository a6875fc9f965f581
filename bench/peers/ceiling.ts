import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { peerLog, serve } from './peer.ts';

/** The ceiling: bare `node:http` that reads the body, answers a constant and writes the request log. Arguments: log file, size of the answer. */
const [logFile = '', size = '0'] = process.argv.slice(2);
const log = peerLog(logFile);
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
