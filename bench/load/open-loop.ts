import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Client } from './client.ts';

/** Load by a schedule: requests are due at a fixed rate, however long answers take. */
export interface OpenLoad {
  readonly port: number;
  /** Requests in flight at most. Further ones wait, and their wait counts. */
  readonly connections: number;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly next: () => string;
  /** Whether to poll for answers without a pause; otherwise the generator wakes up every millisecond. */
  readonly poll: boolean;
}

/** Milliseconds from the time a request was due to the end of its answer. */
export type OnAnswer = (latency: number, isExpected: boolean) => void;

/**
 * Sends every request of the schedule and waits for all answers. Latency counts from the scheduled time, so that a
 * server that falls behind cannot hide it by slowing the generator down (coordinated omission). An answer other than
 * 200, or a broken connection, is not the expected one. Returns the answers per second.
 */
export async function openLoop(load: OpenLoad, onAnswer: OnAnswer): Promise<number> {
  const { port, connections, rate, seconds, next, poll } = load;
  const idle = await Promise.all(Array.from({ length: connections }, () => Client.open(port, 200)));
  const total = Math.max(1, Math.floor(rate * seconds));
  const start = performance.now();
  const dueAt = (number: number): number => start + (number * 1000) / rate;
  const count = { sent: 0, answered: 0 };
  const exchange = async (client: Client, due: number): Promise<void> => {
    const isExpected = await client
      .run(next(), () => null)
      .then(
        () => true,
        () => false,
      );
    onAnswer(performance.now() - due, isExpected);
    if (!isExpected) client.close();
    idle.push(isExpected ? client : await Client.open(port, 200));
    count.answered += 1;
    dispatch();
  };
  const failures: unknown[] = [];
  const dispatch = (): void => {
    while (count.sent < total && dueAt(count.sent) <= performance.now()) {
      const client = idle.pop();
      if (client === undefined) return;
      exchange(client, dueAt(count.sent)).catch((error: unknown) => failures.push(error));
      count.sent += 1;
    }
  };
  try {
    while (count.answered < total) {
      dispatch();
      await (poll ? turn() : sleep(1));
      if (failures.length > 0) throw failures[0];
    }
  } finally {
    for (const client of idle) client.close();
  }
  return total / ((performance.now() - start) / 1000);
}
