import { serve } from '../../app/server/serve.ts';
import { resolveSettings } from '../../app/settings/resolve.ts';
import { StopSignals } from '../../app/stop-signals.ts';
import { requestLog } from './request-log.ts';

/** Serves Latchkey on a free port. Arguments: log file, store, and the timeout for a client to send its request. */
const [logFile = '', store = '', timeout] = process.argv.slice(2);
const timeouts = timeout === undefined ? {} : { headersTimeout: timeout, requestTimeout: timeout };
const { settings } = resolveSettings({ flags: { store, port: '0', ...timeouts }, file: null }, {});
await serve(
  settings,
  { clock: () => new Date(), log: requestLog(logFile), stopping: new StopSignals([]).takeOver() },
  (url) => console.log(`listening ${new URL(url).port}`),
);
