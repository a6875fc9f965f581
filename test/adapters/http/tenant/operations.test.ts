import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { AdminClient, dataOf, outcomeOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { at } from '../../../support/http/granted-entitlement.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { freshService, wholeSuite } from '../../../support/http/service-hooks.ts';
import { mailing, MailReceiver } from '../../../support/mail/mail-receiver.ts';
import { committedAdmin } from '../../../support/openapi/document.ts';
import { twoStores } from '../../../support/stores/stores.ts';
import {
  addMerchant,
  addOwners,
  contentOf,
  mine,
  nobody,
  ofAll,
  other,
  type Names,
} from '../../../support/tenant/two-merchants.ts';

const limitedKey = 'svc_op_live_limited-to-mine';

type Request = readonly [line: string, body?: object];

const grant = { tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const listing = {
  name: 'Tidy',
  blurb: '',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30%',
  storefrontCount: 7,
};

/** A request of each operation about what has some names; those that take something away are the last. */
const requests: Readonly<Record<string, (names: Names) => Request>> = {
  listProducts: () => ['GET /admin/products'],
  putProduct: ({ productId }) => [`PUT /admin/products/${productId}`, { name: 'Renamed' }],
  listTiers: ({ productId }) => [`GET /admin/products/${productId}/tiers`],
  showTier: ({ productId, tier }) => [`GET /admin/products/${productId}/tiers/${tier}`],
  putTier: ({ productId, tier }) => [`PUT /admin/products/${productId}/tiers/${tier}`, { deviceLimit: 9 }],
  listTrials: ({ productId }) => [`GET /admin/products/${productId}/trials`],
  showTrial: ({ trial }) => [`GET /admin/trials/${trial}`],
  extendTrial: ({ trial }) => [`POST /admin/trials/${trial}/extend`, { endsAt: later(day).toISOString() }],
  endTrial: ({ trial }) => [`POST /admin/trials/${trial}/end`],
  listPrices: () => ['GET /admin/stripe/prices'],
  putPrice: ({ price, productId }) => [`PUT /admin/stripe/prices/${price}`, { productId, tierId: 'x', tierName: 'X' }],
  deletePrice: ({ price }) => [`DELETE /admin/stripe/prices/${price}`],
  listStripeCases: () => ['GET /admin/stripe/cases'],
  showStripeSale: ({ sold }) => [`GET /admin/entitlements/${sold}/stripe`],
  listAppKeys: ({ productId }) => [`GET /admin/products/${productId}/app-keys`],
  issueAppKey: ({ productId, appKey }) => [`POST /admin/products/${productId}/app-keys`, { id: `new-${appKey}` }],
  rotateAppKey: ({ appKey }) => [`POST /admin/app-keys/${appKey}/rotate`, { newId: `rotated-${appKey}` }],
  listEntitlements: ({ productId }) => [`GET /admin/entitlements?product=${productId}&reference=ref`],
  showEntitlement: ({ entitlement }) => [`GET /admin/entitlements/${entitlement}`],
  putEntitlement: ({ entitlement, productId }) => [
    `PUT /admin/entitlements/new-${entitlement}`,
    { ...grant, productId },
  ],
  showHistory: ({ entitlement }) => [`GET /admin/entitlements/${entitlement}/history`],
  renewEntitlement: ({ entitlement }) => [
    `POST /admin/entitlements/${entitlement}/renew`,
    { currentPeriodEnd: at(90) },
  ],
  changeTier: ({ entitlement }) => [
    `POST /admin/entitlements/${entitlement}/change-tier`,
    { tierId: 'team', tierName: 'Team' },
  ],
  markPastDue: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/past-due`],
  suspendEntitlement: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/suspend`],
  reinstateEntitlement: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/reinstate`],
  scheduleCancellation: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/cancel`],
  undoCancellation: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/resume`],
  findByLicenseKey: ({ licenseKey }) => ['POST /admin/licenses/find', { licenseKey }],
  issueOfflineReceipt: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/receipts`, {}],
  mailLicense: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/mail`, { to: 'ada@example.com' }],
  createBuyerLink: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/links`, {}],
  allowDevices: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/allow`, { deviceLimit: 5 }],
  listDevices: ({ entitlement }) => [`GET /admin/entitlements/${entitlement}/devices`],
  releaseDevice: ({ entitlement, device }) => [`POST /admin/entitlements/${entitlement}/devices/${device}/release`],
  clearDevices: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/devices/clear`],
  moveLicense: ({ ended, entitlement }) => [`POST /admin/entitlements/${ended}/license/move`, { to: entitlement }],
  rotateLicense: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/license/rotate`, {}],
  listSigningKeys: () => ['GET /admin/signing-keys'],
  rotateSigningKeys: () => ['POST /admin/signing-keys/rotate', {}],
  revokeSigningKey: () => ['POST /admin/signing-keys/none/revoke'],
  listAllListings: () => ['GET /admin/listings'],
  putListing: ({ slug, productId }) => [`PUT /admin/listings/new-${slug}`, { ...listing, productId, featured: true }],
  pauseListing: ({ slug }) => [`POST /admin/listings/${slug}/pause`],
  publishListing: ({ slug }) => [`POST /admin/listings/${slug}/publish`],
  listAffiliates: () => ['GET /admin/affiliates'],
  showAffiliate: ({ handle }) => [`GET /admin/affiliates/${handle}`],
  addAffiliate: ({ handle }) => ['POST /admin/affiliates', { email: `${handle}@example.com`, handle, name: 'Ada' }],
  putAffiliate: ({ handle }) => [`PUT /admin/affiliates/${handle}`, { name: 'Ada L.', email: `${handle}@example.com` }],
  createAffiliateLink: ({ handle }) => [`POST /admin/affiliates/${handle}/links`, {}],
  endLinksOfAffiliate: ({ handle }) => [`DELETE /admin/affiliates/${handle}/links`],
  listPromotions: ({ handle }) => [`GET /admin/promotions?handle=${handle}`],
  putPromotion: ({ handle, slug, code }) => [
    `PUT /admin/promotions/${handle}/${slug}`,
    { commissionPercent: 10, codes: [`new-${code}`] },
  ],
  approvePromotion: ({ handle, slug }) => [`POST /admin/promotions/${handle}/${slug}/approve`],
  endPromotion: ({ handle, slug }) => [`POST /admin/promotions/${handle}/${slug}/end`],
  listSales: () => ['GET /admin/sales'],
  showSale: ({ entitlement }) => [`GET /admin/entitlements/${entitlement}/sale`],
  putSale: ({ ended, handle }) => [
    `PUT /admin/entitlements/${ended}/sale`,
    { handle, currency: 'usd', payments: [{ id: 'ch_1', paidAt: '2026-07-18T12:00:00Z', amount: 900, kept: 900 }] },
  ],
  assignSale: ({ ended, handle }) => [`POST /admin/entitlements/${ended}/sale/assign`, { handle }],
  voidSale: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/sale/void`, { reason: 'Fraud' }],
  restoreSale: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/sale/restore`],
  closeStatements: ({ productId }) => ['POST /admin/statements/close', { month: '2026-06', product: productId }],
  listStatements: () => ['GET /admin/statements'],
  showStatement: ({ statement }) => [`GET /admin/statements/${statement}`],
  listStatementLines: ({ statement }) => [`GET /admin/statements/${statement}/lines`],
  payStatement: ({ statement }) => [`POST /admin/statements/${statement}/paid`, { method: 'sepa', reference: '7' }],
  unpayStatement: ({ statement }) => [`POST /admin/statements/${statement}/unpaid`],
  listWaitlist: () => ['GET /admin/waitlist'],
  eraseFromWaitlist: () => ['POST /admin/waitlist/erase', { email: 'ada@example.com' }],
  inviteFromWaitlist: ({ productId }) => [
    'POST /admin/waitlist/invite',
    { email: 'ada@example.com', products: [productId] },
  ],
  listOperatorKeys: () => ['GET /admin/operators'],
  issueOperatorKey: ({ operatorKey, productId }) => [
    'POST /admin/operators',
    { id: `new-${operatorKey}`, name: 'New', products: [productId] },
  ],
  rotateOperatorKey: ({ operatorKey }) => [
    `POST /admin/operators/${operatorKey}/rotate`,
    { newId: `rotated-${operatorKey}` },
  ],
  listWebhooks: () => ['GET /admin/webhooks'],
  addWebhook: ({ webhook, productId }) => [
    'POST /admin/webhooks',
    { id: `new-${webhook}`, url: 'http://127.0.0.1:9/', productId },
  ],
  showWebhook: ({ webhook }) => [`GET /admin/webhooks/${webhook}`],
  rotateWebhookSecret: ({ webhook }) => [`POST /admin/webhooks/${webhook}/rotate-secret`, {}],
  disableWebhook: ({ webhook }) => [`POST /admin/webhooks/${webhook}/disable`],
  enableWebhook: ({ webhook }) => [`POST /admin/webhooks/${webhook}/enable`],
  testWebhook: ({ webhook }) => [`POST /admin/webhooks/${webhook}/test`],
  retryWebhook: ({ webhook }) => [`POST /admin/webhooks/${webhook}/retry`],
  replayWebhook: ({ webhook, productId }) => [`POST /admin/webhooks/${webhook}/replay`, { productId, from: '0-' }],
  skipWebhookEvents: ({ webhook, productId }) => [`POST /admin/webhooks/${webhook}/skip`, { productId, to: '0-' }],
  listEventsOfProduct: ({ productId }) => [`GET /admin/events?product=${productId}`],
  getAdminOpenApiDocument: () => ['GET /admin/openapi.json'],
  revokeLicense: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/license/revoke`],
  revokeEntitlement: ({ entitlement }) => [`POST /admin/entitlements/${entitlement}/revoke`],
  revokeAppKey: ({ appKey }) => [`POST /admin/app-keys/${appKey}/revoke`],
  revokeOperatorKey: ({ operatorKey }) => [`POST /admin/operators/${operatorKey}/revoke`],
  deleteTier: ({ productId, tier }) => [`DELETE /admin/products/${productId}/tiers/${tier}`],
  deleteListing: ({ slug }) => [`DELETE /admin/listings/${slug}`],
  deleteWebhook: ({ webhook }) => [`DELETE /admin/webhooks/${webhook}`],
  endAffiliate: ({ handle }) => [`POST /admin/affiliates/${handle}/end`],
  eraseAffiliate: ({ handle }) => [`POST /admin/affiliates/${handle}/erase`],
};

