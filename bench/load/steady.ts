import { Client } from './client.ts';

/** The maximum number of requests that wait for their answers. */
const connections = 16;

/**
 * Sends `rate` requests a second beside the load that is measured. A request that is due while all connections wait for
 * an answer is left out. Returns a function that ends it.
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
