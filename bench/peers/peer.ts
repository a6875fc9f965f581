import type { Server } from 'node:http';
import { requestLog } from '../processes/request-log.ts';

/** What a peer logs of a request: the members of Latchkey's own line. */
export interface LoggedRequest {
  readonly correlationId: string;
  readonly operation: string;
  readonly product: string | null;
  readonly status: number;
  readonly startedAt: number;
}

/** Writes a line for each request, through Latchkey's own logger. */
export function peerLog(file: string): (request: LoggedRequest) => void {
  const log = requestLog(file);
  return ({ startedAt, ...request }) => {
    log.info({ ...request, duration: Math.round((performance.now() - startedAt) * 1000) / 1000 }, 'request');
  };
}

/** Listens on a free port and prints it. Stops on a signal. */
export function serve(server: Server): void {
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) console.log(`listening ${address.port}`);
  });
  process.once('SIGTERM', () => process.exit(0));
}
