export type StoreKind = 'memory' | 'sqlite' | 'mongodb';

const urls: Readonly<Record<StoreKind, RegExp>> = {
  memory: /^memory:$/,
  sqlite: /^sqlite:./,
  mongodb: /^mongodb(\+srv)?:\/\/./,
};

const kinds = Object.keys(urls) as readonly StoreKind[];

/** Returns the kind of store at a URL, or null for an unknown scheme. */
export function storeKindOf(url: string): StoreKind | null {
  return kinds.find((kind) => urls[kind].test(url)) ?? null;
}
