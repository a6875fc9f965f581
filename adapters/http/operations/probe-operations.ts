import { setTimeout } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import { ok } from '../answer.ts';
import { refuse } from '../refusals.ts';
import { doneExample } from './docs/examples.ts';
import { service } from './docs/operation-docs.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { doneBody } from './views.ts';

/** Whether requests can be served now. Takes no longer than the call's deadline. */
export type Ready = (call: Call) => Promise<boolean>;

/** Milliseconds for which a probe waits; shorter than any deadline. */
const probeTimeout = 500;

const probe = {
  method: 'GET',
  access: 'public',
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
