import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Client } from './client.ts';

/** Where load goes, and what it is. */
interface Load {
  /** Several share the load. */
  readonly ports: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  /** Creates the bytes of the next request. */
  readonly next: () => string;
  /**
   * Whether to poll for answers without a pause: waking this process up would be charged to the server that writes to
   * it.
   */
  readonly poll: boolean;
}

export interface ClosedLoad extends Load {
  /** The status that every answer must have. */
  readonly status: number;
}

export interface OpenLoad extends Load {
  /** Requests a second. */
  readonly rate: number;
}

/** The answers to a load. */
export interface Answers {
  readonly perSecond: number;
  /** Milliseconds to the end of each answer, ascending. */
  readonly latencies: Float64Array;
  /** Answers with another status than was expected, and broken connections. */
  readonly errors: number;
}

/**
 * Keeps one request in flight on each of the kept-alive connections, and ends when every request is answered. Latency
 * counts from sending. Rejects if an answer has another status, because a fast mistake is worth nothing.
 */
export async function closedLoop({ next, seconds, poll, ...load }: ClosedLoad): Promise<Answers> {
  const clients = await connect(load);
  const latencies: number[] = [];
  const sleepAgain = poll ? stayAwake() : (): void => {};
  const start = performance.now();
  const until = start + seconds * 1000;
  const run = async (client: Client): Promise<void> => {
    while (performance.now() < until) {
      const request = next();
      const sentAt = performance.now();
      await client.send(request);
      latencies.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(clients.map(run));
  } finally {
    sleepAgain();
    for (const client of clients) client.close();
  }
  return answers(latencies, start, 0);
}

/**
 * Sends every request of a schedule, on as many connections as are free, and waits for all answers. Latency counts from
 * the time a request was due, so that a server that falls behind cannot hide it by slowing the generator down
 * (coordinated omission). Without polling, the generator wakes up every millisecond.
 */
export async function openLoop({ rate, seconds, next, poll, ...load }: OpenLoad): Promise<Answers> {
  const idle = [...(await connect({ ...load, status: 200 }))];
  const total = Math.max(1, Math.floor(rate * seconds));
  const latencies: number[] = [];
  let [sent, errors] = [0, 0];
  const start = performance.now();
  const due = (): number => start + (sent * 1000) / rate;
  const exchange = async (client: Client, dueAt: number): Promise<void> => {
    await client.send(next()).catch(() => {
      errors += 1;
      client.close();
    });
    latencies.push(performance.now() - dueAt);
    idle.push(client);
    dispatch();
  };
  const dispatch = (): void => {
    while (sent < total && due() <= performance.now()) {
      const client = idle.pop();
      if (client === undefined) return;
      void exchange(client, due());
      sent += 1;
    }
  };
  while (latencies.length < total) {
    dispatch();
    await (poll ? turn() : sleep(1));
  }
  for (const client of idle) client.close();
  return answers(latencies, start, errors);
}

/** Sends one request, and returns the content of its answer. */
export async function ask(port: number, request: string): Promise<string> {
  const client = await Client.open(port, 200);
  try {
    return await client.send(request);
  } finally {
    client.close();
  }
}

function connect({ ports, connections, status }: Pick<ClosedLoad, 'ports' | 'connections' | 'status'>) {
  const portOf = (index: number): number => ports[index % ports.length] ?? 0;
  return Promise.all(Array.from({ length: connections }, (_, index) => Client.open(portOf(index), status)));
}

function answers(latencies: readonly number[], start: number, errors: number): Answers {
  const perSecond = latencies.length / ((performance.now() - start) / 1000);
  return { perSecond, latencies: Float64Array.from(latencies).toSorted(), errors };
}

/** Lets this process poll without a pause, until the returned function is called. */
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
