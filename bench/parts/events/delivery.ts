import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../../data/seed-store.ts';
import type { Server } from '../../servers/site.ts';

/** The products of an endpoint of very many. */
export const manyProducts = 20_000;

/** The products that are added at once. */
const batch = 200;

export interface DeliveryTimes {
  /** Milliseconds until the endpoint was added. */
  readonly added: number;
  /** Milliseconds from the request that makes an event to its delivery. */
  readonly deliveries: readonly number[];
}

/** Measures an endpoint of all products of a service that has very many. */
export async function deliveryTimesOfMany(server: Server, data: Data, count: number): Promise<DeliveryTimes> {
  const admin = sender(server.adminPort, data.operatorKey);
  for (let first = 0; first < manyProducts; first += batch) {
    const numbers = Array.from({ length: batch }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => admin('PUT', `/admin/products/prod_${number}`, { name: 'Bench' })));
  }
  return deliveryTimes(server, data, count);
}

/** Measures how long events take from the request that makes them to a webhook endpoint that is idle. */
export async function deliveryTimes(server: Server, data: Data, count: number): Promise<DeliveryTimes> {
  const admin = sender(server.adminPort, data.operatorKey);
  const arrived = new Map<string, () => void>();
  const receiver = createServer((request, response) => {
    response.writeHead(204);
    void take(request, arrived).finally(() => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const addedAt = performance.now();
  await admin('POST', '/admin/webhooks', { id: 'bench', url: `http://127.0.0.1:${port}/` });
  const added = performance.now() - addedAt;
  const deliveries: number[] = [];
  for (const [number, id] of data.entitlementIds.slice(0, count).entries()) {
    await sleep(300 + ((number * 137) % 400));
    deliveries.push(await deliveryTime(sender(server.port, data.appKey), id, arrived));
  }
  // Events of the next measurements must not be delivered.
  await admin('DELETE', '/admin/webhooks/bench');
  receiver.close();
  receiver.closeAllConnections();
  return { added, deliveries };
}

async function take(request: IncomingMessage, arrived: ReadonlyMap<string, () => void>): Promise<void> {
  const delivery = (await readJson(request)) as { readonly data: { readonly entitlement: { readonly id: string } } };
  arrived.get(delivery.data.entitlement.id)?.();
}

/** Cancels or resumes an entitlement, and waits until that has arrived. */
async function deliveryTime(app: Send, id: string, arrived: Map<string, () => void>): Promise<number> {
  const path = `/api/app-entitlements/${id}`;
  const { data } = (await app('GET', path)) as { readonly data: { readonly cancelAtPeriodEnd: boolean } };
  const { promise, resolve } = Promise.withResolvers<void>();
  arrived.set(id, resolve);
  const start = performance.now();
  await app('POST', `${path}/${data.cancelAtPeriodEnd ? 'resume' : 'cancel'}`);
  await promise;
  return performance.now() - start;
}

type Send = (method: string, path: string, body?: object) => Promise<unknown>;

/** Sends requests with a key, each with an idempotency key of its own. Rejects for an answer that is no success. */
function sender(port: number | null, key: string): Send {
  return async (method, path, body) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID(), ...type };
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
}