/** The operations of what the service has once. */
const ofService: Readonly<Record<string, string>> = {
  listPrices: 'limited_key',
  putPrice: 'limited_key',
  deletePrice: 'limited_key',
  listStripeCases: 'limited_key',
  showStripeSale: 'limited_key',
  mailLicense: 'limited_key',
  listSigningKeys: 'limited_key',
  rotateSigningKeys: 'limited_key',
  revokeSigningKey: 'limited_key',
  addAffiliate: 'limited_key',
  putAffiliate: 'limited_key',
  createAffiliateLink: 'limited_key',
  endLinksOfAffiliate: 'limited_key',
  endAffiliate: 'limited_key',
  eraseAffiliate: 'limited_key',
  listWaitlist: 'insufficient_scope',
  eraseFromWaitlist: 'insufficient_scope',
  inviteFromWaitlist: 'limited_key',
};

const isNotMine = (productId: string | null): boolean => productId !== 'mine';

/** Everything of an answer that does not name what was asked for, and not the request. */
const shapeOf = ({ status, headers, body }: Reply, names: Names): unknown => {
  const { 'x-request-id': id = '', date: _date, etag: _etag, ...others } = headers;
  let text = JSON.stringify(body).replaceAll(id, 'ID');
  if (text.length > 100_000) text = ''; // the document, which names nothing
  for (const [name, value] of Object.entries(names)) text = text.replaceAll(value, name);
  const { 'content-length': _length, ...fields } = others;
  return [status, fields, text];
};

