import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { RawClient } from '../../../support/http/raw-client.ts';
import { activeLicense, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { accessCases } from '../conformance/access-cases.ts';
import { contentCases } from '../conformance/content-cases.ts';
import { framingCases } from '../conformance/framing-cases.ts';
import { publicCases } from '../conformance/public-cases.ts';
import { routingCases } from '../conformance/routing-cases.ts';
import { visitConsole } from './console-visit.ts';

/** A regular expression that ran while requests were answered, and the text that it ran on first. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly sample: string;
}

/** Where a worker listens. */
export interface WorkerAddresses {
  readonly url: string;
  readonly adminUrl: string;
}

/** Requests for what no conformance case needs. */
const more = [
  verify(activeLicense, [json, 'X-Forwarded-For: 192.0.2.1, 127.0.0.1']),
  verify(activeLicense, [json, 'X-Forwarded-For: [2001:db8::1]:4711, unknown']),
  verify(activeLicense, [json, 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']),
  cancel(['Idempotency-Key: by-a-date', 'If-Unmodified-Since: Sun Nov  6 08:49:37 1994']),
  http('GET /?q=tidy', ['Accept: text/html']),
  http('GET /listings/tidy', ['Accept: text/html']),
];

/** Sends every conformance case to a service, uses its console, and returns each expression that ran until the answers. */
export async function recordExpressions(): Promise<readonly Expression[]> {
  const worker = new Worker(new URL('./recording-worker.ts', import.meta.url));
  try {
    const [{ url, adminUrl }] = (await once(worker, 'message')) as [WorkerAddresses];
    const cases = [...accessCases, ...contentCases, ...framingCases, ...publicCases, ...routingCases];
    for (const bytes of [...cases.map((one) => one.bytes), ...more]) {
      const client = new RawClient(url);
      client.send(bytes);
      await client.read(bytes.trimStart().split(' ', 1)[0] ?? '');
      client.close();
    }
    await visitConsole(adminUrl);
    const recorded = once(worker, 'message') as Promise<[readonly Expression[]]>;
    worker.postMessage('stop', []);
    return (await recorded)[0];
  } finally {
    await worker.terminate();
  }
}
