import { setTimeout as sleep } from 'node:timers/promises';
import { createContainer } from '../../app/service/container.ts';
import { newCall } from '../../app/service/process.ts';
import { tokens } from '../../app/service/tokens.ts';
import { openStore } from '../../app/stores/open-store.ts';
import type { Call } from '../../core/call.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';

/**
 * Prints how many bytes of memory the catalog of a store takes in the index, after its compaction. Run it with
 * `--expose-gc`. Argument: the store.
 */
const [url = ''] = process.argv.slice(2);
const call = (): Call => newCall(new Date(), 60_000, 'command:bench');
const store = await openStore(url, { create: false }, retentionFor(defaultTtl), call());
const index = createContainer(store.ports).get(tokens.catalogIndex);

const before = await bytesInUse();
await index.refresh(call());
let bytes = await bytesInUse();
for (let isSettled = false; !isSettled;) {
  await sleep(3000);
  await index.refresh(call());
  const now = await bytesInUse();
  isSettled = Math.abs(now - bytes) < bytes / 200;
  bytes = now;
}
console.log(bytes - before);
await store.close();

/** The bytes in use on the heap and in arrays, after a collection. */
async function bytesInUse(): Promise<number> {
  for (let collection = 0; collection < 3; collection += 1) {
    await globalThis.gc?.({ type: 'major', execution: 'async' });
    await sleep(50);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
