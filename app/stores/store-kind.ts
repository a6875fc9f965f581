export type StoreKind = 'memory' | 'sqlite' | 'mongodb';

const addresses: Readonly<Record<StoreKind, RegExp>> = {
  memory: /^memory:$/,
  sqlite: /^sqlite:./,
  mongodb: /^mongodb(\+srv)?:\/\/./,
};

const kinds = Object.keys(addresses) as readonly StoreKind[];

/** The kind of store that an address names; null for an address of none. */
export function storeKindOf(url: string): StoreKind | null {
  return kinds.find((kind) => addresses[kind].test(url)) ?? null;
}
