// Preloaded into a process. When the process ends, writes the modules that it has loaded to the file MODULES_FILE: by URL,
// and those of Node itself as `NativeModule http`.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const urls = new Set<string>();
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    urls.add(resolved.url);
    return resolved;
  },
});
process.on('exit', () => {
  const native = Reflect.get(process, 'moduleLoadList') as readonly string[];
  writeFileSync(process.env['MODULES_FILE'] ?? '', [...urls, ...native].join('\n'));
});
