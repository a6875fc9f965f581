import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../../app/service/logger.ts';

/** The facts of a request that a peer logs: the members of Latchkey's own line. */
export interface LoggedRequest {
  readonly correlationId: string;
  readonly operation: string;
  readonly product: string | null;
  readonly status: number;
  readonly startedAt: number;
}

export type RequestLog = (request: LoggedRequest) => void;

/** Writes a line for each request, through Latchkey's own logger. */
export async function requestLog(): Promise<RequestLog> {
  const log = await createLogger();
  return ({ startedAt, ...request }) => {
    log.info({ ...request, duration: Math.round((performance.now() - startedAt) * 1000) / 1000 }, 'request');
  };
}

/** Listens on a free port and prints its address. Stops on a signal. */
export function serve(server: Server): void {
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = server.address() as AddressInfo;
    console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }));
  });
  process.once('SIGTERM', () => process.exit(0));
}
