import type { StorePair } from '../../../adapters/cli/shell/shell.ts';
import { openStore, openStorePair } from '../../../app/stores/open-store.ts';
import type { Archive } from '../../../core/copy/archive.port.ts';
import type { Comparison } from '../../../core/copy/compare-stores.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { mongo, openAt, sqlite, type OpenedStore } from './stores.ts';

const openers = {
  sqlite: (url: string) => openAt(url),
  mongo: (url: string) => openAt(url),
};

/** A store that can be copied. */
export interface Address {
  readonly kind: keyof typeof openers;
  readonly url: string;
}

/** Returns a function that makes an empty store, for one process that closes what it opens. It lasts for one test of the calling suite. */
export function freshAddresses(): (kind: Address['kind']) => Promise<Address> {
  const removals: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const remove of removals.splice(0)) await remove();
  });
  return async (kind) => {
    const address = await (kind === 'sqlite' ? sqlite : mongo).emptyAddress();
    removals.push(() => address.remove());
    return createEmptyStore({ kind, url: address.url });
  };
}

async function createEmptyStore({ kind, url }: Address): Promise<Address> {
  await (await openers[kind](url)).close();
  return { kind, url };
}

export async function inStore<T>({ kind, url }: Address, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  const store = await openers[kind](url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
/** Ignores the progress of a copy. */
export function ignoreProgress(): void {}

export function copied(from: string, to: string, resume = false): Promise<Comparison> {
  return withPair(from, to, ({ copy }) => copy({ resume }, () => aCall(), ignoreProgress));
}

export function compared(from: string, to: string): Promise<Comparison> {
  return withPair(from, to, ({ compare }) => compare(() => aCall()));
}

async function withPair<T>(from: string, to: string, work: (pair: StorePair) => Promise<T>): Promise<T> {
  const pair = await openStorePair({ from, to }, { create: true }, aCall());
  try {
    return await work(pair);
  } finally {
    await pair.close();
  }
}

export async function inArchive<T>(url: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const store = await openStore(url, { create: false }, retentionFor(defaultTtl), aCall());
  try {
    if (store.archive === null) throw new Error('this store keeps nothing');
    return await work(store.archive);
  } finally {
    await store.close();
  }
}
