import { expect } from 'chai';
import { administrationRefusals, refusals, type ErrorCode } from '../../../../adapters/http/refusals.ts';
import { portsIn } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import type { LicenseMoves } from '../../../../core/entitlement/license/license-moves.port.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { addStatement, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, aSubscription, aTrial, day, later, noon } from '../../../support/builders.ts';
import { freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
import { at, grant, licenseKey } from '../../../support/http/granted-entitlement.ts';
import type { ServiceOptions } from '../../../support/http/test-service.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { memory } from '../../../support/stores/stores.ts';

/** A request, and the code with which it is refused. */
type Row = readonly [request: string, body: object | undefined, code: ErrorCode];

const written = {
  name: 'Tidy',
  blurb: '',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30%',
  storefrontCount: 0,
};
const payment = { method: 'sepa', reference: '8' };
const paid = aStatement({ paid: { at: noon, method: 'sepa', reference: '7' }, revision: 2 });
const carried = aStatement({ handle: 'bob', balance: -1 });
const manyCodes = Array.from({ length: 20 }, (_, index) => `code-${index}`);
const sale = { handle: 'ada', currency: 'usd', attributedAt: later(1).toISOString(), payments: [] };
const url = 'https://shop.example/hooks';
const end = { currentPeriodEnd: at(62) };
const tier = { tierId: 'team', tierName: 'Team' };

/** Everything that a request can change about an entitlement. */
const changes: readonly (readonly [operation: string, body?: object])[] = [
  ['renew', end],
  ['change-tier', tier],
  ['allow', { deviceLimit: 5, features: { sso: true } }],
  ['past-due'],
  ['suspend'],
  ['reinstate'],
  ['revoke'],
  ['cancel'],
  ['resume'],
  ['license/rotate'],
  ['license/revoke'],
  ['license/move', { to: 'ent_1' }],
];

/** The requests that fill the store before the refused ones. */
const setup: readonly (readonly [request: string, body?: object])[] = [
  ['PUT /admin/products/prod_1', { name: 'Sketchpad' }],
  ['PUT /admin/products/prod_2', { name: 'Metronome' }],
  ['PUT /admin/products/prod_1/tiers/team', { trial: '14d' }],
  ...['app-keys', 'operators'].flatMap((kind) => {
    const [path, of] =
      kind === 'operators' ? ['/admin/operators', { name: 'One' }] : ['/admin/products/prod_1/app-keys', {}];
    return [
      [`POST ${path}`, { ...of, id: 'live' }],
      [`POST ${path}`, { ...of, id: 'ended' }],
      [`POST /admin/${kind}/ended/revoke`],
    ] as const;
  }),
  ...['ada', 'bob', 'gone'].map((handle) => {
    return ['POST /admin/affiliates', { email: `${handle}@example.com`, handle, name: handle }] as const;
  }),
  ['POST /admin/affiliates/gone/end'],
  ['PUT /admin/listings/promoted', { ...written, productId: 'prod_1', commissionFor: 'lifetime' }],
  ['PUT /admin/listings/of-none', written],
  ['PUT /admin/promotions/ada/promoted', { codes: ['ADA20'] }],
  ['PUT /admin/entitlements/ent_1', { ...grant, licenseKey, reference: 'sub_1' }],
  ['PUT /admin/entitlements/ent_1/sale', sale],
  ...['revoked', 'canceling', 'suspended'].map((id) => [`PUT /admin/entitlements/${id}`, grant] as const),
  ['PUT /admin/entitlements/bought', { ...grant, billingInterval: 'one_time' }],
  ['PUT /admin/entitlements/unlicensed', grant],
  ['POST /admin/entitlements/unlicensed/license/revoke'],
  ['PUT /admin/entitlements/lapsed', { ...grant, licenseKey: `${licenseKey}-lapsed` }],
  ['POST /admin/entitlements/lapsed/suspend'],
  ['PUT /admin/entitlements/full', { ...grant, licenseKey: `${licenseKey}-full`, deviceLimit: 1 }],
  ['POST /admin/entitlements/full/receipts', { deviceId: 'machine-1' }],
  ['PUT /admin/entitlements/ended', { ...grant, currentPeriodStart: at(-60), currentPeriodEnd: at(-30) }],
  ['POST /admin/entitlements/revoked/revoke'],
  ['POST /admin/entitlements/canceling/cancel'],
  ['POST /admin/entitlements/suspended/suspend'],
  ['PUT /admin/entitlements/sub_1', grant],
  ['PUT /admin/stripe/prices/price_1', { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' }],
  ['PUT /admin/listings/tidy', { ...written, id: 'lst_1' }],
  ['POST /admin/webhooks', { id: 'whk_1', url }],
  ['POST /admin/webhooks', { id: 'disabled', url }],
  ['POST /admin/webhooks/disabled/disable'],
  ...Array.from({ length: 9 }, () => ['POST /admin/webhooks/whk_1/rotate-secret'] as const),
];

const ofKeys = (path: string, keys: string, body: object, kind: 'app_key' | 'operator_key'): readonly Row[] => [
  [`POST ${keys}/none/rotate`, {}, `${kind}_not_found`],
  [`POST ${keys}/none/revoke`, undefined, `${kind}_not_found`],
  [`POST ${keys}/ended/rotate`, undefined, `${kind}_ended`],
  [`POST ${path}`, { ...body, id: 'live' }, `${kind}_exists`],
  [`POST ${keys}/live/rotate`, { newId: 'live' }, `${kind}_exists`],
  [`POST ${path}`, { ...body, expiresAt: noon.toISOString() }, 'expiry_too_early'],
  [`POST ${keys}/live/rotate`, { expiresAt: noon.toISOString() }, 'expiry_too_early'],
];

const putting = (more: object, code: ErrorCode, id = 'ent_2'): Row => [
  `PUT /admin/entitlements/${id}`,
  { ...grant, ...more },
  code,
];

/** Longer as JSON than the features that an entitlement may have of its own, and shorter than those of a tier. */
const longFeatures = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(100)]));

