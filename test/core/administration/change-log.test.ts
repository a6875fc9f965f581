import { expect } from 'chai';
import { declaredLines } from '../../../adapters/administration/groups.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { logChanges, type LoggedChange } from '../../../core/administration/change-log.ts';
import { affiliateSubject } from '../../../core/buyer/buyer-link.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import {
  addStatement,
  anAffiliate,
  aPayment,
  aPromotion,
  aSale,
  aStatement,
  thirty,
} from '../../support/affiliates/builders.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aListing,
  anAppKey,
  anEvent,
  anOperatorKey,
  aOneTimeGrant,
  aProduct,
  aSignUp,
  aSubscription,
  aTrial,
  day,
  later,
  noon,
} from '../../support/builders.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { aTarget } from '../../support/random-entitlements.ts';
import { aFreshRing } from '../../support/receipts/key-rings.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** The use cases that may change something and log nothing themselves. */
const withoutLine = {
  importEntitlements: 'its caller logs one line for all groups of a file',
  importListings: 'its caller logs one line for all groups of a file',
  pruneStore: 'its caller logs all that it prunes as one line',
  pruneEvents: 'its caller logs all that it prunes as one line',
  pruneOperatorSessions: 'its caller logs all that it prunes as one line',
  mailKeys: 'the line is written when the mail server has taken the mail',
  pruneTrials: 'its caller logs all that it prunes as one line',
  pruneBuyerLinks: 'its caller logs all that it prunes as one line',
  acceptClock: 'changes nothing but the mark of the clock',
  backUpStore: 'changes no store',
  makeSigningKeys: 'makes the first keys only, as the start of a server does',
  exportSigningKeys: 'makes the first keys only, as the start of a server does',
};

const reading = /^(all|count|list|every|show|find|check|dryRunOf)/;

/** A use case, the line that it logs, and what a repeat does. Default: nothing. */
type Change = readonly [
  run: (administration: Administration) => Promise<unknown>,
  line: LoggedChange,
  repeat?: 'is logged again' | 'is refused',
];

const call = aCall();
const { id: _id, ...listing } = aListing();
const terms = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' };
const purchase = aOneTimeGrant();
const team = { productId: 'prod_1', id: 'team' };
const pro = { productId: 'prod_1', id: 'pro' };
const rotation = { newId: 'new', overlap: 0, expiresAt: null };
const keyTerms = { id: 'new', expiresAt: null };
const device = { id: `dev_${'a'.repeat(22)}`, name: null, activatedAt: noon, seenAt: noon, offlineUntil: null };
const webhook = { id: 'new', url: anEndpoint().url, productId: null, types: null };
const parked = { positions: [1], attempt: 10, at: null };
/** The cursor behind the only event of the store. */
const lastCursor = '1-01234567';

const versionOf = (command: string, entitlementId: string, version: number): LoggedChange => ({
  command,
  entitlementId,
  versionBefore: version - 1,
  version,
});

const ring = aFreshRing();
const receiptTerms = { entitlementId: 'ent_1', expires: day, issuer: 'https://latchkey.test' };

const ofWebhook = (command: string): LoggedChange => ({ command: `webhook ${command}`, webhookId: 'whk_1' });

const invitation = { email: 'ada@example.com', products: ['prod_1'], scopes: null, expires: null, isMailed: false };
const invitedToken = 't'.repeat(43);

const ofPromotion = (verb: string): LoggedChange => ({
  command: `promotion ${verb}`,
  handle: 'ada',
  slug: 'asked',
  productId: 'prod_1',
  revision: 2,
});

const ofSale = { saleId: aSale({ entitlementId: 'ent_1' }).id, productId: 'prod_1', handle: 'ada' };
const paid = { currency: 'usd', attributedAt: null, payments: [aPayment()] };
const ofStatement = (verb: string, handle: string, revision: number): LoggedChange => ({
  command: `statement ${verb}`,
  statementId: aStatement({ handle }).id,
  handle,
  productId: 'prod_1',
  revision,
});

const overdue = { standing: 'past_due' } as const;

async function seenBy({ findEntitlement }: Administration): Promise<Entitlement> {
  const seen = await findEntitlement('ent_1', call);
  if (seen === null) throw new Error('the entitlement is missing');
  return seen;
}

