import type { StorePair, StoreUrls } from '../../adapters/cli/shell/shell.ts';
import type { Call } from '../../core/call.ts';
import { compareStores } from '../../core/copy/compare-stores.ts';
import { copyStore } from '../../core/copy/copy-store.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import type { Store } from '../../core/store/store.port.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { openStore } from './open-store.ts';

/** Opens two stores for a copy or a comparison; `options` are those of the second. Throws `UnusableStore`. */
export async function openStorePair(
  { from, to }: StoreUrls,
  options: { readonly create: boolean },
  call: Call,
): Promise<StorePair> {
  const opened: Store[] = [];
  const close = async (): Promise<void> => {
    for (const store of opened) await store.close();
  };
  try {
    const [source, target] = [await open(from, { create: false }), await open(to, options)];
    return { copy: copyStore(source, target), compare: compareStores(source, target), close };
  } catch (error) {
    await close();
    throw error;
  }

  async function open(url: string, optionsOfStore: { readonly create: boolean }) {
    // A copy includes the expired idempotency records, so any retention will do.
    const store = await openStore(url, optionsOfStore, retentionFor(defaultTtl), call);
    opened.push(store);
    if (store.archive === null) throw new UnusableStore('Only stores on SQLite and MongoDB can be copied or compared.');
    return store.archive;
  }
}
