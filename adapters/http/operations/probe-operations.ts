import { setTimeout } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import { ok, type Answer } from '../answer.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { doneExample } from './docs/examples.ts';
import { refuse } from '../refusals.ts';
import { doneBody } from './views.ts';

/** Whether requests can be served now; it waits no longer than the call's deadline. */
export type Ready = (call: Call) => Promise<boolean>;

/** `/livez`: the process answers. `/readyz`: it serves, and its store is within reach. */
export function probeOperations(ready: Ready): readonly Operation[] {
  return [
    {
      ...probe,
      id: 'live',
      path: '/livez',
      docs: { ...docs, summary: 'Whether the process answers.', refusals: [] },
      handle: async (request: OperationRequest) => alive(request),
    },
    {
      ...probe,
      id: 'ready',
      path: '/readyz',
      docs: { ...docs, summary: 'Whether the service serves.', refusals: ['not_ready'] },
      handle: async (request: OperationRequest) => {
        if (!(await soon(ready(request.call)))) throw refuse('not_ready');
        return alive(request);
      },
    },
  ];
}

/** Longer than this no probe waits; shorter than any deadline. */
const patience = 500;

/** Whether it is so, and known in time. */
async function soon(answer: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const given = answer.catch(() => false).finally(() => late.abort());
  const never = setTimeout(patience, false, { signal: late.signal }).catch(() => false);
  return Promise.race([given, never]);
}

const docs = {
  success: { description: 'It does.', schema: 'Done', example: doneExample },
} as const;

const probe = {
  method: 'GET',
  access: 'public',
  body: 'ignored',
  crossOrigin: false,
  errors: 'standard',
} as const;

function alive({ call }: OperationRequest): Answer {
  return ok(doneBody(call.correlationId));
}
