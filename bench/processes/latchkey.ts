import { serve } from '../../app/server/serve.ts';
import { resolveSettings } from '../../app/settings/resolve.ts';
import { StopSignals } from '../../app/stop-signals.ts';
import { requestLog } from './request-log.ts';

/** Serves Latchkey on a free port. Arguments: log file, store, and other settings as NAME=VALUE. */
const [logFile = '', store = '', ...others] = process.argv.slice(2);
const flags = { store, port: '0', ...Object.fromEntries(others.map((setting) => setting.split('='))) };
const { settings } = resolveSettings({ flags, file: null }, {});
await serve(
  settings,
  { clock: () => new Date(), log: requestLog(logFile), stopping: new StopSignals([]).takeOver() },
  (...urls) => console.log(['listening', ...urls.map((url) => url && new URL(url).port)].join(' ').trimEnd()),
);
