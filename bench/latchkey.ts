import { serve } from '../app/service/serve.ts';
import { resolveSettings } from '../app/settings/resolve.ts';
import { settingsOf } from '../app/settings/settings.ts';
import { requestLog } from './request-log.ts';

/** Latchkey as it is served, on a free port. Arguments: log file, store, and how long a client may take to send its request. */
const [logFile = '', store = '', patience] = process.argv.slice(2);
const timeouts = patience === undefined ? {} : { headersTimeout: patience, requestTimeout: patience };

await serve(
  settingsOf(resolveSettings({ flags: { store, port: '0', ...timeouts }, environment: {}, file: null })),
  () => new Date(),
  requestLog(logFile),
  async (url) => console.log(`listening ${new URL(url).port}`),
);
