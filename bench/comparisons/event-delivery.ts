import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../data/seed-store.ts';
import type { MeasuredProcess } from '../processes/measured-process.ts';

/** The aims: milliseconds from the request that makes an event to its delivery, the median, by store. */
export const deliveryAims = { SQLite: 300, MongoDB: 1000 } as const;

/** The aim with an endpoint of all products, whose logs are looked at one after the other. */
export const manyProductsAim = 2000;

/** The products of that endpoint. */
export const manyProducts = 20_000;

const endpointId = 'bench';

const json = { 'content-type': 'application/json' };

interface Delivery {
  readonly data: { readonly entitlement: { readonly id: string } };
}

export interface DeliveryTimes {
  /** Milliseconds until the endpoint was added. */
  readonly added: number;
  /** Milliseconds from the request that makes an event to its delivery. */
  readonly deliveries: readonly number[];
}

/** Measures an endpoint of all products of a service that has very many. */
export async function deliveryTimesOfMany(server: MeasuredProcess, data: Data, count: number): Promise<DeliveryTimes> {
  const atOnce = 200;
  for (let first = 0; first < manyProducts; first += atOnce) {
    const puts = Array.from({ length: atOnce }, (_, index) =>
      send(
        Number(server.adminPort),
        'PUT',
        `/admin/products/prod_${first + index}`,
        data.operatorKey,
        json,
        '{"name":"Bench"}',
      ),
    );
    await Promise.all(puts);
  }
  return deliveryTimes(server, data, count);
}

/** Measures how long events take from the request that makes them to a webhook endpoint that is idle. */
export async function deliveryTimes(server: MeasuredProcess, data: Data, count: number): Promise<DeliveryTimes> {
  const arrived = new Map<string, () => void>();
  const receiver = await receive(({ data: { entitlement } }) => arrived.get(entitlement.id)?.());
  const addedAt = performance.now();
  await addEndpoint(server, data, receiver.address() as AddressInfo);
  const added = performance.now() - addedAt;
  const deliveries: number[] = [];
  for (const [number, id] of data.entitlementIds.slice(0, count).entries()) {
    await sleep(300 + ((number * 137) % 400));
    const path = `/api/app-entitlements/${id}`;
    const operation = (await isCanceled(server.port, path, data.appKey)) ? 'resume' : 'cancel';
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived.set(id, resolve);
    const start = performance.now();
    await send(server.port, 'POST', `${path}/${operation}`, data.appKey, { 'idempotency-key': randomUUID() });
    await promise;
    deliveries.push(performance.now() - start);
  }
  // What is measured next must not be delivered.
  await send(Number(server.adminPort), 'DELETE', `/admin/webhooks/${endpointId}`, data.operatorKey);
  receiver.close();
  receiver.closeAllConnections();
  return { added, deliveries };
}

async function receive(take: (delivery: Delivery) => void): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    take((await readJson(request)) as Delivery);
    response.writeHead(204).end();
  };
  const receiver = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return receiver;
}

async function addEndpoint({ adminPort }: MeasuredProcess, data: Data, { port }: AddressInfo): Promise<void> {
  const body = JSON.stringify({ id: endpointId, url: `http://127.0.0.1:${port}/` });
  await send(Number(adminPort), 'POST', '/admin/webhooks', data.operatorKey, json, body);
}

async function isCanceled(port: number, path: string, appKey: string): Promise<boolean> {
  const { data } = (await send(port, 'GET', path, appKey)) as {
    readonly data: { readonly cancelAtPeriodEnd: boolean };
  };
  return data.cancelAtPeriodEnd;
}

async function send(
  port: number,
  method: string,
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
): Promise<unknown> {
  const authorization = `Bearer ${key}`;
  const init = { method, headers: { ...headers, authorization }, body };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}
