// Preloaded into a process: writes the URLs of all modules that the process loads to the file MODULES_FILE, at its end.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const urls = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    urls.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['MODULES_FILE'] ?? '', [...urls].join('\n')));
