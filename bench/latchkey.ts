import { serve } from '../app/serve.ts';
import { defaultTtl, retentionFor } from '../core/idempotency/retention.ts';
import { requestLog } from './request-log.ts';

/** Latchkey as it is served, on a free port. Arguments: log file, store. */
const [logFile = '', store = ''] = process.argv.slice(2);

const settings = {
  store,
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  corsOrigins: '*',
  storeDeadline: 5000,
  retention: retentionFor(defaultTtl),
  catalogMaxAge: 5000,
  shutdownDeadline: 10_000,
  maxConnections: 10_000,
  logFormat: 'json',
} as const;

await serve(
  settings,
  () => new Date(),
  requestLog(logFile),
  async ({ url }) => console.log(`listening ${new URL(url).port}`),
);
