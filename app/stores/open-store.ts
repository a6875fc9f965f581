import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { openMongoStore } from '../../adapters/mongo/open-mongo-store.ts';
import { openSqliteStore } from '../../adapters/sqlite/open-sqlite-store.ts';
import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import type { Store } from '../../core/store/store.port.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { storeKindOf } from './store-kind.ts';

/** Opens the store that `STORE_URL` names. Throws `UnusableStore` with a sentence where that cannot be. */
export async function openStore(
  url: string,
  may: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  switch (storeKindOf(url)) {
    case 'memory':
      return openMemoryStore(retention);
    case 'sqlite':
      return openSqliteStore(url.slice('sqlite:'.length), may, retention, call);
    case 'mongodb':
      return openMongoStore(url, may, retention, call);
    case null:
      throw new UnusableStore('The store must be memory:, sqlite:PATH or mongodb://HOST/DATABASE.');
  }
}

/** Opens the store as it is, or an empty one in memory where there is none. Throws `UnusableStore` as `openStore` does. */
export async function openStoreOrEmpty(url: string, retention: Retention, call: Call): Promise<Store> {
  try {
    return await openStore(url, { create: false }, retention, call);
  } catch (error) {
    if (error instanceof UnusableStore && error.isMissing) return openMemoryStore(retention);
    throw error;
  }
}
