import { expect } from 'chai';
import { NotFoundError } from '../../client/index.ts';
import { startLatchkey, type Latchkey, type StartOptions } from '../../testing/index.ts';
import { thrownBy } from '../support/thrown.ts';

describe('startLatchkey', () => {
  const running: Latchkey[] = [];
  const start = async (options?: StartOptions): Promise<Latchkey> => {
    const latchkey = await startLatchkey(options);
    running.push(latchkey);
    return latchkey;
  };
  afterEach(async () => {
    for (const latchkey of running.splice(0)) await latchkey.stop();
  });

  it('ends a canceled subscription with its period', async () => {
    const latchkey = await start({ now: '2026-01-31T00:00:00Z' });
    const { entitlement, licenseKey } = await latchkey.grant({ productId: 'sketchpad' });
    expect(entitlement.currentPeriodEnd).to.equal('2026-02-28T00:00:00.000Z');
    const { entitlements, licenses } = latchkey.client('sketchpad');
    await entitlements.cancel(entitlement.id);
    await latchkey.clock.set('2026-02-27T23:59:59.999Z');
    expect((await licenses.verify(licenseKey)).verdict).to.equal('valid');
    await latchkey.clock.advance('1s');
    expect(await licenses.verify(licenseKey)).to.include({ verdict: 'invalid', reason: 'no_access' });
    expect(await entitlements.get(entitlement.id)).to.include({
      status: 'canceled',
      endedAt: '2026-02-28T00:00:00.000Z',
    });
  });

  it('announces each end of access three days before it, whatever the clock jumps over', async () => {
    const latchkey = await start({ now: '2026-01-31T00:00:00Z' });
    const { entitlement } = await latchkey.grant({ productId: 'sketchpad' });
    await latchkey.grant({ productId: 'sketchpad', billingInterval: 'one_time' });
    await latchkey.grant({ productId: 'trials', status: 'trialing', billingInterval: 'day' });
    await latchkey.clock.set('2026-02-25T23:59:59Z');
    const announced = async (product: string): Promise<unknown> =>
      (await latchkey.events(product)).flatMap((event) =>
        event.type === 'entitlement.ending_soon' ? [[event.timestamp, event.data.reason, event.data.endsAt]] : [],
      );
    expect(await announced('sketchpad')).to.deep.equal([]);
    expect(await announced('trials')).to.deep.equal([
      ['2026-01-31T00:00:00.000Z', 'trial', '2026-02-02T00:00:00.000Z'],
    ]);
    await latchkey.clock.advance('1s');
    const unpaid = ['2026-02-26T00:00:00.000Z', 'unpaid', '2026-03-01T00:00:00.000Z'];
    expect(await announced('sketchpad')).to.deep.equal([unpaid]);
    await latchkey.client('sketchpad').entitlements.cancel(entitlement.id);
    await latchkey.clock.advance('31d');
    const canceled = ['2026-02-26T00:00:00.000Z', 'canceled', '2026-02-28T00:00:00.000Z'];
    expect(await announced('sketchpad')).to.deep.equal([unpaid, canceled]);
  });

  it('grants whatever the administration grants', async () => {
    const { grant, client } = await start({ now: new Date('2026-07-18T12:00:00Z') });
    const licenseKey = 'a-license-key-of-a-merchant';
    const made = await grant({
      productId: 'metronome',
      id: 'ent_shop_1',
      licenseKey,
      tierId: 'team',
      tierName: 'Team',
      billingInterval: 'year',
      status: 'trialing',
      currentPeriodStart: '2026-07-01T00:00:00Z',
      currentPeriodEnd: new Date('2026-08-01T00:00:00Z'),
      grace: '3d',
      reference: 'sub_1',
    });
    expect(made.licenseKey).to.equal(licenseKey);
    expect(made.entitlement).to.deep.include({
      id: 'ent_shop_1',
      productId: 'metronome',
      kind: 'subscription',
      status: 'trialing',
      tierId: 'team',
      billingInterval: 'year',
      currentPeriodStart: '2026-07-01T00:00:00.000Z',
      currentPeriodEnd: '2026-08-01T00:00:00.000Z',
      createdAt: '2026-07-18T12:00:00.000Z',
    });
    expect(await client('metronome').entitlements.get('ent_shop_1')).to.deep.equal(made.entitlement);
    const purchase = await grant({ productId: 'metronome', billingInterval: 'one_time' });
    expect(purchase.entitlement).to.include({ kind: 'one_time', tierId: 'pro', currentPeriodEnd: null });
  });

  it('ends a purchase that was for a time, and says until when there are updates', async () => {
    const { grant, clock, client, events } = await start();
    const accessEndsAt = new Date(clock.now().getTime() + 10 * 86_400_000);
    const terms = { productId: 'metronome', id: 'ent_term', billingInterval: 'one_time' } as const;
    const { entitlement } = await grant({ ...terms, accessEndsAt, updatesUntil: accessEndsAt });
    const instant = accessEndsAt.toISOString();
    expect(entitlement).to.include({ kind: 'one_time', accessEndsAt: instant, updatesUntil: instant, endedAt: null });
    await clock.advance('10d');
    const ended = await client('metronome').entitlements.get('ent_term');
    expect(ended).to.include({ status: 'expired', active: false, endedAt: instant, currentPeriodEnd: null });
    const own = (await events('metronome')).filter(({ data }) => data.entitlement.id === 'ent_term');
    expect(own.map(({ type, data }) => [type, 'reason' in data ? data.reason : undefined])).to.deep.equal([
      ['entitlement.granted', undefined],
      ['entitlement.ending_soon', 'fixed_term'],
      ['entitlement.ended', 'expired'],
    ]);
  });

  it('declares what a tier allows, which entitlements have at once', async () => {
    const { grant, putTier, client } = await start();
    const { entitlement, licenseKey } = await grant({ productId: 'sketchpad' });
    expect(entitlement).not.to.have.property('features');
    const trial = '14d';
    const tier = await putTier({
      productId: 'sketchpad',
      deviceLimit: 1,
      features: { sso: true, projects: 20 },
      trial,
    });
    const allowed = { deviceLimit: 1, features: { projects: 20, sso: true } };
    expect(tier).to.deep.equal({ id: 'pro', ...allowed, trial, revision: 1 });
    const { entitlements, licenses } = client('sketchpad');
    expect(await entitlements.get(entitlement.id)).to.deep.include(allowed);
    expect(await licenses.activate(licenseKey, { deviceId: 'machine-1' })).to.deep.include(allowed);
    expect(await putTier({ productId: 'sketchpad' })).to.deep.include({ deviceLimit: null, features: {}, revision: 2 });
    expect(await putTier({ productId: 'metronome', id: 'team' })).to.deep.include({ id: 'team', revision: 1 });
    expect((await grant({ productId: 'metronome', tierId: 'team' })).entitlement).not.to.have.property('features');
  });

  it('says what is wrong with a tier', async () => {
    const { putTier } = await start();
    const wrong = { productId: 'sketchpad', id: 'a b', deviceLimit: 0, features: { Sso: true } };
    expect(String(await thrownBy(putTier(wrong)))).to.match(
      /^TypeError: id must be .* deviceLimit must be .* features must be /,
    );
    expect(String(await thrownBy(putTier({ productId: 'no id' })))).to.match(/^TypeError: productId must be /);
  });

  it('says what is wrong with a grant', async () => {
    const { grant } = await start();
    const wrong = { productId: 'sketchpad', tierId: 'a b', currentPeriodEnd: new Date(Number.NaN), grace: '1y' };
    expect(String(await thrownBy(grant(wrong)))).to.match(
      /^TypeError: tierId must be .* currentPeriodEnd must be .* grace must be /,
    );
    expect(String(await thrownBy(grant({ productId: 'no id' })))).to.match(/^TypeError: productId must be /);
    expect(String(await thrownBy(grant({ productId: 'p', billingInterval: 'one_time', grace: '1d' })))).to.equal(
      'TypeError: grace cannot be combined with billingInterval one_time, which has no intervals.',
    );
    await grant({ productId: 'sketchpad', id: 'ent_1' });
    expect(String(await thrownBy(grant({ productId: 'sketchpad', id: 'ent_1' })))).to.equal(
      'TypeError: There is an entitlement with this id already.',
    );
  });

  it('has a clock that stands still and goes where it is moved', async () => {
    const { clock, grant } = await start({ now: '2026-01-31T01:00:00+01:00' });
    expect(clock.now().toISOString()).to.equal('2026-01-31T00:00:00.000Z');
    await clock.advance('90m');
    expect((await grant({ productId: 'sketchpad' })).entitlement.createdAt).to.equal('2026-01-31T01:30:00.000Z');
    await clock.set(new Date('2025-01-01T00:00:00Z'));
    clock.now().setFullYear(1999);
    expect(clock.now().toISOString()).to.equal('2025-01-01T00:00:00.000Z');
    for (const wrong of ['1y', '-1d', '']) expect(await thrownBy(clock.advance(wrong))).to.be.instanceOf(RangeError);
    for (const wrong of ['tomorrow', '2026-02-30T00:00:00Z', new Date(Number.NaN)])
      expect(await thrownBy(clock.set(wrong)), String(wrong)).to.be.instanceOf(RangeError);
    expect(await thrownBy(startLatchkey({ now: '2026-01-31' }))).to.be.instanceOf(RangeError);
  });

  it('keeps products apart, and services', async () => {
    const [one, other] = [await start(), await start()];
    const { entitlement } = await one.grant({ productId: 'sketchpad' });
    for (const client of [one.client('metronome'), other.client('sketchpad')])
      expect(await thrownBy(client.entitlements.get(entitlement.id))).to.be.instanceOf(NotFoundError);
    expect(one.appKey('sketchpad')).to.equal(one.appKey('sketchpad')).and.to.not.equal(one.appKey('metronome'));
    expect(() => one.client('no id')).to.throw(TypeError);
  });

  it('serves the administration, to the operator key', async () => {
    const { adminUrl, operatorKey, grant } = await start();
    const { entitlement } = await grant({ productId: 'sketchpad' });
    const headers = { Authorization: `Bearer ${operatorKey}` };
    const suspended = await fetch(`${adminUrl}/admin/entitlements/${entitlement.id}/suspend`, {
      method: 'POST',
      headers,
    });
    expect(suspended.status).to.equal(200);
  });

  it('has the events of what ended in the feed once the clock has moved', async () => {
    const { grant, client, clock } = await start({ now: '2026-01-31T00:00:00Z' });
    await grant({ productId: 'sketchpad', billingInterval: 'week' });
    const typesInFeed = async (): Promise<readonly string[]> =>
      (await client('sketchpad').events.list()).data.map(({ type }) => type);
    await clock.advance('7d');
    expect(await typesInFeed()).to.deep.equal([
      'entitlement.granted',
      'entitlement.ending_soon',
      'entitlement.past_due',
    ]);
    await clock.set('2026-02-08T00:00:00Z');
    const all = ['entitlement.granted', 'entitlement.ending_soon', 'entitlement.past_due', 'entitlement.ended'];
    expect(await typesInFeed()).to.deep.equal(all);
    await clock.set('2026-01-31T00:00:00Z');
    expect(await typesInFeed()).to.deep.equal(all);
  });

  it('shows the events, with those of the clock at once', async () => {
    const { grant, client, clock, events } = await start({ now: '2026-01-31T00:00:00Z' });
    const { entitlement } = await grant({ productId: 'sketchpad' });
    await client('sketchpad').entitlements.cancel(entitlement.id);
    await clock.set('2026-02-28T00:00:00Z');
    await grant({ productId: 'metronome' });
    const ofSketchpad = await events('sketchpad');
    expect(ofSketchpad.map(({ type, timestamp, data }) => [type, timestamp, data.by.split(':')[0]])).to.deep.equal([
      ['entitlement.granted', '2026-01-31T00:00:00.000Z', 'command'],
      ['entitlement.cancellation_scheduled', '2026-01-31T00:00:00.000Z', 'app-key'],
      ['entitlement.ending_soon', '2026-02-25T00:00:00.000Z', 'clock'],
      ['entitlement.ended', '2026-02-28T00:00:00.000Z', 'clock'],
    ]);
    const ended = ofSketchpad.at(-1);
    expect(ended?.type === 'entitlement.ended' && ended.data.reason).to.equal('canceled');
    expect((await events()).map(({ data }) => data.entitlement.productId)).to.deep.equal([
      'sketchpad',
      'sketchpad',
      'sketchpad',
      'sketchpad',
      'metronome',
    ]);
  });

  it('answers nobody after it has stopped', async () => {
    const latchkey = await startLatchkey();
    await latchkey.stop();
    expect(await thrownBy(fetch(latchkey.url))).to.be.instanceOf(TypeError);
  });
});
