import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { KeptSigningKeys } from '../../../core/receipt/kept-signing-keys.ts';
import { writeReceipt } from '../../../core/receipt/receipt.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { tierTable } from '../../../core/tier/allowance.ts';
import type { DeclaredTier } from '../../../core/tier/tier.ts';
import { convertTrial } from '../../../core/trial/convert-trial.ts';
import { startTrial, type StartedTrial } from '../../../core/trial/start-trial.ts';
import { isTrialId, trialLengthRule, trialOf } from '../../../core/trial/trial.ts';
import type { Trials } from '../../../core/trial/trials.port.ts';
import { aCall, aTrial, day, hour, later, noon } from '../../support/builders.ts';
import { aFreshRing } from '../../support/receipts/key-rings.ts';
import { decoded, readableSignature } from '../../support/receipts/read-receipt.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const id = trialOf('prod_1', 'laptop-0001', digest);
const request = { productId: 'prod_1', deviceId: 'laptop-0001', issuer: 'https://licenses.example' };

/** A tier that offers a trial of `trial` milliseconds; null for none. */
function offering(
  trial: number | null,
  tier: { readonly id?: string; readonly productId?: string } = {},
): DeclaredTier {
  const terms = { deviceLimit: 3, features: { sso: true }, trial };
  return { id: 'pro', productId: 'prod_1', revision: 1, ...tier, terms };
}

describe('startTrial', () => {
  let ports: StorePorts;
  let tiers: readonly DeclaredTier[];
  let isTrusted: boolean;
  let admitted: number;

  beforeEach(async () => {
    ({ ports } = openMemoryStore(retentionFor(defaultTtl)));
    await ports.signingKeys.replace(aFreshRing(), aCall());
    tiers = [offering(14 * day)];
    isTrusted = true;
    admitted = 0;
  });

  function start(
    at = noon,
    { trials = ports.trials, admit = async (): Promise<void> => void (admitted += 1) } = {},
  ): Promise<StartedTrial> {
    const parts = {
      keys: new KeptSigningKeys(ports.signingKeys, () => 0),
      trustsClock: () => isTrusted,
      write: writeReceipt(
        () => 'rct_1',
        (text) => Buffer.from(text).toString('base64url'),
        readableSignature,
      ),
      ttl: 7 * day,
      knownTiers: async () => tierTable(tiers),
    };
    return startTrial(trials, digest, parts)(request, admit, aCall({ now: at }));
  }

  it('stores the trial of the device, and signs a receipt until its end, beyond the longest of a license', async () => {
    const { kind, trial, allowance, receipt } = await start();
    expect(kind).to.equal('started');
    expect(trial).to.deep.equal(aTrial({ id }));
    expect(await ports.trials.find(id, aCall())).to.deep.equal(trial);
    expect(allowance).to.deep.include({ deviceLimit: 3, features: { sso: true } });
    const { receipt: text, ...terms } = receipt;
    expect(terms).to.deep.equal({
      issuedAt: noon,
      refreshAfter: later(7 * day),
      expiresAt: later(14 * day),
      entitlementId: id,
    });
    const { header, claims } = decoded(text);
    expect(JSON.parse(header)).to.include({ typ: 'trial-receipt+jwt', kid: aFreshRing().active.kid });
    const device = deviceOf(id, 'laptop-0001', digest);
    const read = JSON.parse(claims) as { readonly entitlement: object };
    expect(read).to.include({ iss: request.issuer, sub: id, mode: 'trial', device }).and.not.have.property('key');
    expect(read.entitlement).to.include({
      id,
      productId: 'prod_1',
      tierId: 'pro',
      tierName: 'pro',
      status: 'trialing',
      billingInterval: 'one_time',
      accessEndsAt: later(14 * day).toISOString(),
    });
  });

  it('ends at a whole second, rounded down, so that the first day of fourteen says fourteen', async () => {
    const { trial } = await start(later(999));
    expect(trial).to.deep.include({ startedAt: later(999), endsAt: later(14 * day) });
  });

  it('finds the trial that the device has, whatever is offered now, and admits only new ones', async () => {
    await start();
    for (const offered of [[], [offering(null)], [offering(30 * day)]]) {
      tiers = offered;
      const { kind, trial } = await start(later(day));
      expect([kind, trial]).to.deep.equal(['present', aTrial({ id })]);
    }
    isTrusted = false;
    expect((await start(later(day))).kind).to.equal('present');
    expect(admitted).to.equal(1);
    // The same instant again.
    expect((await start()).kind).to.equal('present');
  });

  it('is over at the very instant of its end, and stays so', async () => {
    await start();
    expect((await start(later(14 * day - 1000))).kind).to.equal('present');
    for (const at of [later(14 * day), later(900 * day)]) {
      expect(await refusalOf(start(at))).to.deep.equal({
        code: 'trial_ended',
        details: { message: `The trial ended at ${later(14 * day).toISOString()}.` },
      });
    }
  });

  it('is refused in its last second, of which no receipt can be made', async () => {
    await ports.trials.add(aTrial({ id, endsAt: later(500) }), aCall());
    expect((await refusalOf(start())).code).to.equal('trial_ended');
  });

  it('is offered by the tiers of its product alone, the first by id', async () => {
    for (const none of [[], [offering(null)], [offering(day, { productId: 'prod_2' })]]) {
      tiers = none;
      expect((await refusalOf(start())).code).to.equal('trial_not_offered');
    }
    expect([admitted, await ports.trials.find(id, aCall())]).to.deep.equal([0, null]);
    tiers = [
      offering(2 * day, { id: 'team' }),
      offering(null, { id: 'a' }),
      offering(hour, { id: 'b' }),
      offering(day),
    ];
    const { trial } = await start();
    expect([trial.tierId, trial.endsAt]).to.deep.equal(['b', later(hour)]);
  });

  it('begins by no clock in doubt, and not unless it is admitted', async () => {
    isTrusted = false;
    expect((await refusalOf(start())).code).to.equal('clock_not_trusted');
    expect(admitted).to.equal(0);
    isTrusted = true;
    const refused = new Error('too many');
    expect(await thrownBy(start(noon, { admit: () => Promise.reject(refused) }))).to.equal(refused);
    expect(await ports.trials.find(id, aCall())).to.equal(null);
  });

  it('of two starts at once both find the one that was stored', async () => {
    const [one, other] = await Promise.all([start(noon), start(later(1000))]);
    expect(one.trial).to.deep.equal(other.trial);
    expect([one.kind, other.kind].toSorted()).to.deep.equal(['present', 'started']);
  });

  it('is unavailable where the store has lost what it has just stored', async () => {
    const trials: Trials = { ...bound(ports.trials), find: async () => null };
    expect((await refusalOf(start(noon, { trials }))).code).to.equal('store_unavailable');
  });
});

