import { serve } from '../app/service/serve.ts';
import { resolveSettings } from '../app/settings/resolve.ts';
import { requestLog } from './request-log.ts';

/** Latchkey as it is served, on a free port. Arguments: log file, store, and how long a client may take to send its request. */
const [logFile = '', store = '', patience] = process.argv.slice(2);
const timeouts = patience === undefined ? {} : { headersTimeout: patience, requestTimeout: patience };

const { settings } = resolveSettings({ flags: { store, port: '0', ...timeouts }, file: null }, {});
await serve(
  settings,
  () => new Date(),
  requestLog(logFile),
  async (url) => console.log(`listening ${new URL(url).port}`),
);
