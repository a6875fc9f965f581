import { nodePlatform } from '../app/service/platform.ts';
import type { Call } from '../core/call.ts';
import { identifierRule, isIdentifier } from '../core/identifier.ts';
import { appKeyKind, scopes } from '../core/key/app/app-key.ts';
import { newKey } from '../core/key/key-kind.ts';
import type { StorePorts } from '../core/store/store.port.ts';

const { newAppKeyId, randomBytes, crc32, digest } = nodePlatform;
const makeKey = newKey(appKeyKind, newAppKeyId, randomBytes, crc32, digest);

/** The app keys of a service under test, one for each product. */
export class TestKeys {
  readonly #ports: StorePorts;
  readonly #newCall: () => Call;
  readonly #keys = new Map<string, string>();

  constructor(ports: StorePorts, newCall: () => Call) {
    this.#ports = ports;
    this.#newCall = newCall;
  }

  /** The products that have a key, in the order in which they were named. */
  get products(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** Returns the key of a product. The memory store has it, and the product, before any request can arrive. */
  of(productId: string): string {
    const known = this.#keys.get(productId);
    if (known !== undefined) return known;
    if (!isIdentifier(productId)) throw new TypeError(`productId ${identifierRule.rule}.`);
    const call = this.#newCall();
    const { key, facts } = makeKey(null, call.now);
    void this.#ports.products.add({ id: productId, name: productId, createdAt: call.now }, call);
    void this.#ports.allAppKeys.add({ ...facts, productId, scopes, expiresAt: null }, call);
    this.#keys.set(productId, key);
    return key;
  }
}
