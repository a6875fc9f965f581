import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../http/raw-client.ts';
import { range } from '../range.ts';
import { rounds } from '../run/long-runs.ts';
import { chunkedHead, chunksOfOneByte, flood, floodWith, sizedHead } from './flood.ts';

/** The measurements of a server while it was flooded. */
export interface Flooded {
  /** The most memory that it was seen to have, in MB. */
  readonly memory: number;
  readonly probes: number;
  /** The statuses of the probes that failed; 0 for one without an answer. */
  readonly failed: readonly number[];
  readonly acknowledged: readonly string[];
}

export interface Flood {
  readonly name: string;
  /** In MB, where an idle server has 100 to 120. */
  readonly maxMemory: number;
  readonly open: (url: string) => readonly Socket[];
}

const oneByte = Buffer.from(chunksOfOneByte(1));
const megabyte = 1024 * 1024;

/** Clients that fill the memory of a service which keeps what they send. */
export const floods: readonly Flood[] = [
  {
    name: '400 sign-ups in 38 MB of chunks of one byte',
    maxMemory: 250,
    open: (url) => range(400).map(() => flood(url, chunkedHead('/api/waitlist'), oneByte, 96_000)),
  },
  {
    name: '400 requests for a path that does not exist, in such chunks',
    maxMemory: 250,
    open: (url) => range(400).map(() => flood(url, chunkedHead('/nowhere'), oneByte, 96_000)),
  },
  {
    name: '600 unsigned events of 1 MiB',
    maxMemory: 250,
    open: (url) =>
      range(600).map(() => flood(url, sizedHead('/hooks/stripe', megabyte), Buffer.from('x'), megabyte - 1)),
  },
  {
    // They fill the budget of 64 MiB, of which an address has a quarter, and what they grew out of is garbage.
    name: '600 events of 1 MiB with the form of a signature, from four addresses',
    maxMemory: 350,
    open: (url) => {
      const signature = `Stripe-Signature: t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
      const head = sizedHead('/hooks/stripe', megabyte, [signature]);
      return range(600).map((index) => flood(url, head, Buffer.from('x'), megabyte - 1, `127.0.0.${2 + (index % 4)}`));
    },
  },
];

/** New trials of a product, from a thousand addresses that a proxy names. A store that offers none refuses them. */
export const floodOfTrials: Flood = {
  name: 'new trials from 1,000 addresses',
  maxMemory: 250,
  open: (url) => range(16).map((client) => floodWith(url, newTrials(client))),
};

/** Requests of one device after another. An address has a new trial in each thousandth request of a client. */
function* newTrials(client: number): Generator<string, never> {
  for (let number = client * 61; ; number += 1) {
    const body = JSON.stringify({ productId: 'prod_1', deviceId: `device-${client}-${number}` });
    const address = `X-Forwarded-For: 198.51.${100 + (number % 4)}.${Math.floor(number / 4) % 250}`;
    yield sizedHead('/api/licenses/trial', body.length, [address]) + body;
  }
}

/** The time for which clients keep their connections once all of them have sent what they could. */
const holdTime = rounds(1000, 2000);

/** Milliseconds between two probes, and between two sign-ups: they would take more CPU than the flood. */
const interval = 100;

/** Milliseconds in which a busy machine gives every process its turn. */
const patience = 120_000;

/** Floods the server of a process, and meanwhile probes it and signs up. */
export async function floodServer(
  { url, pid }: { readonly url: string; readonly pid: number },
  { open }: Flood,
): Promise<Flooded> {
  const acknowledged: string[] = [];
  const over = new AbortController();
  let memory = memoryOf(pid);
  const prober = new Prober(url);
  await prober.probe();
  const visitors = randomUUID();
  const join = async (number: number): Promise<void> => {
    const email = `visitor-${visitors}-${number}@example.com`;
    if (await signUp(url, email)) acknowledged.push(email);
  };
  await join(0);
  const signUpUntilOver = async (): Promise<void> => {
    for (let count = 1; !over.signal.aborted; count += 1) {
      await join(count);
      await sleep(interval);
    }
  };
  const probeUntilOver = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await prober.probe();
      await sleep(interval);
    }
  };
  const meter = setInterval(() => (memory = Math.max(memory, memoryOf(pid))), 20);
  const sockets = open(url);
  try {
    const visits = Promise.all([signUpUntilOver(), probeUntilOver()]);
    await sleep(holdTime);
    over.abort();
    await visits;
    await prober.probe();
  } finally {
    clearInterval(meter);
    prober.close();
    for (const socket of sockets) socket.destroy();
  }
  return { memory, probes: prober.count, failed: prober.failed, acknowledged };
}

/** Asks on one connection, as a load balancer does, whether a server lives. A new one could wait for seconds behind a flood. */
class Prober {
  readonly #url: string;
  #client: RawClient;
  count = 0;
  readonly failed: number[] = [];

  constructor(url: string) {
    this.#url = url;
    this.#client = new RawClient(url);
  }

  async probe(): Promise<void> {
    this.count += 1;
    this.#client.send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = await this.#client.read('GET', patience).catch(() => null);
    if (answer?.status !== 200) this.failed.push(answer?.status ?? 0);
    if (answer?.headers['connection']?.[0] !== 'close' && answer !== null) return;
    this.#client.close();
    this.#client = new RawClient(this.#url);
  }

  close(): void {
    this.#client.close();
  }
}

/** Whether the server has acknowledged it: it may have no room for a body. */
async function signUp(url: string, email: string): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${url}/api/waitlist`, { method: 'POST', headers, body: JSON.stringify({ email }) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The resident memory of a process in MB. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
