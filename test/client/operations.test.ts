import { expect } from 'chai';
import { LatchkeyClient, type ListingQuery } from '../../client/index.ts';
import { aCall, aListing, day, later } from '../support/builders.ts';
import { faultyClients } from '../support/client/faulty-clients.ts';
import { eventually } from '../support/eventually.ts';
import { appKeys, licenseKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import { TestService } from '../support/http/test-service.ts';
import { committed, operationsOf, resolved } from '../support/openapi/document.ts';
import { range } from '../support/range.ts';
import { memory } from '../support/stores/stores.ts';

/** Operations for machines that know their own HTTP: probes and descriptions. */
const withoutMethod = [
  'getOpenApiDocument',
  'getProtectedResourceMetadata',
  'getServiceInfo',
  'getSigningKeys',
  'live',
  'ready',
];

describe('the client', () => {
  const started = populatedServices();
  let service: TestService;
  let client: LatchkeyClient;

  beforeEach(async () => {
    service = await started();
    client = new LatchkeyClient({ baseUrl: `${service.url}/`, appKey: appKeys.full });
  });

  it('has a method for every operation of the document', async () => {
    await client.listings.list();
    await client.listings.get('tidy');
    await client.waitlist.join({ email: 'ada@example.com' });
    await client.licenses.verify(licenseKeys.active);
    await client.licenses.receipt(licenseKeys.active, { productId: 'prod_1' });
    await client.licenses.trial('prod_1', { deviceId: 'machine-1' }).catch(() => null);
    const { device } = await client.licenses.activate(licenseKeys.active, { deviceId: 'machine-1' });
    await client.licenses.devices(licenseKeys.active);
    await client.licenses.deactivate(licenseKeys.active, { device });
    await client.entitlements.get('ent_1');
    await client.entitlements.cancel('ent_1');
    await client.entitlements.resume('ent_1');
    expect(await client.entitlements.createLink('ent_1', { expires: '30m' })).to.have.keys('url', 'expiresAt');
    await client.entitlements.endLinks('ent_1');
    await client.events.list();
    const called = service.logged.flatMap(({ operation }) => (typeof operation === 'string' ? [operation] : []));
    const documented = operationsOf(committed).map(({ operation }) => operation.operationId);
    expect([...new Set(called), ...withoutMethod].toSorted()).to.deep.equal(documented.toSorted());
  });

  it('lists, filters and reads listings', async () => {
    const page = await client.listings.list({ q: 'desk', category: undefined, limit: 5, minCommission: 30 });
    expect(page.data.map(({ slug }) => slug)).to.deep.equal(['tidy']);
    expect(page.meta).to.deep.equal({ total: 1, offset: 0, limit: 5, hasMore: false });
    expect(page.categories).to.deep.equal(['Productivity']);
    expect(await client.listings.get('tidy')).to.deep.equal(page.data[0]);
  });

  it('cancels once, and resumes', async () => {
    const canceled = await client.entitlements.cancel('ent_1', { idempotencyKey: 'the same key' });
    expect(await client.entitlements.cancel('ent_1', { idempotencyKey: 'the same key' })).to.deep.equal(canceled);
    expect(await client.entitlements.get('ent_1')).to.deep.equal(canceled);
    expect([canceled.cancelAt, canceled.version]).to.deep.equal([canceled.currentPeriodEnd, 2]);
    expect(await client.entitlements.resume('ent_1')).to.include({ cancelAt: null, version: 3 });
  });

  it('reads the events of its product, page by page', async () => {
    const read = async (after?: string) => client.events.list({ after, limit: 1 });
    const first = await eventually(read, ({ data }) => data.length > 0);
    expect(first.data.map(({ type, data }) => [type, data.sequence])).to.deep.equal([['entitlement.granted', 1]]);
    await client.entitlements.cancel('ent_1');
    const second = await eventually(
      () => read(first.meta.next),
      ({ data }) => data.length > 0,
    );
    expect(second.data[0]?.data.previous).to.deep.equal({ cancelAt: null, canceledAt: null });
    expect(second.meta.hasMore).to.equal(false);
  });

  it('makes a key for each intention', async () => {
    await client.entitlements.cancel('ent_1');
    await client.entitlements.resume('ent_1');
    expect(await client.entitlements.cancel('ent_1')).to.include({ version: 4 });
  });

  it('verifies licenses, and throws for none', async () => {
    const { entitlement, ...valid } = (await client.licenses.verify(licenseKeys.active)) as {
      readonly entitlement: object;
    };
    expect(valid).to.deep.equal({ verdict: 'valid' });
    expect(entitlement).to.include({ id: 'ent_1', status: 'active' });
    const unknown = { verdict: 'invalid', reason: 'unknown', entitlement: null };
    for (const key of [licenseKeys.revoked, 'a-license-key-that-nobody-has'])
      expect(await client.licenses.verify(key)).to.deep.equal(unknown);
    expect(await client.licenses.verify(licenseKeys.active, { productId: 'prod_2' })).to.deep.equal(unknown);
    expect(await client.licenses.verify('short')).to.deep.equal({ ...unknown, reason: 'malformed' });
    service.now = later(60 * day);
    expect(await client.licenses.verify(licenseKeys.active)).to.deep.equal({
      verdict: 'invalid',
      reason: 'no_access',
      entitlement: { ...entitlement, status: 'expired' },
    });
  });
});

describe('the client', () => {
  it('walks over every page of a query', async () => {
    const many = range(120).map((n) => aListing({ id: `many_${n}`, slug: `many-${n}`, category: 'Many' }));
    const other = aListing({ id: 'other', slug: 'other' });
    const service = await TestService.at(await memory.address(), {}, async ({ listings }) => {
      await listings.put([...many, other], aCall());
    });
    try {
      const client = new LatchkeyClient({ baseUrl: service.url });
      const all = await Array.fromAsync(client.listings.all({ category: 'Many' }), ({ slug }) => slug);
      expect(all.toSorted()).to.deep.equal(many.map(({ slug }) => slug).toSorted());
      const small = await Array.fromAsync(client.listings.all({ category: 'Many', limit: 7, offset: 100 }));
      expect(small).to.have.length(20);
    } finally {
      await service.stop();
    }
  });

  it('can be used below a path', async () => {
    const { client, proxy } = await clients([{ status: 200, body: '{"success":true,"data":{"slug":"a/b?"}}' }]);
    const below = new LatchkeyClient({ baseUrl: `${proxy.url}/below/`, fetch: (...init) => fetch(...init) });
    expect(await below.listings.get('a/b?')).to.deep.equal({ slug: 'a/b?' });
    expect(proxy.seen.map(({ line }) => line)).to.deep.equal(['GET /below/api/marketplace/listings/a%2Fb%3F']);
    expect(client).to.be.instanceOf(LatchkeyClient);
  });

  it('sends its edition always, and its key only where it is needed', async () => {
    const done = { status: 200, body: '{"success":true,"data":{}}' };
    const { client, proxy } = await clients([done, done]);
    await client.listings.get('tidy');
    await client.entitlements.get('ent_1');
    expect(proxy.seen.map(({ headers }) => [headers['api-version'], headers.authorization])).to.deep.equal([
      ['2026-07-18', undefined],
      ['2026-07-18', `Bearer ${appKeys.full}`],
    ]);
  });

  it('takes the parameters of the document for its query', () => {
    const query: Required<ListingQuery> = {
      q: 'desk',
      sort: 'new',
      compensation: 'both',
      category: 'Productivity',
      minCommission: 20,
      minStorefronts: 1,
      offset: 0,
      limit: 1,
    };
    const list = operationsOf(committed).find(({ operation }) => operation.operationId === 'listListings');
    const parameters = list?.operation.parameters.map((parameter) => resolved(parameter)) ?? [];
    expect(parameters.flatMap((each) => (each.in === 'query' ? [each.name] : []))).to.deep.equal(Object.keys(query));
  });

  it('refuses options that it cannot use', () => {
    for (const baseUrl of ['licenses.example', 'ftp://licenses.example', 'http://licenses.example?a=b'])
      expect(() => new LatchkeyClient({ baseUrl }), baseUrl).to.throw(TypeError);
    const baseUrl = 'http://licenses.example';
    for (const wrong of [{ timeout: 0 }, { timeout: Infinity }, { retries: -1 }, { retries: 0.5 }])
      expect(() => new LatchkeyClient({ baseUrl, ...wrong })).to.throw(RangeError);
  });

  const clients = faultyClients();
});
