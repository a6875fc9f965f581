// Preloaded into a process. Sends it the signal SIGNAL when it loads a module whose URL ends with one of SIGNAL_AT.
import { registerHooks } from 'node:module';

const { SIGNAL, SIGNAL_AT = '' } = process.env;
registerHooks({
  load: (url, context, next) => {
    if (SIGNAL_AT.split(',').some((module) => url.endsWith(module))) process.kill(process.pid, SIGNAL);
    return next(url, context);
  },
});
