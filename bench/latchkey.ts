import { serve } from '../app/serve.ts';
import { resolveSettings } from '../app/settings/resolve.ts';
import { settingsOf } from '../app/settings/settings.ts';
import { requestLog } from './request-log.ts';

/** Latchkey as it is served, on a free port. Arguments: log file, store. */
const [logFile = '', store = ''] = process.argv.slice(2);

await serve(
  settingsOf(resolveSettings({ flags: { store, port: '0' }, environment: {}, file: null })),
  () => new Date(),
  requestLog(logFile),
  async (url) => console.log(`listening ${new URL(url).port}`),
);