describe('convertTrial', () => {
  let trials: Trials;
  beforeEach(() => {
    ({ trials } = openMemoryStore(retentionFor(defaultTtl)).ports);
  });

  const convert = (entitlementId: string, at = later(day), store = trials): Promise<boolean> =>
    convertTrial(store, digest)({ productId: 'prod_1', deviceId: 'laptop-0001', entitlementId }, aCall({ now: at }));

  it('notes the first license of the device, also after the end', async () => {
    await trials.add(aTrial({ id, endsAt: later(hour) }), aCall());
    expect(await convert('ent_1')).to.equal(true);
    const noted = aTrial({
      id,
      endsAt: later(hour),
      converted: { at: later(day), entitlementId: 'ent_1' },
      revision: 2,
    });
    expect(await trials.find(id, aCall())).to.deep.equal(noted);
    expect(await convert('ent_2', later(2 * day))).to.equal(false);
    expect(await trials.find(id, aCall())).to.deep.equal(noted);
  });

  it('notes nothing of a device without a trial', async () => {
    expect(await convert('ent_1')).to.equal(false);
    expect(await trials.find(id, aCall())).to.equal(null);
  });

  it('reads again where another has written first', async () => {
    await trials.add(aTrial({ id }), aCall());
    let extended = false;
    const raced: Trials = {
      ...bound(trials),
      replace: async (next, call) => {
        if (!extended) await trials.replace(aTrial({ id, endsAt: later(30 * day), revision: 2 }), call);
        extended = true;
        return trials.replace(next, call);
      },
    };
    expect(await convert('ent_1', later(day), raced)).to.equal(true);
    expect(await trials.find(id, aCall())).to.deep.include({
      endsAt: later(30 * day),
      converted: { at: later(day), entitlementId: 'ent_1' },
      revision: 3,
    });
  });
});

describe('the id of a trial', () => {
  it('follows from the product and the device, and shows neither', () => {
    expect(id).to.match(/^trial_[\w-]{22}$/);
    const others = [trialOf('prod_2', 'laptop-0001', digest), trialOf('prod_1', 'laptop-0002', digest)];
    expect(new Set([id, ...others])).to.have.property('size', 3);
    expect(isTrialId(id)).to.equal(true);
    for (const text of [`x${id}`, `${id}x`, id.slice(0, -1), `ent_${id.slice(6)}`])
      expect(isTrialId(text)).to.equal(false);
  });
});

describe('the length of a trial', () => {
  it('is from an hour to ninety days', () => {
    for (const [text, length] of [
      ['1h', hour],
      ['14d', 14 * day],
      ['90d', 90 * day],
      ['59m', null],
      ['91d', null],
    ] as const)
      expect(trialLengthRule.parse(text), text).to.equal(length);
    expect(trialLengthRule.rule).to.include('14d');
  });
});

/** The methods of a port, to replace some of them. */
function bound(trials: Trials): Trials {
  return {
    find: (...parameters) => trials.find(...parameters),
    page: (...parameters) => trials.page(...parameters),
    add: (...parameters) => trials.add(...parameters),
    replace: (...parameters) => trials.replace(...parameters),
    prune: (...parameters) => trials.prune(...parameters),
  };
}
