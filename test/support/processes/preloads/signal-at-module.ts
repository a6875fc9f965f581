// Preloaded into a process. Sends it the signal SIGNAL when it loads the module whose URL ends with SIGNAL_AT.
import { registerHooks } from 'node:module';

const { SIGNAL, SIGNAL_AT = '' } = process.env;
registerHooks({
  load: (url, context, next) => {
    if (url.endsWith(SIGNAL_AT)) process.kill(process.pid, SIGNAL);
    return next(url, context);
  },
});
