import { expect } from 'chai';
import type { ServiceIdentifier } from 'inversify';
import { portTokens, tokens } from '../../../../app/service/tokens.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { moments, type Fault } from '../../../support/failing.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { adminWrites, erasedEmail, operationsOfWrites, type AdminWrite } from '../../../support/http/admin-writes.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import type { ServiceOptions } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

const away = 'The service cannot reach its data right now. Repeat the request.';
const down = new Refusal('store_unavailable', { cause: new Error('the store is down') });

/** The methods by which the administration writes. */
const writing = ['add', 'delete', 'end', 'erase', 'move', 'put', 'replace', 'setState', 'setStorefronts'];

const reads: readonly AdminRead[] = [
  { path: '/admin/products', port: 'products' },
  { path: '/admin/products/prod_2/app-keys', port: 'allAppKeys' },
  { path: '/admin/entitlements', port: 'allEntitlements' },
  { path: '/admin/entitlements/ent_1', port: 'allEntitlements' },
  { path: '/admin/entitlements/ent_1/history', port: 'entitlementHistory' },
  { path: '/admin/licenses/find', port: 'allEntitlements', body: { licenseKey: 'a-license-key-of-my-own-making' } },
  { path: '/admin/listings', port: 'allListings' },
  { path: '/admin/operators', port: 'allOperatorKeys' },
  { path: '/admin/operators', port: 'operatorKeys' },
  { path: '/admin/waitlist', port: 'waitlist' },
];

interface AdminRead {
  readonly path: string;
  readonly port: keyof typeof portTokens;
  readonly body?: object;
}

/** The next call that fails: by its port, or any write. */
interface Armed extends Pick<Fault<unknown>, 'when'> {
  readonly port: keyof typeof portTokens | 'any write';
}

describe('the administration while the store fails', () => {
  let armed: Armed | null = null;
  const admin = freshAdmin(memory, {
    rebind: failingPorts(
      () => armed,
      () => (armed = null),
    ),
  });

  beforeEach(() =>
    admin()
      .service.container.get(tokens.waitlist)
      .join(aSignUp({ email: erasedEmail }), aCall()),
  );

  for (const when of moments) {
    it(`says so of a write that fails ${when} it takes effect, and carries it out once when it is repeated`, async () => {
      for (const write of adminWrites) {
        const name = `${write.method} ${write.path}`;
        armed = { port: 'any write', when };
        expect(outcomeOf(await send(write)), name).to.deep.equal([500, 'store_unavailable', away]);
        expect(armed, name).to.equal(null);
        const repeated = await send(write);
        expect(repeated.status, name).to.be.oneOf([200, 201]);
        const again = await send(write);
        expect(again.status, name).to.equal(200);
        const { shownOnce = '' } = write;
        const { [shownOnce]: _shown, ...rest } = dataOf(repeated) as Record<string, unknown>;
        expect(dataOf(again), name).to.deep.include(rest);
        const shown = when === 'after' ? dataOf(repeated) : dataOf(again);
        expect((shown as Record<string, unknown>)[shownOnce], name).to.be.oneOf([undefined, null, 0]);
      }
      const history = dataOf(await admin().get('/admin/entitlements/ent_1/history')) as { operation: string }[];
      expect(history.map(({ operation }) => operation).toReversed()).to.deep.equal(operationsOfWrites);
    });
  }

  it('says so of everything that is read, and reads it the next time', async () => {
    for (const write of adminWrites) await send(write);
    await admin().post('/admin/entitlements/ent_1/license/rotate');
    for (const { path, port, body } of reads) {
      const request = (): Promise<Reply> => (body === undefined ? admin().get(path) : admin().post(path, body));
      armed = { port, when: 'before' };
      expect(outcomeOf(await request()), `${path} ${port}`).to.deep.equal([500, 'store_unavailable', away]);
      expect((await request()).status, path).to.equal(body === undefined ? 200 : 404);
    }
  });

  function send({ method, path, body }: AdminWrite): Promise<Reply> {
    return admin().send(method, path, { body });
  }
});

/** Wraps every port, so that a call fails for which a fault is armed. */
function failingPorts(armed: () => Armed | null, disarm: () => void): NonNullable<ServiceOptions['rebind']> {
  return (container) => {
    for (const [port, token] of Object.entries<ServiceIdentifier<object>>(portTokens)) {
      const real = container.get(token);
      const wrapped = new Proxy(real, {
        get: (target, property) => {
          const member: unknown = Reflect.get(target, property, target);
          if (typeof member !== 'function') return member;
          return (...parameters: unknown[]): unknown => {
            const fault = armed();
            const isMeant = fault?.port === 'any write' ? writing.includes(String(property)) : fault?.port === port;
            if (fault === null || !isMeant) return Reflect.apply(member, target, parameters);
            disarm();
            if (fault.when === 'before') return Promise.reject(down);
            return Promise.resolve(Reflect.apply(member, target, parameters)).then(() => Promise.reject(down));
          };
        },
      });
      container.rebind(token).toConstantValue(wrapped);
    }
  };
}
