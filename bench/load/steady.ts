import { Client } from './client.ts';

/** How many requests may wait for their answers. */
const connections = 16;

/**
 * Sends so many requests a second beside what is measured. One that is due while all connections wait for an answer is left
 * out. Returns what ends it.
 */
export async function sendSteadily(port: number, rate: number, next: () => string): Promise<() => void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(port, 200)));
  const idle = [...clients];
  const timer = setInterval(() => {
    const client = idle.pop();
    if (client !== undefined) void client.send(next()).then(() => idle.push(client));
  }, 1000 / rate);
  return () => {
    clearInterval(timer);
    for (const client of clients) client.close();
  };
}
