import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { deviceOf } from '../../../../core/device/device.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import type { Features } from '../../../../core/tier/features.ts';
import { tierEvent } from '../../../../core/tier/tier-event.ts';
import { termsOf } from '../../../../core/tier/tier.ts';
import { trialOf } from '../../../../core/trial/trial.ts';
import { aCall, aLicense, aProduct, aSubscription, aTrial, day, hour, later, noon } from '../../../support/builders.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { corsHeaders, refused, succeeded } from '../../../support/http/replies.ts';
import { json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { claimsOf, isSignedByOneOf } from '../../../support/receipts/read-receipt.ts';
import { memory } from '../../../support/stores/stores.ts';

const publicUrl = 'https://latchkey.test/shop';
const laptop = { productId: 'prod_1', deviceId: 'laptop-0001' };
const device = (number: number) => ({ ...laptop, deviceId: `device-${1000 + number}` });
const notOffered = refused(404, 'trial_not_offered', 'The product offers no trial.', corsHeaders);
const ended = (at: Date): Reply => refused(409, 'trial_ended', `The trial ended at ${at.toISOString()}.`, corsHeaders);

function post(service: TestService, operation: string, body: unknown): Promise<Reply> {
  return service.send(`/api/licenses/${operation}`, { method: 'POST', headers: [json], body: JSON.stringify(body) });
}

/** Offers a trial of `prod_1`, or none. */
async function offer(
  { container }: TestService,
  trial: number | null = 14 * day,
  id = 'pro',
  features: Features = { sso: true },
): Promise<void> {
  await container.get(tokens.products).add(aProduct({ id: 'prod_1' }), aCall());
  const tiers = container.get(tokens.keptTiers);
  const seen = await tiers.find('prod_1', id, aCall());
  const terms = termsOf({ trial, features });
  const next = { productId: 'prod_1', id, terms, revision: (seen?.revision ?? 0) + 1 };
  await tiers.replace(next, tierEvent(seen, next, aCall(), randomUUID), aCall());
}

const dataOf = ({ body }: Reply) => (body as { readonly data: Readonly<Record<string, string>> }).data;

describe('a trial', () => {
  const service = freshService(memory, { publicUrl, rateLimits: {} });
  const start = (body: unknown = laptop): Promise<Reply> => post(service(), 'trial', body);
  const stored = (id = trialOf('prod_1', 'laptop-0001', digest)) =>
    service().container.get(tokens.trials).find(id, aCall());

  it('starts with a receipt of its own type, which holds until its end', async () => {
    await offer(service());
    const begin = service().now;
    const reply = await start();
    expect(reply).to.deep.equal(succeeded(reply.body, corsHeaders));
    const id = trialOf('prod_1', 'laptop-0001', digest);
    const endsAt = new Date(begin.getTime() + 14 * day);
    const { receipt, ...facts } = dataOf(reply);
    expect(facts).to.deep.equal({
      trial: id,
      tierId: 'pro',
      startedAt: begin.toISOString(),
      endsAt: endsAt.toISOString(),
      features: { sso: true },
    });
    const { receipt: text = '', ...times } = receipt as unknown as Record<string, string>;
    expect(times).to.deep.equal({
      issuedAt: begin.toISOString(),
      refreshAfter: new Date(begin.getTime() + 7 * day).toISOString(),
      expiresAt: endsAt.toISOString(),
    });
    const [head = ''] = text.split('.');
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).to.include({ typ: 'trial-receipt+jwt' });
    const { jti, ...claims } = claimsOf(text);
    expect(claims).to.deep.equal({
      iss: publicUrl,
      aud: 'prod_1',
      sub: id,
      iat: begin.getTime() / 1000,
      exp: endsAt.getTime() / 1000,
      mode: 'trial',
      device: deviceOf(id, 'laptop-0001', digest),
      entitlement: {
        id,
        productId: 'prod_1',
        status: 'trialing',
        tierId: 'pro',
        tierName: 'pro',
        billingInterval: 'one_time',
        accessEndsAt: endsAt.toISOString(),
        features: { sso: true },
      },
    });
    expect(jti).to.match(/^rct_/);
    const { body } = await service().send('/.well-known/jwks.json');
    expect(isSignedByOneOf(text, body as { readonly keys: readonly object[] })).to.equal(true);
    expect(JSON.stringify(claims)).not.to.include('laptop-0001');
  });

  it('is the same for the same device, with the rest of its days, though the offer changes or goes', async () => {
    await offer(service());
    const { trial, endsAt } = dataOf(await start());
    await offer(service(), 30 * day);
    service().now = new Date(service().now.getTime() + 3 * day);
    for (const length of [30 * day, null]) {
      await offer(service(), length);
      expect(dataOf(await start())).to.deep.include({ trial, endsAt });
    }
    expect(await start({ ...laptop, deviceId: 'another-device' })).to.deep.equal(notOffered);
  });

  it('ends on the second that it said, rounded down, and does not begin again', async () => {
    service().now = later(999);
    await offer(service(), hour);
    const { endsAt = '' } = dataOf(await start());
    const end = new Date(endsAt);
    expect(end).to.deep.equal(later(hour));
    service().now = new Date(end.getTime() - 1001);
    expect((await start()).status).to.equal(200);
    service().now = end;
    expect(await start()).to.deep.equal(ended(end));
    service().now = new Date(end.getTime() + 100 * day);
    expect(await start()).to.deep.equal(ended(end));
  });

  it('is not offered by an unknown product and by one without a trial, in the same words', async () => {
    await offer(service(), null);
    for (const productId of ['prod_1', 'none', '', 'a b']) {
      expect(await start({ ...laptop, productId })).to.deep.equal(notOffered);
    }
  });

  it('has no features where the tier has none', async () => {
    await offer(service(), 14 * day, 'pro', {});
    const { receipt, ...facts } = dataOf(await start());
    expect(facts).not.to.have.property('features');
    const { receipt: text = '' } = receipt as unknown as Record<string, string>;
    expect(claimsOf(text)['entitlement']).not.to.have.property('features');
  });

  it('of two tiers is that of the first by id', async () => {
    await offer(service(), 30 * day, 'team');
    await offer(service(), 14 * day, 'pro');
    expect(dataOf(await start())).to.include({ tierId: 'pro' });
  });

  it('needs a product and a device', async () => {
    for (const [body, member] of [
      [{ productId: 'prod_1' }, 'deviceId'],
      [{ ...laptop, deviceId: 'short' }, 'deviceId'],
      [{ ...laptop, deviceId: 'with a space' }, 'deviceId'],
      [{ ...laptop, deviceId: 7 }, 'deviceId'],
      [{ ...laptop, productId: 7 }, 'productId'],
      [{ ...laptop, productId: null }, 'productId'],
      [{ deviceId: 'laptop-0001' }, 'productId'],
      ...[null, 'text', 7, []].map((other) => [other, 'The request body must be a JSON object.'] as const),
    ] as const) {
      const { status, headers, body: answer } = await start(body);
      expect([status, headers['error-code']]).to.deep.equal([400, 'invalid_body']);
      expect((answer as { readonly error: string }).error).to.match(new RegExp(`^${member}(?: |$)`));
    }
    expect(await stored()).to.equal(null);
  });

  it('is new 20 times a minute for an address, also without limits of requests; known devices do not count', async () => {
    await offer(service());
    for (const number of range(20)) expect((await start(device(number))).status).to.equal(200);
    const refusal = await start(device(20));
    expect([refusal.status, refusal.headers['error-code']]).to.deep.equal([429, 'rate_limited']);
    expect(Number(refusal.headers['retry-after'])).to.be.within(1, 60);
    for (const number of range(20)) expect((await start(device(number))).status).to.equal(200);
    expect(await stored(trialOf('prod_1', device(20).deviceId, digest))).to.equal(null);
  });

  it('is noted as bought by the first license of its device, which it never keeps from its seat', async () => {
    await offer(service());
    await start();
    const keys = ['a-license-key-of-a-lady-1', 'a-license-key-of-another-1'];
    const ends = { currentPeriodEnd: later(300 * day), graceUntil: later(300 * day) };
    for (const [index, key] of keys.entries()) {
      const license = aLicense({ digest: licenseDigest(key, digest) });
      await service().grant(aSubscription({ id: `ent_${index}`, license, ...ends }));
    }
    const activate = (licenseKey = '') => post(service(), 'activate', { licenseKey, deviceId: 'laptop-0001' });
    service().now = later(20 * day);
    const { container } = service();
    const trials = container.get(tokens.trials);
    expect((await activate(keys[0])).status).to.equal(200);
    const converted = { at: later(20 * day), entitlementId: 'ent_0' };
    expect((await stored())?.converted).to.deep.equal(converted);
    expect((await activate(keys[1])).status).to.equal(200);
    expect((await stored())?.converted).to.deep.equal(converted);
    // A conversion that a kill has lost is recorded with the use of the next day.
    const lost = { ...aTrial({ id: trialOf('prod_1', 'laptop-0001', digest) }), revision: 3 };
    await trials.replace(lost, aCall());
    await activate(keys[0]);
    expect((await stored())?.converted).to.equal(null);
    service().now = later(21 * day);
    await activate(keys[0]);
    expect((await stored())?.converted).to.deep.equal({ at: later(21 * day), entitlementId: 'ent_0' });
    expect(await start()).to.deep.equal(ended(lost.endsAt));
  });
});

describe('a service without trusted time', () => {
  const distrusting = freshService(memory, {
    rebind: (container) => container.get(tokens.clockTrust).askOf(() => false),
  });

  it('starts no new trial, and goes on with those that there are', async () => {
    await offer(distrusting());
    const id = trialOf('prod_1', 'laptop-0001', digest);
    const { status, headers } = await post(distrusting(), 'trial', laptop);
    expect([status, headers['error-code']]).to.deep.equal([500, 'clock_not_trusted']);
    await distrusting()
      .container.get(tokens.trials)
      .add(aTrial({ id, startedAt: noon }), aCall());
    expect((await post(distrusting(), 'trial', laptop)).status).to.equal(200);
  });
});
