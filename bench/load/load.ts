import { Client } from './client.ts';

/** The results of one stretch of load. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds from sending a request to the end of its answer, ascending. */
  readonly latencies: Float64Array;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The bytes of the next request. */
  readonly next: () => string;
  /** The status that every answer must have. */
  readonly status: number;
  /**
   * Whether to poll for answers without a pause: waking this process up would be charged to the server that writes to
   * it.
   */
  readonly poll: boolean;
}

/**
 * Keeps one request in flight on each of the kept-alive connections, and ends when every request is answered. Rejects
 * if an answer has another status, because a fast mistake is worth nothing.
 */
export async function load({ port, connections, seconds, next, status, poll }: Load): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(port, status)));
  const latencies: number[] = [];
  const sleep = poll ? stayAwake() : (): void => {};
  const start = performance.now();
  const until = start + seconds * 1000;
  const run = async (client: Client): Promise<void> => {
    await client.run(next(), (latency) => {
      latencies.push(latency);
      return performance.now() < until ? next() : null;
    });
  };
  try {
    await Promise.all(clients.map(run));
  } finally {
    sleep();
    for (const client of clients) client.close();
  }
  const took = (performance.now() - start) / 1000;
  return { requests: latencies.length, seconds: took, latencies: Float64Array.from(latencies).toSorted() };
}

/** One request, and the content of its answer. */
export async function ask(port: number, request: string, status: number): Promise<string> {
  const client = await Client.open(port, status);
  try {
    await client.run(request, () => null);
    return client.content;
  } finally {
    client.close();
  }
}

/** Lets this process poll without a pause until told to sleep. */
function stayAwake(): () => void {
  let awake = true;
  const poll = (): void => {
    if (awake) setImmediate(poll);
  };
  poll();
  return () => {
    awake = false;
  };
}
