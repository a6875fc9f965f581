import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { AllKeys, KeyPosition, Keys } from '../../../core/key/keys.port.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, anAppKey, anOperatorKey } from '../../support/builders.ts';

/** One kind of key, for the contracts that both kinds keep. */
export interface KeysUnderTest<Key extends StoredKey> {
  readonly name: string;
  readonly all: (store: StorePorts) => AllKeys<Key>;
  readonly presented: (store: StorePorts) => Keys<Key>;
  readonly page: (store: StorePorts, after: KeyPosition | null, limit: number) => Promise<readonly Key[]>;
  readonly aKey: (overrides?: Partial<StoredKey<never>>) => Key;
}

export const appKeysUnderTest: KeysUnderTest<AppKey> = {
  name: 'AppKeys',
  all: ({ allAppKeys }) => allAppKeys,
  presented: ({ appKeys }) => appKeys,
  page: ({ allAppKeys }, after, limit) => allAppKeys.page({ productId: null, after, limit }, aCall()),
  aKey: (overrides = {}) => anAppKey({ id: 'key', ...overrides }),
};

export const operatorKeysUnderTest: KeysUnderTest<OperatorKey> = {
  name: 'OperatorKeys',
  all: ({ allOperatorKeys }) => allOperatorKeys,
  presented: ({ operatorKeys }) => operatorKeys,
  page: ({ allOperatorKeys }, after, limit) => allOperatorKeys.page({ after, limit }, aCall()),
  aKey: (overrides = {}) => anOperatorKey({ id: 'key', products: ['prod_1', 'prod_2'], ...overrides }),
};