const rows: readonly Row[] = [
  ['POST /admin/entitlements/ent_1/allow', { features: longFeatures }, 'too_many_features'],
  ['POST /admin/operators', { name: 'One', products: ['prod_1'], scopes: ['admin:waitlist'] }, 'limited_key'],
  ['GET /admin/products/none/app-keys', undefined, 'product_not_found'],
  ['POST /admin/products/none/app-keys', {}, 'product_not_found'],
  ['GET /admin/products/none/tiers', undefined, 'product_not_found'],
  ['PUT /admin/products/none/tiers/pro', {}, 'product_not_found'],
  ['GET /admin/products/prod_1/tiers/pro', undefined, 'tier_not_found'],
  ['PUT /admin/products/prod_1/tiers/pro', { trial: '14d' }, 'trial_exists'],
  ['GET /admin/products/none/trials', undefined, 'product_not_found'],
  ['GET /admin/trials/trial_none', undefined, 'trial_not_found'],
  ['POST /admin/trials/trial_none/extend', { endsAt: at(1) }, 'trial_not_found'],
  ['POST /admin/trials/trial_none/end', undefined, 'trial_not_found'],
  [`POST /admin/trials/${aTrial().id}/extend`, { endsAt: at(91) }, 'trial_too_long'],
  ...ofKeys('/admin/products/prod_2/app-keys', '/admin/app-keys', {}, 'app_key'),
  ...ofKeys('/admin/operators', '/admin/operators', { name: 'Another' }, 'operator_key'),
  putting({ tierId: 'team' }, 'entitlement_exists', 'ent_1'),
  putting({ reference: 'sub_1' }, 'reference_exists'),
  putting({ licenseKey }, 'license_key_exists'),
  putting({ licenseKey: 'short' }, 'invalid_license_key'),
  putting({ productId: 'none' }, 'product_not_found'),
  putting({ currentPeriodEnd: at(-1) }, 'period_end_too_early'),
  putting({ billingInterval: 'one_time', grace: '1h' }, 'not_for_a_purchase'),
  putting({ billingInterval: 'one_time', billingIntervalCount: 1 }, 'not_for_a_purchase'),
  putting({ accessEndsAt: at(30) }, 'not_for_a_subscription'),
  putting({ billingInterval: 'one_time', accessEndsAt: at(30), currentPeriodEnd: at(31) }, 'not_for_a_purchase'),
  putting({ billingInterval: 'one_time', accessEndsAt: at(-1) }, 'period_end_too_early'),
  ['GET /admin/entitlements/none', undefined, 'entitlement_not_found'],
  ['GET /admin/entitlements/none/history', undefined, 'entitlement_not_found'],
  ['GET /admin/entitlements/none/stripe', undefined, 'entitlement_not_found'],
  ['GET /admin/entitlements/ent_1/stripe', undefined, 'not_sold_by_stripe'],
  ['POST /admin/licenses/find', { licenseKey: 'an-unknown-license-key-of-none' }, 'license_not_found'],
  ['POST /admin/licenses/find', { licenseKey: 'short' }, 'invalid_license_key'],
  ...changes.map(([each, body]): Row => [`POST /admin/entitlements/none/${each}`, body, 'entitlement_not_found']),
  ['POST /admin/entitlements/ent_1/renew', { currentPeriodEnd: at(30) }, 'period_end_too_early'],
  ['POST /admin/entitlements/revoked/renew', end, 'entitlement_revoked'],
  ['POST /admin/entitlements/canceling/renew', end, 'cancellation_scheduled'],
  ['POST /admin/entitlements/bought/renew', end, 'not_a_subscription'],
  ['POST /admin/entitlements/bought/cancel', undefined, 'not_a_subscription'],
  ['POST /admin/entitlements/bought/resume', undefined, 'not_a_subscription'],
  ['POST /admin/entitlements/bought/change-tier', { ...tier, grace: '1d' }, 'not_a_subscription'],
  ['POST /admin/entitlements/bought/change-tier', { ...tier, billingIntervalCount: 2 }, 'not_a_subscription'],
  ['POST /admin/entitlements/ent_1/change-tier', { ...tier, currentPeriodEnd: at(-1) }, 'period_end_too_early'],
  ...['suspend', 'past-due', 'cancel', 'resume', 'change-tier'].map((each): Row => [
    `POST /admin/entitlements/ended/${each}`,
    each === 'change-tier' ? tier : undefined,
    'entitlement_ended',
  ]),
  ['POST /admin/entitlements/sub_1/renew', end, 'managed_by_stripe'],
  ['POST /admin/entitlements/sub_1/change-tier', tier, 'managed_by_stripe'],
  ['POST /admin/entitlements/sub_1/past-due', undefined, 'managed_by_stripe'],
  ['POST /admin/entitlements/suspended/past-due', undefined, 'entitlement_not_current'],
  ['POST /admin/entitlements/bought/license/rotate', { licenseKey }, 'license_key_exists'],
  ['POST /admin/entitlements/bought/license/rotate', { licenseKey: 'short' }, 'invalid_license_key'],
  ['POST /admin/entitlements/bought/mail', { what: 'key' }, 'license_key_unknown'],
  ['POST /admin/entitlements/ended/license/move', { to: 'none' }, 'entitlement_not_found'],
  ['POST /admin/entitlements/ended/license/move', { to: 'revoked' }, 'entitlement_ended'],
  ['POST /admin/entitlements/bought/license/move', { to: 'ent_1' }, 'entitlement_not_ended'],
  ['POST /admin/entitlements/none/receipts', undefined, 'entitlement_not_found'],
  ['POST /admin/entitlements/unlicensed/receipts', undefined, 'license_not_found'],
  ['POST /admin/entitlements/lapsed/receipts', undefined, 'no_access'],
  ['POST /admin/entitlements/full/receipts', { deviceId: 'machine-2' }, 'device_limit'],
  ...['', '/end', '/erase', '/links'].map((each): Row => [
    `${each === '' ? 'GET' : 'POST'} /admin/affiliates/nobody${each}`,
    undefined,
    'affiliate_not_found',
  ]),
  ['DELETE /admin/affiliates/nobody/links', undefined, 'affiliate_not_found'],
  ['PUT /admin/affiliates/nobody', { name: 'Eve', email: 'eve@example.com' }, 'affiliate_not_found'],
  ['PUT /admin/affiliates/ada', { name: 'Ada', email: 'BOB@example.com' }, 'affiliate_exists'],
  ['PUT /admin/affiliates/ada', { name: 'Ada', email: 'ädä@example.com' }, 'invalid_email'],
  ['POST /admin/affiliates', { email: 'ADA@example.com', handle: 'other', name: 'Ada' }, 'affiliate_exists'],
  ['POST /admin/affiliates', { email: 'eve@example.com', handle: 'ada', name: 'Eve' }, 'handle_taken'],
  ['POST /admin/affiliates', { email: 'gone@example.com', handle: 'gone', name: 'Eve' }, 'affiliate_ended'],
  ['POST /admin/affiliates/gone/links', undefined, 'affiliate_ended'],
  ['PUT /admin/promotions/gone/promoted', {}, 'affiliate_ended'],
  ['PUT /admin/promotions/nobody/promoted', {}, 'affiliate_not_found'],
  ['PUT /admin/promotions/ada/none', {}, 'listing_not_found'],
  ['PUT /admin/promotions/ada/of-none', {}, 'listing_not_promotable'],
  ['PUT /admin/promotions/bob/promoted', { codes: ['Ada20'] }, 'code_exists'],
  ['PUT /admin/promotions/ada/promoted', { codes: manyCodes }, 'too_many_codes'],
  ['POST /admin/promotions/bob/promoted/approve', undefined, 'promotion_not_found'],
  ['POST /admin/promotions/bob/promoted/end', undefined, 'promotion_not_found'],
  ['GET /admin/entitlements/bought/sale', undefined, 'sale_not_found'],
  ['POST /admin/entitlements/bought/sale/void', { reason: 'Fraud' }, 'sale_not_found'],
  ['POST /admin/entitlements/bought/sale/restore', undefined, 'sale_not_found'],
  ...(['PUT /admin/entitlements/ID/sale', 'POST /admin/entitlements/ID/sale/assign'] as const).flatMap(
    (request): Row[] => {
      const body = request.startsWith('PUT') ? sale : { handle: 'ada' };
      return [
        [request.replace('ID', 'none'), body, 'entitlement_not_found'],
        [request.replace('ID', 'bought'), { ...body, handle: 'nobody' }, 'affiliate_not_found'],
        [request.replace('ID', 'bought'), { ...body, handle: 'bob' }, 'promotion_not_found'],
      ];
    },
  ),
  ['PUT /admin/entitlements/ent_1/sale', { ...sale, currency: 'eur' }, 'sale_attributed'],
  ['POST /admin/statements/close', { month: '2999-01' }, 'month_not_over'],
  ['GET /admin/statements/none', undefined, 'statement_not_found'],
  ['GET /admin/statements/none/lines', undefined, 'statement_not_found'],
  ['POST /admin/statements/none/paid', payment, 'statement_not_found'],
  ['POST /admin/statements/none/unpaid', undefined, 'statement_not_found'],
  [`POST /admin/statements/${paid.id}/paid`, payment, 'statement_paid'],
  [`POST /admin/statements/${carried.id}/paid`, payment, 'nothing_to_pay'],
  ['POST /admin/waitlist/invite', { email: 'bob@example.com', products: ['prod_1'] }, 'signup_not_found'],
  ['POST /admin/waitlist/invite', { email: 'bob@example.com', products: ['none'] }, 'product_not_found'],
  ['POST /admin/signing-keys/rotate', { from: 'none' }, 'signing_key_not_found'],
  ['POST /admin/signing-keys/none/revoke', undefined, 'signing_key_not_found'],
  ['POST /admin/listings/none/publish', undefined, 'listing_not_found'],
  ['POST /admin/listings/none/pause', undefined, 'listing_not_found'],
  ['PUT /admin/listings/other', { ...written, id: 'lst_1' }, 'listing_exists'],
  ['POST /admin/webhooks', { id: 'whk_1', url: 'https://shop.example/' }, 'webhook_exists'],
  ['POST /admin/webhooks', { url, productId: 'none' }, 'product_not_found'],
  ['GET /admin/webhooks/none', undefined, 'webhook_not_found'],
  ...['rotate-secret', 'enable', 'disable', 'test', 'retry'].map((each): Row => [
    `POST /admin/webhooks/none/${each}`,
    undefined,
    'webhook_not_found',
  ]),
  ['POST /admin/webhooks/disabled/retry', undefined, 'webhook_disabled'],
  ['POST /admin/webhooks/whk_1/rotate-secret', undefined, 'too_many_secrets'],
  ...(['replay', 'skip'] as const).flatMap((each): readonly Row[] => {
    const member = each === 'replay' ? 'from' : 'to';
    return [
      [`POST /admin/webhooks/none/${each}`, { productId: 'prod_1', [member]: '0-' }, 'webhook_not_found'],
      [`POST /admin/webhooks/whk_1/${each}`, { productId: 'none', [member]: '0-' }, 'product_not_found'],
      [`POST /admin/webhooks/whk_1/${each}`, { productId: 'prod_1', [member]: '1-12345678' }, 'cursor_unknown'],
    ];
  }),
];

