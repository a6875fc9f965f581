import { setTimeout } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import { noStore, ok } from '../answer.ts';
import { currentEdition } from '../editions.ts';
import { refuse } from '../refusals.ts';
import { doneExample } from './docs/examples.ts';
import { service } from './docs/operation-docs.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { doneBody } from './views.ts';

/** Paths for people and programs that know only the base address. They are relative to it. */
const serviceLinks = {
  openapi: '/openapi.json',
  listings: '/api/marketplace/listings',
  metadata: '/.well-known/oauth-protected-resource',
  live: '/livez',
  ready: '/readyz',
};

/** `GET /`: what runs here, and where to go on. */
export function serviceInfoOperations(release: string): readonly Operation[] {
  const body = JSON.stringify({ name: 'Latchkey', release, edition: currentEdition, links: serviceLinks });
  return [
    {
      id: 'getServiceInfo',
      method: 'GET',
      path: '/',
      caller: 'anyone',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      docs: {
        tag: service,
        summary: 'Get what runs here, and where to go on.',
        description:
          'The name, the release and the current version of the service, and paths relative to its address. Clients that prefer HTML get the marketplace instead, if it is served.',
        success: { description: 'The service.', schema: 'ServiceInfo' },
        hasPage: true,
        refusals: [],
      },
      handle: async () => ok(body),
    },
  ];
}

/** Whether requests can be served now. Takes no longer than the call's deadline. */
export type Ready = (call: Call) => Promise<boolean>;

/** Milliseconds for which a probe waits; shorter than any deadline. */
const probeTimeout = 500;

const probe = {
  method: 'GET',
  caller: 'anyone',
  body: 'ignored',
  crossOrigin: false,
  errors: 'standard',
} as const;

const probeDocs = {
  tag: service,
  success: { description: 'It does.', schema: 'Done', example: doneExample },
} as const;

/** `/livez`: the process answers. `/readyz`: it takes requests, and its store can be reached. */
export function probeOperations(ready: Ready): readonly Operation[] {
  return [
    {
      ...probe,
      id: 'live',
      path: '/livez',
      docs: {
        ...probeDocs,
        summary: 'Check whether the process answers.',
        description: 'For a supervisor that restarts it otherwise. Does not depend on the store.',
        refusals: [],
      },
      handle: async ({ call }: OperationRequest) => ok(doneBody(call.correlationId)),
    },
    {
      ...probe,
      id: 'ready',
      path: '/readyz',
      docs: {
        ...probeDocs,
        summary: 'Check whether the service takes requests.',
        description:
          'For a load balancer. 503 while the service starts, while it stops, and while its store is out of reach.',
        refusals: ['not_ready'],
      },
      handle: async ({ call }: OperationRequest) => {
        if (!(await isTrueInTime(ready(call)))) throw refuse('not_ready');
        return ok(doneBody(call.correlationId));
      },
    },
  ];
}

/** Whether the answer is yes and comes before the timeout. */
async function isTrueInTime(answer: Promise<boolean>): Promise<boolean> {
  const settled = new AbortController();
  const inTime = answer.catch(() => false).finally(() => settled.abort());
  const tooLate = setTimeout(probeTimeout, false, { signal: settled.signal }).catch(() => false);
  return Promise.race([inTime, tooLate]);
}

/** Serves `/metrics` in the text format of Prometheus. */
export function metricsOperations(text: (call: Call) => Promise<string>): readonly Operation[] {
  return [
    {
      id: 'metrics',
      method: 'GET',
      path: '/metrics',
      caller: 'anyone',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      docs: null,
      handle: async ({ call }) => ({
        status: 200,
        body: await text(call),
        cacheControl: noStore,
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      }),
    },
  ];
}
