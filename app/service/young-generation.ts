import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Shrinks the young generation of V8, and keeps it from growing until the returned function is called. It would grow
 * while the catalog is loaded, and V8 would keep its pages: a third of an idle server. Under load it grows again.
 *
 * The full garbage collection that shrinks it blocks the process, so call it before the server listens. To collect after
 * the catalog is loaded would block requests, and for longer.
 *
 * `gc` and its options are those of V8's `src/extensions/gc-extension.h`; nothing else shrinks the young generation. 2 is
 * the default of V8.
 */
export function holdYoungGeneration(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  setFlagsFromString('--semi-space-growth-factor=1');
  return () => setFlagsFromString('--semi-space-growth-factor=2');
}