/** Codes whose requests other tests of this folder send, and those of mail. */
const elsewhere = [
  'invalid_operator_key',
  'invalid_parameter',
  'changed_meanwhile',
  'entitlement_canceled',
  'mail_unavailable',
  'buyer_address_unknown',
  // These take 200 promotions, and 49 terms: test/core/affiliate.
  'too_many_promotions',
  'too_many_terms',
  // It takes a closed month: test/core/affiliate.
  'sale_stated',
];

async function outcome(admin: AdminClient, request: string, body?: object): Promise<readonly unknown[]> {
  const [method = '', path = ''] = request.split(' ');
  return outcomeOf(await admin.send(method, path, { body }));
}

function refusal(code: ErrorCode): readonly unknown[] {
  const [status, message] = refusals[code];
  return [status, code, message];
}

describe('the refusals of the administration', () => {
  const admin = freshAdmin(memory);

  it('have the status and the message of their code, and change nothing', async () => {
    for (const [request, body] of setup) expect((await outcome(admin(), request, body))[0]).to.be.oneOf([200, 201]);
    await admin().service.container.get(tokens.trials).add(aTrial(), aCall());
    await admin().service.grant(aSubscription({ id: 'ent_3', sequence: 1 }));
    for (const statement of [paid, carried]) await addStatement(portsIn(admin().service.container), statement);
    const logged = admin().changes.length;
    for (const [request, body, code] of rows) {
      const [status, name, message] = await outcome(admin(), request, body);
      const own = /^not_for_a_|^invalid_email$/.test(code) ? message : refusal(code)[2];
      const title = `${request} ${JSON.stringify(body)}`;
      expect([status, name, message], title).to.deep.equal([...refusal(code).slice(0, 2), own]);
    }
    expect(admin().changes.length).to.equal(logged);
    admin().service.now = new Date(noon.getTime() + 40 * day);
    const canceled = await outcome(admin(), 'POST /admin/entitlements/canceling/renew', end);
    expect(canceled).to.deep.equal(refusal('entitlement_canceled'));
  });

  it('are tested for every code', () => {
    const tested = [...rows.map(([, , code]) => code), ...elsewhere];
    expect(Object.keys(administrationRefusals).filter((code) => !tested.includes(code))).to.deep.equal([]);
  });
});

