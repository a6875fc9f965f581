import { expect } from 'chai';
import type { Administration } from '../../../core/administration/administration.ts';
import { allStatements } from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aPayment } from '../../support/affiliates/builders.ts';
import { aCall, aGrant, aListing, aSubscription, day, later, noon } from '../../support/builders.ts';
import { aTarget } from '../../support/random-entitlements.ts';
import { twoStores, type OpenedStore } from '../../support/stores/stores.ts';
import {
  addMerchant,
  addOwners,
  aDraft,
  contentOf,
  limitedCall,
  mine,
  nobody,
  ofAll,
  other,
  resultOf,
  seeded,
  type Names,
} from '../../support/tenant/two-merchants.ts';
import { anAttempt, anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** Runs a use case with some names. `seen` is an entitlement as it was read, whoever owns it. */
type Try = (a: Administration, names: Names, call: Call, seen: Entitlement) => unknown;

const page = { after: null, limit: 50 };
const everything = { productId: null, reference: null, status: null, endsBefore: null };
const everySale = { productId: null, handle: null, currency: null };
const paid = { currency: 'usd', attributedAt: null, payments: [aPayment()] };
const everyPromotion = { handle: null, slug: null, productId: null, state: null };
const everyOne = { state: null, search: null, category: null };
const terms = { overlap: day, expiresAt: null };
let fresh = 0;
/** An id that is new in each run, and the same in both stores. */
const newId = (names: Names, kind: string): string => `${kind}-${names.productId}-${fresh}`;

/** Each use case of the administration, those that take something away last. */
const tries: { readonly [Name in keyof Administration]: Try } = {
  addProduct: (a, names, call) => a.addProduct(newId(names, 'prod'), 'New', call),
  putProduct: (a, { productId }, call) => a.putProduct(productId, { ...plainFacts, name: 'Renamed' }, call),
  putTier: (a, { productId, tier: id }, call) =>
    a.putTier({ productId, id }, { deviceLimit: 9, trial: null, features: { sso: true } }, call),
  saveTier: (a, { productId, tier: id }, call) =>
    a.saveTier({ productId, id }, { deviceLimit: 7, trial: null, features: {} }, 'any', call),
  allTiers: (a, _names, call) => a.allTiers(call),
  showTier: (a, { productId, tier: id }, call) => a.showTier({ productId, id }, call),
  listTiers: (a, { productId }, call) => a.listTiers(productId, page, call),
  everyTier: (a, { productId }, call) => a.everyTier(productId, () => call),
  showTrial: (a, { trial }, call) => a.showTrial(trial, call),
  listTrials: (a, { productId }, call) => a.listTrials({ productId, entitlementId: null }, page, call),
  everyTrial: (a, { productId }, call) => a.everyTrial({ productId, entitlementId: null }, () => call),
  findTrialBefore: (a, { productId, entitlement }, call) => a.findTrialBefore(productId, entitlement, call),
  extendTrial: (a, { trial }, call) => a.extendTrial(trial, later(day), call),
  endTrial: (a, { trial }, call) => a.endTrial(trial, call),
  changeProduct: (a, { productId: id }, call) =>
    a.changeProduct({ id, name: 'Renamed', createdAt: noon, ...plainFacts }, { name: 'Again' }, call),
  findProduct: (a, { productId }, call) => a.findProduct(productId, call),
  listProducts: (a, _names, call) => a.listProducts(page, call),
  everyProduct: (a, _names, call) => a.everyProduct(() => call),
  mapPrice: (a, { price, productId }, call) =>
    a.mapPrice({ price, productId, tierId: 'x', tierName: 'X', deviceLimit: null, updates: null }, call),
  unmapPrice: (a, { price }, call) => a.unmapPrice(price, call),
  listPrices: (a, _names, call) => a.listPrices(page, call),
  everyPrice: (a, _names, call) => a.everyPrice(() => call),
  listStripeCases: (a, _names, call) => a.listStripeCases(page, call),
  countStripeCases: (a, _names, call) => a.countStripeCases(call),
  showStripeSale: (a, { sold }, call) => a.showStripeSale(sold, call),
  issueAppKey: (a, names, call) =>
    a.issueAppKey({ id: newId(names, 'key'), productId: names.productId, scopes: [], expiresAt: null }, call),
  listAppKeys: (a, { productId }, call) => a.listAppKeys(productId, page, call),
  findAppKey: (a, { appKey }, call) => a.findAppKey(appKey, call),
  everyAppKey: (a, _names, call) => a.everyAppKey(() => call),
  rotateAppKey: (a, names, call) =>
    a.rotateAppKey({ id: names.appKey, newId: newId(names, 'rotated'), ...terms }, call),
  issueOperatorKey: (a, names, call) =>
    a.issueOperatorKey(
      { id: newId(names, 'opk'), name: 'New', products: [names.productId], scopes: ['admin:read'], expiresAt: null },
      call,
    ),
  listOperatorKeys: (a, _names, call) => a.listOperatorKeys(page, call),
  findOperatorKey: (a, { operatorKey }, call) => a.findOperatorKey(operatorKey, call),
  everyOperatorKey: (a, _names, call) => a.everyOperatorKey(() => call),
  rotateOperatorKey: (a, names, call) =>
    a.rotateOperatorKey({ id: names.operatorKey, newId: newId(names, 'rotated'), ...terms }, call),
  grantEntitlement: (a, names, call) =>
    a.grantEntitlement(
      { id: newId(names, 'ent'), licenseKey: null, grant: aGrant({ productId: names.productId }) },
      call,
    ),
  importEntitlements: (a, names, call) =>
    a.importEntitlements(
      [{ id: newId(names, 'imp'), licenseKey: null, grant: aGrant({ productId: names.productId }) }],
      call,
    ),
  dryRunOfEntitlements: (a, names, call) =>
    a.dryRunOfEntitlements()(
      [{ id: newId(names, 'dry'), licenseKey: null, grant: aGrant({ productId: names.productId, reference: 'ref' }) }],
      call,
    ),
  showEntitlement: (a, { entitlement }, call) => a.showEntitlement(entitlement, call),
  putEntitlement: (a, names, call) =>
    a.putEntitlement(
      {
        id: newId(names, 'put'),
        licenseKey: null,
        written: { productId: names.productId, tierId: 'pro', tierName: 'Pro', billingInterval: 'month' },
      },
      call,
    ),
  showHistory: (a, { entitlement }, call) => a.showHistory(entitlement, call),
  listEntitlements: async (a, { productId }, call) => [
    await a.listEntitlements({ ...everything, productId, reference: 'ref' }, page, call),
    await a.listEntitlements({ ...everything, productId }, page, call),
    await a.listEntitlements({ ...everything, status: 'active' }, page, call),
    await a.listEntitlements(everything, { ...page, limit: 1 }, call),
    await a.listEntitlements({ ...everything, order: 'newest' }, { ...page, limit: 2 }, call),
    await a.listEntitlements({ ...everything, order: 'newest', status: 'ended', tier: 'pro' }, page, call),
    await a.listEntitlements({ ...everything, lastFour: '0001' }, page, call),
  ],
  everyEntitlement: (a, { productId }, call) => a.everyEntitlement({ ...everything, productId }, () => call),
  findEntitlement: (a, { entitlement }, call) => a.findEntitlement(entitlement, call),
  findByLicenseKey: (a, { licenseKey }, call) => a.findByLicenseKey(licenseKey, call),
  findPurchase: async (a, { entitlement, licenseKey }, call) => [
    await a.findPurchase(entitlement, false, call),
    await a.findPurchase(licenseKey, false, call),
    await a.findPurchase('ref', false, call),
  ],
  showPurchase: async (a, { entitlement, sold }, call) => [
    await resultOf(() => a.showPurchase(entitlement, call)),
    await resultOf(() => a.showPurchase(sold, call)),
  ],
  runEntitlementCommand: async (a, { entitlement, sold }, call) => [
    await resultOf(() => a.runEntitlementCommand(entitlement, { kind: 'suspend' }, call)),
    await resultOf(() => a.runEntitlementCommand(sold, { kind: 'past-due' }, call)),
    await resultOf(() => a.runEntitlementCommand(sold, { kind: 'cancel' }, call)),
  ],
  changeSeen: async (a, { entitlement }, call, { version }) =>
    a.changeSeen({ id: entitlement, version: version + 1, command: { kind: 'reinstate' } }, call),
  runSeenCommand: (a, _names, call, seen) => a.runSeenCommand(seen, { kind: 'cancel' }, call),
  alignEntitlement: (a, _names, call, seen) => a.alignEntitlement(seen, aTarget(), call),
  issueOfflineReceipt: (a, { entitlement: entitlementId }, call) =>
    a.issueOfflineReceipt({ entitlementId, expires: day, issuer: 'https://latchkey.test' }, call),
  listDevices: (a, { entitlement }, call) => a.listDevices(entitlement, call),
  findDevice: (a, { entitlement, device }, call) => a.findDevice(entitlement, device, call),
  releaseDevice: (a, { entitlement, device }, call) => a.releaseDevice(entitlement, device, call),
  mailLicense: (a, { entitlement: entitlementId }, call) =>
    a.mailLicense({ entitlementId, to: 'ada@example.com', what: null, licenseKey: null }, call),
  testMail: (a, _names, call) => a.testMail('ada@example.com', call),
  retryMails: (a, _names, call) => a.retryMails(call),
  skipMails: (a, { entitlement }, call) => a.skipMails(entitlement, call),
  mailKeys: (a, { sold: entitlementId }, call) => a.mailKeys({ entitlementId, id: null }, call),
  createSupportLink: (a, { entitlement: entitlementId }, call) =>
    a.createSupportLink({ entitlementId, expires: null }, call),
  clearDevices: (a, { entitlement }, call) => a.clearDevices(entitlement, call),
  moveLicense: (a, { entitlement, ended }, call) =>
    a.moveLicense({ from: ended, to: entitlement, version: null }, call),
  rotateLicense: (a, { entitlement }, call) => a.rotateLicense(entitlement, null, call),
  importListings: (a, { productId, slug }, call) =>
    a.importListings(
      [
        aDraft(newId({ ...mine, productId }, 'imp'), { productId }),
        aDraft(`${slug}-new`),
        aDraft(`${slug}-2`, { productId }),
      ],
      call,
    ),
  dryRunOfListings: (a, { productId }, call) =>
    a.dryRunOfListings()([aDraft(newId({ ...mine, productId }, 'dry'), { productId })], call),
  putListing: (a, names, call) =>
    a.putListing(aDraft(newId(names, 'put'), { productId: names.productId, featured: true, storefrontCount: 9 }), call),
  saveListing: (a, names, call) =>
    a.saveListing(null, aDraft(newId(names, 'save'), { productId: names.productId, featured: true }), call),
  saveDraft: (a, names, call) =>
    a.saveDraft(null, aDraft(newId(names, 'draft'), { productId: names.productId, featured: true }), call),
  listListings: async (a, _names, call) => [
    await a.listListings(everyOne, page, call),
    await a.listListings({ ...everyOne, state: 'live' }, page, call),
    await a.listListings({ ...everyOne, search: 'slug' }, { ...page, limit: 1 }, call),
    await a.listListings({ ...everyOne, category: 'productivity' }, page, call),
  ],
  everyListing: (a, _names, call) => a.everyListing(everyOne, () => call),
  listCategories: (a, _names, call) => a.listCategories(call),
  countList: async (a, { productId }, call) => [
    await a.countList({ kind: 'entitlements', productId: null }, 1000, call),
    await a.countList({ kind: 'entitlements', productId }, 1000, call),
    await a.countList({ kind: 'listings', products: null }, 1000, call),
  ],
  findListing: (a, { slug }, call) => a.findListing(slug, call),
  pauseListing: (a, { slug }, call) => a.pauseListing(slug, call),
  publishListing: (a, { slug }, call) => a.publishListing(slug, call),
  publishSeenListing: (a, { slug, productId }, call) =>
    a.publishSeenListing(aListing({ slug, productId, state: 'paused' }), call),
  showOverview: (a, _names, call) => a.showOverview(call),
  findTroubledEndpoints: (a, _names, call) => a.findTroubledEndpoints(call),
  findEvents: (a, { productId }, call) => a.findEvents({ productId, type: null, entitlementId: null }, page, call),
  listWaitlist: (a, _names, call) => a.listWaitlist(null, page, call),
  everySignUp: (a, _names, call) => a.everySignUp(() => call),
  eraseFromWaitlist: (a, _names, call) => a.eraseFromWaitlist('ada@example.com', call),
  inviteFromWaitlist: (a, { productId }, call) => {
    const request = { email: 'ada@example.com', products: [productId], scopes: null, expires: null, isMailed: false };
    return a.inviteFromWaitlist(request, call);
  },
  showInvitation: (a, _names, call) => a.showInvitation('t'.repeat(43), call),
  takeInvitation: (a, _names, call) => a.takeInvitation('t'.repeat(43), call),
  showSale: (a, { entitlement }, call) => a.showSale(entitlement, call),
  findSale: (a, { entitlement }, call) => a.findSale(entitlement, call),
  listSales: (a, { productId }, call) => a.listSales({ ...everySale, productId }, page, call),
  everySale: (a, _names, call) => a.everySale(everySale, () => call),
  putSale: (a, { ended, handle, slug }, call) => a.putSale({ entitlementId: ended, handle, slug, ...paid }, call),
  assignSale: (a, { entitlement, handle, slug }, call) =>
    a.assignSale({ entitlementId: entitlement, handle, slug }, call),
  voidSale: (a, { entitlement }, call) => a.voidSale(entitlement, 'Fraud', call),
  restoreSale: (a, { entitlement }, call) => a.restoreSale(entitlement, call),
  closeStatements: (a, { productId }, call) => a.closeStatements({ month: '2026-05', productId, handle: null }, call),
  countOpenStatements: (a, _names, call) => a.countOpenStatements('2026-12', 9, call),
  listStatements: (a, { productId }, call) => a.listStatements({ ...allStatements, productId }, page, call),
  everyStatement: (a, _names, call) => a.everyStatement(allStatements, () => call),
  showStatement: (a, { statement }, call) => a.showStatement(statement, call),
  listStatementLines: (a, { statement }, call) => a.listStatementLines(statement, page, call),
  everyStatementLine: (a, { statement }, call) => a.everyStatementLine(statement, () => call),
  payStatement: (a, { statement }, call) =>
    a.payStatement(statement, { method: 'sepa', reference: '7', at: null }, call),
  unpayStatement: (a, { statement }, call) => a.unpayStatement(statement, call),
  addAffiliate: (a, { handle }, call) => a.addAffiliate({ email: `${handle}@example.com`, handle, name: 'Ada' }, call),
  setAffiliate: (a, { handle }, call) => a.setAffiliate(handle, { name: 'Ada L.' }, call),
  createAffiliateLink: (a, { handle }, call) => a.createAffiliateLink(handle, null, call),
  endAffiliateLinks: (a, { handle }, call) => a.endAffiliateLinks(handle, call),
  findAffiliateByAddress: (a, { handle }, call) => a.findAffiliateByAddress(`${handle}@example.com`, call),
  showAffiliate: (a, { handle }, call) => a.showAffiliate(handle, call),
  listAffiliates: (a, _names, call) => a.listAffiliates(page, call),
  everyAffiliate: (a, _names, call) => a.everyAffiliate(() => call),
  findPromotion: (a, { handle, slug }, call) => a.findPromotion(handle, slug, call),
  listPromotions: (a, { handle }, call) => a.listPromotions({ ...everyPromotion, handle }, page, call),
  everyPromotion: (a, _names, call) => a.everyPromotion(everyPromotion, () => call),
  putPromotion: (a, { handle, slug, code }, call) =>
    a.putPromotion(
      { handle, slug },
      { commissionPercent: 1000, commissionFor: 'lifetime', holdDays: 7, codes: [code, `new-${code}`] },
      call,
    ),
  approvePromotion: (a, { handle, slug }, call) => a.approvePromotion({ handle, slug }, call),
  endPromotion: (a, { handle, slug }, call) => a.endPromotion(handle, slug, call),
  endAffiliate: (a, { handle }, call) => a.endAffiliate(handle, call),
  eraseAffiliate: (a, { handle }, call) => a.eraseAffiliate(handle, call),
  acceptClock: (a, _names, call) => a.acceptClock(call),
  checkClock: (a, _names, call) => a.checkClock(call),
  checkStore: (a, _names, call) => a.checkStore(() => call),
  backUpStore: (a, _names, call) => a.backUpStore('/nowhere/backup.db', call, () => false),
  pruneStore: (a, _names, call) => a.pruneStore(() => call),
  pruneEvents: (a, _names, call) => a.pruneEvents(0, () => call),
  pruneBuyerLinks: (a, _names, call) => a.pruneBuyerLinks(() => call),
  pruneTrials: (a, _names, call) => a.pruneTrials(0, () => call),
  pruneOperatorSessions: (a, _names, call) => a.pruneOperatorSessions(0, () => call),
  makeSigningKeys: (a, _names, call) => a.makeSigningKeys(call),
  listSigningKeys: (a, _names, call) => a.listSigningKeys(call),
  exportSigningKeys: (a, _names, call) => a.exportSigningKeys(call),
  rotateSigningKeys: (a, _names, call) => a.rotateSigningKeys(null, call),
  revokeSigningKey: (a, _names, call) => a.revokeSigningKey('none', call),
  addWebhook: (a, names, call) =>
    a.addWebhook(
      { id: newId(names, 'whk'), url: 'https://new.example/', productId: names.productId, types: null },
      call,
    ),
  listWebhooks: (a, _names, call) => a.listWebhooks(page, call),
  everyWebhook: (a, _names, call) => a.everyWebhook(() => call),
  showWebhook: (a, { webhook }, call) => a.showWebhook(webhook, call),
  listWebhookBacklogs: (a, _names, call) => a.listWebhookBacklogs(page, call),
  showWebhookBacklog: (a, { webhook }, call) => a.showWebhookBacklog(webhook, call),
  findLastAttempts: (a, { productId }, call) => {
    const stream = aStream({ productId, attempts: [anAttempt()] });
    return a.findLastAttempts({ endpoint: anEndpoint(), streams: [{ stream, waiting: 0, parked: 0 }] }, call);
  },
  rotateWebhookSecret: (a, { webhook: id }, call) => a.rotateWebhookSecret({ id, overlap: day, revision: null }, call),
  testWebhook: (a, { webhook }, call) => a.testWebhook(webhook, call),
  disableWebhook: (a, { webhook }, call) => a.disableWebhook(webhook, 'requested', call),
  enableWebhook: (a, { webhook }, call) => a.enableWebhook(webhook, call),
  retryWebhook: (a, { webhook }, call) => a.retryWebhook(webhook, call),
  replayWebhook: (a, { webhook: id, productId }, call) => a.replayWebhook({ id, productId, from: '0-' }, call),
  skipWebhookEvents: (a, { webhook: id, productId }, call) =>
    a.skipWebhookEvents({ id, productId, to: '0-', entitlementId: null }, call),
  deleteTier: (a, { productId, tier: id }, call) => a.deleteTier({ productId, id }, call),
  revokeLicense: (a, { entitlement }, call) => a.revokeLicense(entitlement, call),
  revokeAppKey: (a, { appKey }, call) => a.revokeAppKey(appKey, call),
  revokeOperatorKey: (a, { operatorKey }, call) => a.revokeOperatorKey(operatorKey, call),
  deleteListing: (a, { slug }, call) => a.deleteListing(slug, call),
  deleteWebhook: (a, { webhook }, call) => a.deleteWebhook(webhook, call),
};

/** Use cases of what the service has once. */
const ofService: readonly string[] = [
  'addProduct',
  'mapPrice',
  'unmapPrice',
  'listPrices',
  'everyPrice',
  'listStripeCases',
  'countStripeCases',
  'showStripeSale',
  'listWaitlist',
  'everySignUp',
  'eraseFromWaitlist',
  'addAffiliate',
  'setAffiliate',
  'createAffiliateLink',
  'endAffiliateLinks',
  'findAffiliateByAddress',
  'endAffiliate',
  'eraseAffiliate',
  'inviteFromWaitlist',
  'acceptClock',
  'mailLicense',
  'testMail',
  'retryMails',
  'skipMails',
  'checkClock',
  'checkStore',
  'backUpStore',
  'pruneStore',
  'pruneEvents',
  'pruneOperatorSessions',
  'pruneBuyerLinks',
  'pruneTrials',
  'makeSigningKeys',
  'listSigningKeys',
  'exportSigningKeys',
  'rotateSigningKeys',
  'revokeSigningKey',
];

const isMine = (productId: string | null): boolean => productId === 'mine';
const isNotMine = (productId: string | null): boolean => productId !== 'mine';

const codeOf = async (run: () => unknown): Promise<unknown> =>
  ((await resultOf(run)) as { readonly refused?: string }).refused;

for (const { name, open } of twoStores) {
  describe(`the use cases of a limited key, on the ${name} store`, () => {
    let full: OpenedStore;
    let alone: OpenedStore;
    /** The content of other owners, which no test changes. */
    let others: object;

    before(async () => {
      [full, alone] = [await open(), await open()];
      for (const store of [full, alone]) {
        await seeded(store, 'signing keys').makeSigningKeys(aCall());
        await addMerchant(store, mine);
      }
      await addMerchant(full, other);
      await addOwners(full);
      await full.settle();
      await alone.settle();
      others = await contentOf(full, isNotMine);
    });

    after(async () => {
      await full.close();
      await alone.close();
    });

    /** The same use case in both stores, with the same randomness. */
    const inBoth = async (useCase: keyof Administration, names: Names): Promise<readonly [unknown, unknown]> => {
      fresh += 1;
      const call = limitedCall({ now: later(fresh) });
      const seen =
        (await full.allEntitlements.find(names.entitlement, aCall())) ??
        aSubscription({ id: 'ent-nobody', productId: 'nobody' });
      const own = await alone.allEntitlements.find(names.entitlement, aCall());
      const run = (store: StorePorts, entitlement: Entitlement): Promise<unknown> =>
        resultOf(() => tries[useCase](seeded(store, `${useCase} ${fresh}`), names, call, entitlement));
      return [await run(full, seen), await run(alone, own ?? seen)];
    };

    for (const useCase of Object.keys(tries) as (keyof Administration)[]) {
      it(`${useCase} meets nothing that another has`, async () => {
        for (const names of [other, ofAll, nobody]) {
          const [inFull, inAlone] = await inBoth(useCase, names);
          expect(inFull, names.entitlement).to.deep.equal(inAlone);
        }
        expect(await contentOf(full, isNotMine)).to.deep.equal(others);
      });
    }

    for (const useCase of Object.keys(tries) as (keyof Administration)[]) {
      it(`${useCase} does to its own what it does where there is nothing else`, async () => {
        const [inFull, inAlone] = await inBoth(useCase, mine);
        expect(inFull).to.deep.equal(inAlone);
        if (ofService.includes(useCase))
          expect(inFull).to.deep.equal({ refused: 'limited_key', message: 'limited_key' });
        else expect(inFull).to.not.deep.include({ refused: 'limited_key' });
        expect(await contentOf(full, isNotMine)).to.deep.equal(others);
        expect(await contentOf(full, isMine)).to.deep.equal(await contentOf(alone, isMine));
      });
    }

    it('leaves ids, slugs and license keys that another has taken', async () => {
      const a = seeded(full, 'taken');
      const call = limitedCall();
      const grant = aGrant({ productId: 'mine' });
      const written = { productId: 'mine', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;
      const before = await contentOf(full, isNotMine);
      const key = { name: 'x', products: ['mine'], scopes: ['admin:read'], expiresAt: null } as const;
      const codes = [
        await codeOf(() => a.putEntitlement({ id: other.entitlement, written, licenseKey: null }, call)),
        await codeOf(() => a.grantEntitlement({ id: other.entitlement, grant, licenseKey: null }, call)),
        await codeOf(() => a.putEntitlement({ id: 'n1', written, licenseKey: other.licenseKey }, call)),
        await codeOf(() => a.grantEntitlement({ id: 'n2', grant, licenseKey: `${other.licenseKey}-ENDED` }, call)),
        await codeOf(() => a.rotateLicense(mine.entitlement, other.licenseKey, call)),
        await codeOf(() => a.putListing(aDraft(other.slug, { productId: 'mine' }), call)),
        await codeOf(() => a.putListing(aDraft(ofAll.slug, { productId: 'mine' }), call)),
        await codeOf(() => a.putListing(aDraft('n3', { productId: 'mine', id: 'lst-other' }), call)),
        await codeOf(() => a.saveListing(null, aDraft(other.slug, { productId: 'mine' }), call)),
        await codeOf(() => a.saveDraft(null, aDraft(other.slug, { productId: 'mine' }), call)),
        await codeOf(() =>
          a.addWebhook({ id: other.webhook, url: 'https://x.example/', productId: 'mine', types: null }, call),
        ),
        await codeOf(() =>
          a.addWebhook({ id: ofAll.webhook, url: 'https://x.example/', productId: 'mine', types: null }, call),
        ),
        await codeOf(() => a.issueAppKey({ id: other.appKey, productId: 'mine', scopes: [], expiresAt: null }, call)),
        await codeOf(() => a.issueOperatorKey({ id: ofAll.operatorKey, ...key }, call)),
        await codeOf(() => a.issueOperatorKey({ id: 'opk-both', ...key }, call)),
      ];
      expect(codes).to.deep.equal([
        'entitlement_exists',
        'entitlement_exists',
        'license_key_exists',
        'license_key_exists',
        'license_key_exists',
        'listing_exists',
        'listing_exists',
        'listing_exists',
        'listing_exists',
        'listing_exists',
        'webhook_exists',
        'webhook_exists',
        'app_key_exists',
        'operator_key_exists',
        'operator_key_exists',
      ]);
      const outcomes = [
        await a.importListings([aDraft(other.slug, { productId: 'mine' }), aDraft('n4', { productId: 'mine' })], call),
        await a.dryRunOfListings()([aDraft(other.slug, { productId: 'mine' }), aDraft('n4')], call),
        await a.dryRunOfListings()([aDraft('n5'), aDraft('n5', { productId: 'other' })], call),
        await a.importListings([aDraft('n5'), aDraft('n5', { productId: 'other' })], call),
      ];
      expect(outcomes).to.deep.equal([
        ['id taken', 'stored'],
        ['id taken', 'stored'],
        ['limited', 'product not found'],
        ['limited', 'product not found'],
      ]);
      expect(await contentOf(full, isNotMine)).to.deep.equal(before);
    });

    it('refuses what belongs to no product, and what Stripe would sell', async () => {
      const a = seeded(full, 'refused');
      const call = limitedCall();
      const written = { productId: 'mine', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;
      const key = { id: 'n6', name: 'x', scopes: ['admin:read'], expiresAt: null } as const;
      const before = [await contentOf(full, isNotMine), await contentOf(full, isMine)];
      const refused = [
        () => a.addWebhook({ id: 'n7', url: 'https://x.example/', productId: null, types: null }, call),
        () => a.putListing(aDraft('n8'), call),
        () => a.saveListing(null, aDraft('n8'), call),
        () => a.saveDraft(null, aDraft('n8'), call),
        () =>
          a.saveListing(
            aListing({ slug: mine.slug, productId: 'mine' }),
            { ...aDraft(mine.slug), productId: null },
            call,
          ),
        () => a.issueOperatorKey({ ...key, products: null }, call),
        () => a.issueOperatorKey({ ...key, products: ['mine'], scopes: ['admin:waitlist'] }, call),
        () => a.putEntitlement({ id: 'sub_1', written, licenseKey: null }, call),
        () => a.putEntitlement({ id: 'cs_1', written, licenseKey: null }, call),
        () => a.grantEntitlement({ id: 'sub_1', grant: aGrant({ productId: 'mine' }), licenseKey: null }, call),
        () => a.importEntitlements([{ id: 'sub_1', grant: aGrant({ productId: 'mine' }), licenseKey: null }], call),
        () => a.putProduct('new', { ...plainFacts, name: 'New' }, call),
        () => a.countList({ kind: 'waitlist' }, 9, call),
      ];
      for (const run of refused)
        expect(await resultOf(run)).to.deep.equal({ refused: 'limited_key', message: 'limited_key' });
      expect([await contentOf(full, isNotMine), await contentOf(full, isMine)]).to.deep.equal(before);
    });
  });
}