/** By the name of the use case, which may be followed by what sets a second change apart. */
const changes: Readonly<Record<string, Change>> = {
  addProduct: [
    ({ addProduct }) => addProduct('prod_2', 'Two', call),
    { command: 'product add', productId: 'prod_2' },
    'is refused',
  ],
  putProduct: [
    ({ putProduct }) => putProduct('prod_2', { ...plainFacts, name: 'Two' }, call),
    { command: 'product add', productId: 'prod_2' },
  ],
  mailLicense: [
    ({ mailLicense }) =>
      mailLicense({ entitlementId: 'ent_1', to: 'ada@example.com', what: null, licenseKey: null }, call),
    { command: 'license mail', entitlementId: 'ent_1' },
    'is logged again',
  ],
  testMail: [({ testMail }) => testMail('ada@example.com', call), { command: 'mail test' }, 'is logged again'],
  createSupportLink: [
    ({ createSupportLink }) => createSupportLink({ entitlementId: 'ent_1', expires: null }, call),
    { command: 'entitlement link', entitlementId: 'ent_1' },
    'is logged again',
  ],
  changeProduct: [
    ({ changeProduct }) => changeProduct(aProduct({ name: 'One', createdAt: noon }), { name: 'Another' }, call),
    { command: 'product set', productId: 'prod_1' },
  ],
  'putProduct with another name': [
    ({ putProduct }) => putProduct('prod_1', { ...plainFacts, name: 'Another' }, call),
    { command: 'product set', productId: 'prod_1' },
  ],
  putTier: [
    ({ putTier }) => putTier(team, { deviceLimit: 3, trial: null, features: { sso: true } }, call),
    { command: 'tier put', productId: 'prod_1', tierId: 'team', revision: 1 },
  ],
  'putTier with other terms': [
    ({ putTier }) => putTier(pro, { deviceLimit: 3, trial: null, features: {} }, call),
    { command: 'tier put', productId: 'prod_1', tierId: 'pro', revision: 2 },
  ],
  saveTier: [
    ({ saveTier }) => saveTier(team, { deviceLimit: 3, trial: null, features: {} }, null, call),
    { command: 'tier put', productId: 'prod_1', tierId: 'team', revision: 1 },
  ],
  extendTrial: [
    ({ extendTrial }) => extendTrial(aTrial().id, later(day), call),
    { command: 'trial extend', trialId: aTrial().id, productId: 'prod_1', endsAt: later(day).toISOString() },
  ],
  endTrial: [
    ({ endTrial }) => endTrial(aTrial().id, call),
    { command: 'trial end', trialId: aTrial().id, productId: 'prod_1', endsAt: noon.toISOString() },
  ],
  deleteTier: [
    ({ deleteTier }) => deleteTier(pro, call),
    { command: 'tier delete', productId: 'prod_1', tierId: 'pro' },
  ],
  'mapPrice to a tier that is not declared': [
    ({ mapPrice }) => mapPrice({ ...terms, tierId: 'prou', price: 'price_2', deviceLimit: null, updates: null }, call),
    { command: 'stripe map add', price: 'price_2', warning: 'tier_not_declared' },
  ],
  'alignEntitlement to a tier that is not declared': [
    async (administration) => {
      const tier = { tierId: 'prou', tierName: 'Pro' };
      return administration.alignEntitlement(await seenBy(administration), aTarget({ tier }), call);
    },
    { ...versionOf('entitlement align', 'ent_1', 2), warning: 'tier_not_declared' },
  ],
  mapPrice: [
    ({ mapPrice }) => mapPrice({ ...terms, price: 'price_2', deviceLimit: null, updates: null }, call),
    { command: 'stripe map add', price: 'price_2' },
  ],
  unmapPrice: [({ unmapPrice }) => unmapPrice('price_1', call), { command: 'stripe map remove', price: 'price_1' }],
  issueAppKey: [
    ({ issueAppKey }) => issueAppKey({ ...keyTerms, productId: 'prod_1', scopes: [] }, call),
    { command: 'key issue', appKeyId: 'new' },
  ],
  rotateAppKey: [
    ({ rotateAppKey }) => rotateAppKey({ ...rotation, id: 'key_1' }, call),
    { command: 'key rotate', appKeyId: 'new' },
  ],
  revokeAppKey: [({ revokeAppKey }) => revokeAppKey('key_1', call), { command: 'key revoke', appKeyId: 'key_1' }],
  issueOperatorKey: [
    ({ issueOperatorKey }) => issueOperatorKey({ ...keyTerms, name: 'Support', products: null, scopes: [] }, call),
    { command: 'operator issue', operatorKeyId: 'new' },
  ],
  rotateOperatorKey: [
    ({ rotateOperatorKey }) => rotateOperatorKey({ ...rotation, id: 'opk_1' }, call),
    { command: 'operator rotate', operatorKeyId: 'new' },
  ],
  revokeOperatorKey: [
    ({ revokeOperatorKey }) => revokeOperatorKey('opk_1', call),
    { command: 'operator revoke', operatorKeyId: 'opk_1' },
  ],
  grantEntitlement: [
    ({ grantEntitlement }) => grantEntitlement({ grant: purchase, id: 'new', licenseKey: null }, call),
    versionOf('entitlement grant', 'new', 1),
    'is refused',
  ],
  putEntitlement: [
    ({ putEntitlement }) =>
      putEntitlement({ id: 'new', written: { ...terms, billingInterval: 'one_time' }, licenseKey: null }, call),
    versionOf('entitlement grant', 'new', 1),
  ],
  runEntitlementCommand: [
    ({ runEntitlementCommand }) => runEntitlementCommand('ent_1', { kind: 'past-due' }, call),
    versionOf('entitlement past-due', 'ent_1', 2),
  ],
  'runEntitlementCommand that allows devices': [
    ({ runEntitlementCommand }) => runEntitlementCommand('ent_1', { kind: 'allow', deviceLimit: 5 }, call),
    versionOf('entitlement allow', 'ent_1', 2),
  ],
  releaseDevice: [
    ({ releaseDevice }) => releaseDevice('ent_1', device.id, call),
    { command: 'device release', entitlementId: 'ent_1', productId: 'prod_1', released: 1 },
  ],
  clearDevices: [
    ({ clearDevices }) => clearDevices('ent_1', call),
    { command: 'device clear', entitlementId: 'ent_1', productId: 'prod_1', released: 1 },
  ],
  alignEntitlement: [
    async (administration) => administration.alignEntitlement(await seenBy(administration), aTarget(overdue), call),
    versionOf('entitlement align', 'ent_1', 2),
  ],
  runSeenCommand: [
    async (administration) => administration.runSeenCommand(await seenBy(administration), { kind: 'suspend' }, call),
    versionOf('entitlement suspend', 'ent_1', 2),
  ],
  changeSeen: [
    ({ changeSeen }) => changeSeen({ id: 'ent_1', version: 1, command: { kind: 'suspend' } }, call),
    versionOf('entitlement suspend', 'ent_1', 2),
  ],
  'changeSeen of a license': [
    ({ changeSeen }) => changeSeen({ id: 'ent_1', version: 1, command: { kind: 'revoke-license' } }, call),
    versionOf('license revoke', 'ent_1', 2),
  ],
  rotateLicense: [
    ({ rotateLicense }) => rotateLicense('ent_1', 'a key of the owner’s making', call),
    versionOf('license rotate', 'ent_1', 2),
  ],
  revokeLicense: [({ revokeLicense }) => revokeLicense('ent_1', call), versionOf('license revoke', 'ent_1', 2)],
  moveLicense: [
    ({ moveLicense }) => moveLicense({ from: 'gone', to: 'ent_1', version: null }, call),
    { ...versionOf('license move', 'gone', 2), toEntitlementId: 'ent_1' },
  ],
  'changeSeen of a license that moves': [
    ({ changeSeen }) => changeSeen({ id: 'gone', version: 1, command: { kind: 'move-license', to: 'ent_1' } }, call),
    versionOf('license move', 'gone', 2),
  ],
  issueOfflineReceipt: [
    ({ issueOfflineReceipt }) => issueOfflineReceipt(receiptTerms, call),
    { command: 'license receipt', entitlementId: 'ent_1', expiresAt: later(day) },
    'is logged again',
  ],
  rotateSigningKeys: [
    ({ rotateSigningKeys }) => rotateSigningKeys(ring.active.kid, call),
    { command: 'signing-key rotate', signingKeyId: ring.next.kid },
  ],
  revokeSigningKey: [
    ({ revokeSigningKey }) => revokeSigningKey(ring.active.kid, call),
    { command: 'signing-key revoke', signingKeyId: ring.active.kid },
  ],
  saveListing: [
    ({ saveListing }) => saveListing(aListing(), { ...listing, name: 'Another' }, call),
    { command: 'listing put', slug: listing.slug },
  ],
  saveDraft: [
    ({ saveDraft }) => saveDraft(null, { ...listing, slug: 'drafted' }, call),
    { command: 'listing put', slug: 'drafted' },
  ],
  putListing: [
    ({ putListing }) => putListing({ ...listing, slug: 'new' }, call),
    { command: 'listing put', slug: 'new' },
  ],
  'putListing with another name': [
    ({ putListing }) => putListing({ ...listing, name: 'Another' }, call),
    { command: 'listing put', slug: 'quiet-editor' },
  ],
  pauseListing: [
    ({ pauseListing }) => pauseListing('quiet-editor', call),
    { command: 'listing pause', slug: 'quiet-editor' },
  ],
  publishListing: [
    ({ publishListing }) => publishListing('paused', call),
    { command: 'listing publish', slug: 'paused' },
  ],
  publishSeenListing: [
    async ({ findListing, publishSeenListing }) =>
      publishSeenListing((await findListing('paused', call)) ?? aListing(), call),
    { command: 'listing publish', slug: 'paused' },
  ],
  deleteListing: [({ deleteListing }) => deleteListing('paused', call), { command: 'listing delete', slug: 'paused' }],
  eraseFromWaitlist: [
    ({ eraseFromWaitlist }) => eraseFromWaitlist(aSignUp().email, call),
    { command: 'waitlist erase', entries: 1 },
  ],
  inviteFromWaitlist: [
    ({ inviteFromWaitlist }) => inviteFromWaitlist(invitation, call),
    { command: 'waitlist invite', products: 'prod_1' },
    'is logged again',
  ],
  addAffiliate: [
    ({ addAffiliate }) => addAffiliate({ email: 'eve@example.com', handle: 'eve', name: 'Eve' }, call),
    { command: 'affiliate add', handle: 'eve' },
    'is logged again',
  ],
  setAffiliate: [
    ({ setAffiliate }) => setAffiliate('ada', { name: 'Ada L.' }, call),
    { command: 'affiliate set', handle: 'ada', revision: 2 },
  ],
  createAffiliateLink: [
    ({ createAffiliateLink }) => createAffiliateLink('ada', null, call),
    { command: 'affiliate link', handle: 'ada' },
    'is logged again',
  ],
  endAffiliateLinks: [
    ({ endAffiliateLinks }) => endAffiliateLinks('ada', call),
    { command: 'affiliate end-links', handle: 'ada', links: 1 },
  ],
  endAffiliate: [({ endAffiliate }) => endAffiliate('ada', call), { command: 'affiliate end', handle: 'ada' }],
  eraseAffiliate: [({ eraseAffiliate }) => eraseAffiliate('ada', call), { command: 'affiliate erase', handle: 'ada' }],
  putPromotion: [
    ({ putPromotion }) =>
      putPromotion({ handle: 'ada', slug: 'asked' }, { ...thirty, commissionPercent: 3100, codes: [] }, call),
    ofPromotion('put'),
  ],
  approvePromotion: [
    ({ approvePromotion }) => approvePromotion({ handle: 'ada', slug: 'asked' }, call),
    ofPromotion('approve'),
  ],
  endPromotion: [({ endPromotion }) => endPromotion('ada', 'asked', call), ofPromotion('end')],
  putSale: [
    ({ putSale }) => putSale({ entitlementId: 'ent_1', handle: 'ada', slug: null, ...paid }, call),
    { command: 'sale put', ...ofSale, revision: 2 },
  ],
  voidSale: [({ voidSale }) => voidSale('ent_1', 'Fraud', call), { command: 'sale void', ...ofSale, revision: 2 }],
  restoreSale: [
    ({ restoreSale }) => restoreSale('gone', call),
    { command: 'sale restore', ...ofSale, saleId: aSale({ entitlementId: 'gone' }).id, revision: 2 },
  ],
  assignSale: [
    ({ assignSale }) => assignSale({ entitlementId: 'ent_1', handle: 'bob', slug: null }, call),
    { command: 'sale assign', ...ofSale, handle: 'bob', revision: 2 },
  ],
  closeStatements: [
    ({ closeStatements }) => closeStatements({ month: '2026-06', productId: null, handle: null }, call),
    { command: 'statement close', month: '2026-06', statements: 1 },
  ],
  payStatement: [
    ({ payStatement }) =>
      payStatement(aStatement({ handle: 'bob' }).id, { method: 'IBAN', reference: '7', at: null }, call),
    ofStatement('paid', 'bob', 2),
  ],
  unpayStatement: [
    ({ unpayStatement }) => unpayStatement(aStatement({ handle: 'cyd' }).id, call),
    ofStatement('unpaid', 'cyd', 3),
  ],
  takeInvitation: [
    async ({ takeInvitation }) => takeInvitation(invitedToken, call),
    { command: 'waitlist take', operatorKeyId: 'opk_invited', products: 'prod_1' },
    'is refused',
  ],
  addWebhook: [({ addWebhook }) => addWebhook(webhook, call), { command: 'webhook add', webhookId: 'new' }],
  rotateWebhookSecret: [
    ({ rotateWebhookSecret }) => rotateWebhookSecret({ id: 'whk_1', overlap: 0, revision: null }, call),
    ofWebhook('rotate-secret'),
    'is logged again',
  ],
  testWebhook: [({ testWebhook }) => testWebhook('whk_1', call), ofWebhook('test'), 'is logged again'],
  enableWebhook: [({ enableWebhook }) => enableWebhook('off', call), { command: 'webhook enable', webhookId: 'off' }],
  disableWebhook: [({ disableWebhook }) => disableWebhook('whk_1', 'requested', call), ofWebhook('disable')],
  retryMails: [({ retryMails }) => retryMails(call), { command: 'mail retry', mails: 1 }, 'is logged again'],
  skipMails: [({ skipMails }) => skipMails(null, call), { command: 'mail skip', mails: 1 }],
  'skipMails of an entitlement': [
    ({ skipMails }) => skipMails('ent_1', call),
    { command: 'mail skip', mails: 1, entitlementId: 'ent_1' },
  ],
  retryWebhook: [({ retryWebhook }) => retryWebhook('whk_1', call), ofWebhook('retry'), 'is logged again'],
  replayWebhook: [
    ({ replayWebhook }) => replayWebhook({ id: 'whk_1', productId: 'prod_1', from: '0-' }, call),
    ofWebhook('replay'),
    'is logged again',
  ],
  skipWebhookEvents: [
    ({ skipWebhookEvents }) =>
      skipWebhookEvents({ id: 'whk_1', productId: 'prod_1', to: lastCursor, entitlementId: null }, call),
    ofWebhook('skip'),
  ],
  deleteWebhook: [({ deleteWebhook }) => deleteWebhook('whk_1', call), ofWebhook('delete')],
};

