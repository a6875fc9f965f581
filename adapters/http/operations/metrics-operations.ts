import type { Call } from '../../../core/call.ts';
import { noStore } from '../answer.ts';
import type { Operation } from './operation.ts';

/** Serves `/metrics` in the text format of Prometheus. */
export function metricsOperations(text: (call: Call) => Promise<string>): readonly Operation[] {
  return [
    {
      id: 'metrics',
      method: 'GET',
      path: '/metrics',
      access: 'public',
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