describe('a change of an entitlement that others keep changing', () => {
  let isCrowded = false;
  const crowd = async (method: string): Promise<void> => {
    if (['replace', 'move'].includes(method) && isCrowded) throw new Refusal('changed_meanwhile');
  };
  const rebind: NonNullable<ServiceOptions['rebind']> = (container) => {
    const { allEntitlements, licenseMoves } = tokens;
    const crowded = interposed(container.get<AllEntitlements>(allEntitlements), crowd);
    const crowdedMoves = interposed(container.get<LicenseMoves>(licenseMoves), crowd);
    container.rebind(allEntitlements).toConstantValue(crowded);
    container.rebind(licenseMoves).toConstantValue(crowdedMoves);
  };
  const admin = freshAdmin(memory, { rebind });

  it('is refused, whichever change it is', async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    for (const [index, [operation, body]] of changes.entries()) {
      const path = `/admin/entitlements/ent_${index}`;
      await admin().put(path, grant);
      if (operation === 'reinstate') await admin().post(`${path}/suspend`);
      if (operation === 'license/move') await admin().post(`${path}/revoke`);
      if (operation === 'resume') await admin().post(`${path}/cancel`);
      isCrowded = true;
      const refused = outcomeOf(await admin().post(`${path}/${operation}`, body));
      expect(refused, operation).to.deep.equal(refusal('changed_meanwhile'));
      isCrowded = false;
      expect((await admin().post(`${path}/${operation}`, body)).status, operation).to.equal(200);
    }
  });
});