describe('the log of changes', () => {
  const store = freshStore(memory.open);
  const plain = (): Administration =>
    administrationOf(
      store(),
      {
        ...nodePlatform,
        newOperatorKeyId: () => 'opk_invited',
        sendDelivery: async () => ({ kind: 'delivered', answer: 'status 204', status: 204 }),
      },
      { loadMail: mailTakenBy(async () => ({ outcome: 'sent' })) },
    );

  beforeEach(async () => {
    await store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, call);
    await store().priceMap.put({ ...terms, price: 'price_1', deviceLimit: null, updates: null }, call);
    await store().trials.add(aTrial(), call);
    await store().allAppKeys.add(anAppKey(), call);
    await store().allOperatorKeys.add(anOperatorKey(), call);
    const entitlement = aSubscription({ license: aLicense(), sequence: 1, devicesUsed: 1 });
    const changeRecord = { ...aChangeRecord(entitlement), events: [anEvent(entitlement, { id: 'evt_01234567' })] };
    await store().allEntitlements.add([{ entitlement, changeRecord }], call);
    const taken = { gone: [], put: [device], events: [] };
    await store().devices.replace(entitlement, entitlement, taken, call);
    const hold = { kind: 'revoked', at: noon } as const;
    const gone = aSubscription({ id: 'gone', hold, license: aLicense({ digest: 'of gone' }) });
    await store().allEntitlements.add(
      [{ entitlement: gone, changeRecord: { ...aChangeRecord(gone), events: [] } }],
      call,
    );
    const tier = { ...pro, terms: { deviceLimit: null, trial: null, features: {} }, revision: 1 };
    await store().tiers.replace(
      tier,
      tierEvent(null, tier, call, () => 'evt_of-pro'),
      call,
    );
    await store().listings.put([aListing(), aListing({ id: 'lst_2', slug: 'paused', state: 'paused' })], call);
    await store().affiliates.replace(null, anAffiliate(), call);
    const subject = affiliateSubject('ada');
    const ofAda = { digest: 'of ada', subject, appKeyId: null, returnUrl: null, isForLostKeys: false };
    await store().buyerLinks.add({ ...ofAda, createdAt: noon, expiresAt: later(day) }, call);
    await store().listings.put(
      [aListing({ id: 'lst_3', slug: 'asked', productId: 'prod_1', commissionFor: 'lifetime' })],
      call,
    );
    const asked = aPromotion({ slug: 'asked', state: 'asked', terms: [] });
    await store().promotions.replace(null, asked, call);
    await store().affiliates.replace(null, anAffiliate({ handle: 'bob' }), call);
    await store().promotions.replace(null, aPromotion({ handle: 'bob', slug: 'asked' }), call);
    const voided = { at: noon, by: 'stripe', reason: 'own_purchase' } as const;
    for (const sale of [aSale({ entitlementId: 'ent_1' }), aSale({ entitlementId: 'gone', voided })]) {
      await store().sales.replace(null, sale, null, call);
    }
    const payments = [aPayment({ paidAt: later(-60 * day) })];
    await store().sales.replace(null, aSale({ entitlementId: 'sold', payments }), null, call);
    await addStatement(store(), aStatement({ handle: 'bob' }));
    const sepa = { at: noon, method: 'sepa', reference: '7' };
    await addStatement(store(), aStatement({ handle: 'cyd', paid: sepa, revision: 2 }));
    await store().waitlist.join(aSignUp(), call);
    const bob = aSignUp({ email: 'bob@example.com' });
    const digest = nodePlatform.digest(invitedToken);
    const invited = {
      products: ['prod_1'],
      scopes: ['admin:read'],
      expiresAt: later(1),
      invitedBy: 'command:ada',
    } as const;
    await store().waitlist.join(bob, call);
    await store().waitlist.replace(bob, { ...bob, invitedAt: noon, invitation: { digest, ...invited } }, call);
    await store().signingKeys.replace(ring, call);
    await store().webhookEndpoints.add(anEndpoint(), call);
    await store().webhookEndpoints.add(anEndpoint({ id: 'idle' }), call);
    await store().webhookEndpoints.add(anEndpoint({ id: 'off', state: 'disabled', reason: 'requested' }), call);
    const stream = aStream({ cursor: 1, pending: new Map([['ent_1', parked]]) });
    await store().deliveryStreams.add([stream, { ...stream, endpointId: '@mail', addition: '' }], call);
  });

  for (const [name, [run, line, repeat = 'is not logged again']] of Object.entries(changes)) {
    it(`has one line for ${name}, with its call, and a repeat ${repeat}`, async () => {
      const logged: unknown[] = [];
      const administration = logChanges(plain(), (...entry) => logged.push(entry), declaredLines);
      await run(administration);
      expect(logged).to.deep.equal([[line, call]]);
      if (repeat === 'is refused') await refusalOf(run(administration));
      else await run(administration);
      expect(logged).to.have.length(repeat === 'is logged again' ? 2 : 1);
    });
  }

  it('has no line for a retry of an endpoint that has received everything', async () => {
    const logged: LoggedChange[] = [];
    await logChanges(plain(), (change) => logged.push(change), declaredLines).retryWebhook('idle', call);
    expect(logged).to.deep.equal([]);
  });

  it('has no line for a change that came too late', async () => {
    const logged: LoggedChange[] = [];
    const { alignEntitlement } = logChanges(plain(), (change) => logged.push(change));
    const outdated = aSubscription({ revision: 0 });
    expect(await alignEntitlement(outdated, aTarget(overdue), call)).to.deep.equal({ kind: 'stale' });
    expect(logged).to.deep.equal([]);
  });

  it('has a line for every use case but those that only read, and those that have a reason', () => {
    const before = plain();
    const after = logChanges(before, () => {}, declaredLines);
    const names = Object.keys(before) as readonly (keyof Administration)[];
    expect(Object.keys(after)).to.have.members(names);
    const logging = names.filter((name) => after[name] !== before[name]);
    expect(logging).to.have.members([...new Set(Object.keys(changes).map((name) => name.split(' ')[0]))]);
    const others = names.filter((name) => !logging.includes(name) && !reading.test(name));
    expect(others).to.have.members(Object.keys(withoutLine));
  });
});
