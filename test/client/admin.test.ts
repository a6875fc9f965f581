import { expect } from 'chai';
import { ConflictError, LatchkeyAdmin, NotFoundError, type AdminOptions } from '../../client/admin/index.ts';
import { day } from '../support/builders.ts';
import { FaultyProxy, type Fault } from '../support/client/faulty-proxy.ts';
import { freshAdmin } from '../support/http/admin-client.ts';
import { operatorKeys } from '../support/http/fixtures.ts';
import { committedAdmin, operationsOf } from '../support/openapi/document.ts';
import { memory } from '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

const terms = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;

describe('the client of the administration', () => {
  const started = freshAdmin(memory);
  const proxies: FaultyProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });

  function clientOf(options: Partial<AdminOptions> = {}): LatchkeyAdmin {
    const baseUrl = started().service.adminUrl ?? '';
    return new LatchkeyAdmin({ baseUrl, operatorKey: operatorKeys.full, ...options });
  }

  async function behind(...faults: readonly Fault[]): Promise<readonly [LatchkeyAdmin, FaultyProxy]> {
    const proxy = await FaultyProxy.start(faults, started().service.adminUrl ?? '');
    proxies.push(proxy);
    return [clientOf({ baseUrl: proxy.url }), proxy];
  }

  it('has a method for each operation, and no other', async () => {
    const asked: string[] = [];
    const admin = clientOf({
      retries: 0,
      fetch: async (input, init) => {
        asked.push(`${init?.method} ${new URL(input).pathname}`);
        return Response.json({ success: true, data: [], meta: { next: null, hasMore: false } });
      },
    });
    for (const resource of Object.keys(admin).map((name): object => Reflect.get(admin, name))) {
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
        if (name === 'constructor' || name === 'all') continue;
        const method = Reflect.get(resource, name) as (...values: readonly unknown[]) => Promise<unknown>;
        await method.call(resource, ...pathIds(method), {});
      }
    }
    const operations = operationsOf(committedAdmin).filter(({ path }) => path !== '/admin/openapi.json');
    const described = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(?:slug|kid|price|handle)\}/, '{id}')}`,
    );
    expect(asked.map(decodeURIComponent)).to.have.members(described);
  });

  it('grants, finds, changes and revokes, and reads what happened', async () => {
    const admin = clientOf();
    await admin.products.put('prod_1', { name: 'Sketchpad' });
    const { entitlement, licenseKey } = await admin.entitlements.put('ent_1', terms);
    expect(entitlement.status).to.equal('active');
    expect((await admin.licenses.find({ licenseKey: licenseKey ?? '' })).id).to.equal('ent_1');
    expect((await admin.entitlements.changeTier('ent_1', { tierId: 'team', tierName: 'Team' })).tierId).to.equal(
      'team',
    );
    expect((await admin.entitlements.revoke('ent_1')).status).to.equal('revoked');
    expect((await admin.entitlements.history('ent_1')).map(({ version }) => version)).to.deep.equal([3, 2, 1]);
    const { data } = await admin.events.list({ product: 'prod_1', wait: 1 });
    expect(data.map(({ type }) => type)).to.deep.equal([
      'entitlement.granted',
      'entitlement.tier_changed',
      'entitlement.ended',
    ]);
  });

  it('walks through all pages of a list', async () => {
    const admin = clientOf();
    const ids = ['prod_1', 'prod_2', 'prod_3', 'prod_4', 'prod_5'];
    for (const id of ids) await admin.products.put(id, { name: id });
    const seen: string[] = [];
    const { meta } = await admin.products.list({ limit: 1 });
    for await (const { id } of admin.products.all({ limit: 2, after: meta.next ?? '' })) seen.push(id);
    expect(seen).to.deep.equal(ids.slice(1));
  });

  it('issues one key, although the answer was lost', async () => {
    await clientOf().products.put('prod_1', { name: 'Sketchpad' });
    const [admin, proxy] = await behind('cut after');
    const issued = await admin.appKeys.issue('prod_1');
    expect([proxy.seen.length, issued.key]).to.deep.equal([2, null]);
    expect(proxy.seen[0]?.body).to.equal(proxy.seen[1]?.body);
    expect(
      (await admin.appKeys.list('prod_1')).data.filter(({ id }) => id !== 'key_1').map(({ id }) => id),
    ).to.deep.equal([issued.id]);
    expect((await admin.appKeys.rotate(issued.id, { overlap: '1h' })).key).to.be.a('string');
    expect((await admin.appKeys.issue('prod_1', { id: 'own' })).id).to.equal('own');
  });

  it('repeats a rotation of the signing keys only if it names the key that signs', async () => {
    const kid = (await clientOf().signingKeys.list())[0]?.kid ?? '';
    const [first, blind] = await behind('cut after');
    await thrownBy(first.signingKeys.rotate());
    const [active, , retired] = await clientOf().signingKeys.list();
    expect([blind.seen.length, retired?.kid]).to.deep.equal([1, kid]);
    const [second, named] = await behind('cut after');
    const keys = await second.signingKeys.rotate({ from: active?.kid });
    expect([named.seen.length, keys.length, keys[2]?.kid]).to.deep.equal([2, 4, active?.kid]);
    expect((await clientOf().signingKeys.revoke(kid)).state).to.equal('revoked');
  });

  it('issues a receipt for a machine without a network', async () => {
    const admin = clientOf();
    await admin.products.put('prod_1', { name: 'Sketchpad' });
    await admin.entitlements.put('ent_1', terms);
    const { receipt, issuedAt, expiresAt } = await admin.receipts.issue('ent_1', { expires: '1d' });
    expect(receipt.split('.')).to.have.length(3);
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).to.equal(day);
  });

  it('throws the errors of the other client, with the code of the service', async () => {
    const admin = clientOf();
    const unknown = await thrownBy(admin.entitlements.get('ent_unknown'));
    expect(unknown).to.be.instanceOf(NotFoundError).and.include({ code: 'entitlement_not_found', status: 404 });
    await admin.products.put('prod_1', { name: 'Sketchpad' });
    await admin.entitlements.put('ent_1', terms);
    await admin.entitlements.revoke('ent_1');
    const refused = await thrownBy(admin.entitlements.pastDue('ent_1'));
    expect(refused).to.be.instanceOf(ConflictError).and.include({ code: 'entitlement_ended' });
  });

  it('needs the key of an operator', () => {
    for (const operatorKey of ['', undefined as unknown as string])
      expect(() => clientOf({ operatorKey })).to.throw(TypeError, 'operatorKey is missing');
  });
});

/** The names in the path of the first parameters of a generated method. */
function pathIds(method: (...values: readonly unknown[]) => unknown): readonly string[] {
  const found = /^\w+\((?:id|slug|kid|price|handle)\b\s*(?:,\s*(device|tier|slug)\b)?/.exec(method.toString());
  if (found === null) return [];
  return found[1] === undefined ? ['{id}'] : ['{id}', `{${found[1]}}`];
}
