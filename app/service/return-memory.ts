import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the memory that a start leaves unused to the operating system: V8 keeps the pages of a young generation that
 * grew while the catalog was loaded, a third of an idle server. Blocks for as long as a full garbage collection, so call
 * it before the server listens. The young generation grows again under load.
 *
 * `gc` and its options are those of V8's `src/extensions/gc-extension.h`; nothing else shrinks the young generation.
 */
export function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
