import { createServer } from 'node:http';
import { listenOnLoopback } from './outside/loopback.ts';

/** A merchant's server, to which the demo delivers events. */
export interface DemoReceiver extends AsyncDisposable {
  /** Takes every delivery. */
  readonly url: string;
  /** Refuses every delivery, as a server does that is being repaired. */
  readonly brokenUrl: string;
}

/** Where receivers listen, which endpoints reach only if a setting names it. */
export const receiverNetwork = '127.0.0.0/8';

/** Starts a receiver on a free port of loopback. */
export async function startReceiver(): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/events' ? 204 : 503).end();
  });
  const { port, [Symbol.asyncDispose]: end } = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${port}`;
  return { url: `${origin}/events`, brokenUrl: `${origin}/under-repair`, [Symbol.asyncDispose]: end };
}