for (const store of twoStores) {
  describe(`the operations with a limited key, on the ${store.name} store`, () => {
    const receiver = new MailReceiver();
    before(() => receiver.listen());
    after(() => receiver.close());
    const service = freshService(store, mailing(receiver), wholeSuite);

    before(async () => {
      await service().addOperatorKey(operatorKeys.full, { id: 'opk-owner' });
      const ports = portsIn(service().container);
      await addMerchant(ports, mine);
      await addMerchant(ports, other);
      await addOwners(ports);
      const scopes = operatorScopes.filter((scope) => scope !== 'admin:waitlist');
      await service().addOperatorKey(limitedKey, { id: 'opk-limited', products: ['mine'], scopes });
    });

    const send = ([line, body]: Request, key = limitedKey): Promise<Reply> => {
      const [method = '', path = ''] = line.split(' ');
      return new AdminClient(service()).send(method, path, { key, ...(body !== undefined && { body }) });
    };

    const content = (): Promise<object> => contentOf(portsIn(service().container), isNotMine);

    it('are all tried', () => {
      const ids = Object.values(committedAdmin.paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      );
      expect(Object.keys(requests)).to.have.members(ids);
    });

    for (const [operation, requestAbout] of Object.entries(requests)) {
      it(`${operation} answers about what another has as about what nobody has`, async () => {
        const before = await content();
        const unknown = shapeOf(await send(requestAbout(nobody)), nobody);
        for (const names of [other, ofAll])
          expect(shapeOf(await send(requestAbout(names)), names)).to.deep.equal(unknown);
        expect(await content()).to.deep.equal(before);
      });
    }

    for (const [operation, requestAbout] of Object.entries(requests)) {
      it(`${operation} reaches what is its own, and nothing that the service has once`, async () => {
        const before = await content();
        const reply = await send(requestAbout(mine));
        const code = ofService[operation];
        expect(reply.headers['error-code'], JSON.stringify(reply.body)).to.equal(code);
        if (code === 'limited_key') {
          expect(outcomeOf(reply)).to.deep.equal([
            403,
            'limited_key',
            'The key is limited to products, and this belongs to none of them.',
          ]);
          expect(reply.headers['www-authenticate']).to.equal('Bearer error="insufficient_scope"');
        }
        expect(JSON.stringify(dataOf(reply) ?? null)).to.not.match(/other|[-"]all\b|both|Owner/);
        expect(await content()).to.deep.equal(before);
      });
    }

    it('keep what ranks a listing, and add endpoints that reach public addresses only', async () => {
      const { allListings, webhookEndpoints } = portsIn(service().container);
      expect(await allListings.find(`new-${mine.slug}`, aCall())).to.include({ featured: false, storefrontCount: 0 });
      expect(await webhookEndpoints.find(`new-${mine.webhook}`, aCall())).to.include({ isPublicOnly: true });
    });

    it('refuse a cursor of another list, and go on from one of a larger reach in the own list', async () => {
      const first = await send(['GET /admin/entitlements?limit=1'], operatorKeys.full);
      const { next } = (first.body as { readonly meta: { readonly next: string } }).meta;
      const ids = (
        dataOf(await send([`GET /admin/entitlements?after=${next}`])) as readonly { readonly id: string }[]
      ).map(({ id }) => id);
      expect(ids).to.include(mine.entitlement);
      expect(ids.every((id) => !id.endsWith('other'))).to.equal(true);
      expect(outcomeOf(await send([`GET /admin/products?after=${next}`])).slice(0, 2)).to.deep.equal([
        400,
        'invalid_parameter',
      ]);
    });
  });
}
