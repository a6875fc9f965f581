import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoint.ts';
import { refusals } from './refusals.ts';

/** The permissions of a restricted key, by the name that Stripe's message has after `rak_`. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

interface Key {
  readonly permissions: Permissions | null;
  expired: boolean;
}

/** The keys of the account. */
export class ApiKeys {
  readonly #keys = new Map<string, Key>();

  /** Issues a secret key, or a restricted one. */
  issue(permissions: Permissions | null = null): string {
    const kind = permissions === null ? 'sk' : 'rk';
    const key = `${kind}_test_${randomBytes(18).toString('hex')}`;
    this.#keys.set(key, { permissions, expired: false });
    return key;
  }

  setExpired(key: string, expired: boolean): void {
    const known = this.#keys.get(key);
    if (known === undefined) throw new TypeError('fakeStripe has not issued this key.');
    known.expired = expired;
  }

  /** Refuses a request whose key is absent, unknown or expired, or may not do this. */
  check(authorization: string | undefined, route: Endpoint, account: string): void {
    const key = keyIn(authorization);
    if (key === undefined) throw refusals.noKey();
    const known = this.#keys.get(key);
    if (known === undefined) throw refusals.wrongKey(key);
    if (known.expired) throw refusals.expiredKey(key);
    const needed = route.method === 'GET' ? 'read' : 'write';
    const granted = known.permissions === null ? 'write' : known.permissions[route.permission];
    if (granted !== needed && granted !== 'write')
      throw refusals.notPermitted(key, account, `${route.permission}_${needed}`);
  }
}

function keyIn(authorization = ''): string | undefined {
  const [scheme, value = ''] = authorization.split(' ');
  const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  return key === '' ? undefined : key;
}
