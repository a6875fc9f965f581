import { expect } from 'chai';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import { LatchkeyClient, licenseGate, type SigningKeySet, type TrialGate } from '../../client/index.ts';
import { startLatchkey, type Latchkey } from '../../testing/index.ts';
import { day, hour } from '../support/builders.ts';
import { range } from '../support/range.ts';
import { claimsOf } from '../support/receipts/read-receipt.ts';

const start = Date.parse('2026-01-31T00:00:00Z');
const end = new Date(start + 14 * day).toISOString();
const productId = 'sketchpad';
const deadUrl = 'http://127.0.0.1:1';

/** A machine: its id, what its app has stored, and how far its clock is ahead of that of the service. */
interface Machine {
  readonly id: string;
  stored: string | null;
  ahead: number;
}

const aMachine = (id: string): Machine => ({ id, stored: null, ahead: 0 });

describe('trials in startLatchkey', () => {
  let latchkey: Latchkey;
  let keys: SigningKeySet;
  let machine: Machine;

  beforeEach(async () => {
    latchkey = await startLatchkey({ now: new Date(start) });
    await latchkey.putTier({ productId, deviceLimit: 1, features: { export: true }, trial: '14d' });
    keys = (await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).json()) as SigningKeySet;
    machine = aMachine('machine-1');
  });
  afterEach(() => latchkey.stop());

  const now = ({ ahead }: Machine): Date => new Date(latchkey.clock.now().getTime() + ahead);

  /** The gate of an app that has just been started on a machine. */
  function gateOn(on: Machine, url = latchkey.url, product = productId): TrialGate {
    return licenseGate({
      client: new LatchkeyClient({ baseUrl: url }),
      keys,
      productId: product,
      device: { id: on.id },
      trial: true,
      // A busy machine may need more than the gate's three seconds.
      timeout: 60_000,
      now: () => now(on),
      storage: {
        load: () => on.stored,
        save: (text) => {
          on.stored = text;
        },
      },
    });
  }

  /** The check of an app that starts without a key. */
  async function told(on: Machine, url?: string, product?: string): Promise<readonly unknown[]> {
    const check = await gateOn(on, url, product).check(null);
    const ends = check.trial === undefined ? [] : [check.trial.endsAt, check.trial.daysLeft];
    return [
      check.verdict,
      ...(check.verdict === 'unavailable' ? [check.receipt] : [check.source, check.reason]),
      ...ends,
    ];
  }

  const cut = (on = machine): Promise<readonly unknown[]> => told(on, deadUrl);

  /** The stored text: the mode of the receipt, and the latest instant. */
  function stored({ stored: text }: Machine): readonly unknown[] {
    const { receipt, lastSeen } = JSON.parse(text ?? '{}') as Readonly<Record<string, string | null>>;
    return [typeof receipt === 'string' ? claimsOf(receipt)['mode'] : receipt, lastSeen];
  }

  it('run for each of their days and no longer, with the service and without it', async () => {
    const check = await gateOn(machine).check(null);
    expect(check).to.deep.include({ verdict: 'valid', offlineUntil: end, features: { export: true } });
    expect(check.entitlement).to.include({ status: 'trialing', tierId: 'pro', accessEndsAt: end });
    for (const days of range(14)) {
      await latchkey.clock.set(new Date(start + days * day));
      expect(await cut()).to.deep.equal(['valid', 'receipt', null, end, 14 - days]);
      expect(stored(machine)).to.deep.equal(['trial', new Date(start + days * day).toISOString()]);
      expect(await told(machine)).to.deep.equal(['valid', 'online', null, end, 14 - days]);
      expect(stored(machine)).to.deep.equal(['trial', new Date(start + days * day).toISOString()]);
    }
    await latchkey.clock.set(new Date(start + 14 * day - 1));
    expect(await cut()).to.deep.equal(['valid', 'receipt', null, end, 1]);
    await latchkey.clock.advance('1s');
    const before = machine.stored;
    expect(await cut()).to.deep.equal(['invalid', 'receipt', 'trial_ended']);
    expect(stored(machine)).to.deep.equal(['trial', latchkey.clock.now().toISOString()]);
    expect(before).not.to.equal(machine.stored);
    expect(await told(machine)).to.deep.equal(['invalid', 'online', 'trial_ended']);
    expect(stored(machine)[0]).to.equal(null);
    expect(await cut()).to.deep.equal(['unavailable', 'none']);
    expect(await told(machine)).to.deep.equal(['invalid', 'online', 'trial_ended']);
  });

  it('are not offered where no tier has one, and drop no receipt of a license', async () => {
    const { licenseKey } = await latchkey.grant({ productId: 'notes' });
    await gateOn(machine, latchkey.url, 'notes').check(licenseKey);
    const before = machine.stored;
    expect(stored(machine)[0]).to.equal('online');
    expect(await told(machine, latchkey.url, 'notes')).to.deep.equal(['invalid', 'online', 'trial_not_offered']);
    expect(machine.stored).to.equal(before);
    expect(await told(machine, latchkey.url, 'unknown')).to.deep.equal(['invalid', 'online', 'trial_not_offered']);
  });

  it('go on though no tier offers one any more, and are dropped on a machine that has none', async () => {
    await told(machine);
    await latchkey.putTier({ productId, deviceLimit: 1 });
    expect((await told(machine)).slice(0, 2)).to.deep.equal(['valid', 'online']);
    const copied = { ...aMachine('machine-2'), stored: machine.stored };
    expect(await told(copied)).to.deep.equal(['invalid', 'online', 'trial_not_offered']);
    expect(stored(copied)[0]).to.equal(null);
  });

  it('begin with the first start that reaches the service, and store nothing before', async () => {
    expect(await cut()).to.deep.equal(['unavailable', 'none']);
    await latchkey.clock.advance('10d');
    expect(await cut()).to.deep.equal(['unavailable', 'none']);
    expect(machine.stored).to.equal(null);
    const later = new Date(start + 24 * day).toISOString();
    expect(await told(machine)).to.deep.equal(['valid', 'online', null, later, 14]);
    expect(await cut()).to.deep.equal(['valid', 'receipt', null, later, 14]);
  });

  it('have the same end after a reinstall, and another device has its own', async () => {
    await told(machine);
    await latchkey.clock.advance('5d');
    const reinstalled = aMachine(machine.id);
    expect(await cut(reinstalled)).to.deep.equal(['unavailable', 'none']);
    expect(await told(reinstalled)).to.deep.equal(['valid', 'online', null, end, 9]);
    expect(await cut(reinstalled)).to.deep.equal(['valid', 'receipt', null, end, 9]);
    const other = aMachine('machine-2');
    expect((await told(other)).slice(-1)).to.deep.equal([14]);
    await latchkey.clock.set(new Date(start + 14 * day));
    expect(await told(aMachine(machine.id))).to.deep.equal(['invalid', 'online', 'trial_ended']);
    expect((await told(other)).slice(-1)).to.deep.equal([5]);
  });

  it('are no trial on another machine, and none with a changed storage', async () => {
    await told(machine);
    const copied = { ...aMachine('machine-2'), stored: machine.stored };
    expect(await cut(copied)).to.deep.equal(['unavailable', 'wrong_device']);
    expect(copied.stored).to.equal(machine.stored);
    const changed = { ...machine, stored: (machine.stored ?? '').replace(/\.(.)/, (_, first) => `.${first}A`) };
    expect(await cut(changed)).to.deep.equal(['unavailable', 'bad_signature']);
    expect(await told(machine, deadUrl, 'notes')).to.deep.equal(['unavailable', 'wrong_product']);
    expect(await cut({ ...machine, stored: 'another text' })).to.deep.equal(['unavailable', 'none']);
  });

  it('win nothing by a clock that is set back, and count from the latest instant', async () => {
    await told(machine);
    await latchkey.clock.advance('5d');
    expect((await cut()).slice(-1)).to.deep.equal([9]);
    const seen = new Date(start + 5 * day).toISOString();
    machine.ahead = -day;
    expect(await cut()).to.deep.equal(['valid', 'receipt', null, end, 9]);
    machine.ahead = -day - 1;
    expect(await cut()).to.deep.equal(['invalid', 'receipt', 'clock_set_back']);
    expect(stored(machine)).to.deep.equal(['trial', seen]);
    machine.ahead = 0;
    await latchkey.clock.set(new Date(start + 14 * day));
    expect(await cut()).to.deep.equal(['invalid', 'receipt', 'trial_ended']);
    machine.ahead = -hour;
    expect(await cut()).to.deep.equal(['invalid', 'receipt', 'trial_ended']);
  });

  it('are judged by the stored receipt where the clock of the machine is a day behind the new one', async () => {
    machine.ahead = -day - 1000;
    expect(await told(machine)).to.deep.equal(['unavailable', 'none']);
    expect(machine.stored).to.equal(null);
    machine.ahead = 0;
    await told(machine);
    machine.ahead = -2 * day;
    expect(await told(machine)).to.deep.equal(['invalid', 'receipt', 'clock_set_back']);
    machine.ahead = 0;
    expect(await told(machine)).to.deep.equal(['valid', 'online', null, end, 14]);
  });

  it('wait for a minute where twenty others have begun behind the same address, and those that have one do not', async () => {
    await told(machine);
    for (const index of range(19)) await told(aMachine(`machine-of-a-class-${index}`));
    const next = aMachine('machine-of-the-teacher');
    expect(await told(next)).to.deep.equal(['unavailable', 'none']);
    expect((await told(machine)).slice(0, 2)).to.deep.equal(['valid', 'online']);
  });

  it('make room for the receipt of a key, and stand behind no key', async () => {
    const { licenseKey, entitlement } = await latchkey.grant({ productId });
    await told(machine);
    const before = machine.stored;
    for (const key of ['LK-00000-00000-00000-00000-00000-00000', 'a mistyped key'])
      expect((await gateOn(machine).check(key)).verdict).to.equal('invalid');
    expect(machine.stored).to.equal(before);
    expect((await gateOn(machine, deadUrl).check(licenseKey)).verdict).to.equal('unavailable');
    const check = await gateOn(machine).check(licenseKey);
    expect([check.verdict, check.trial]).to.deep.equal(['valid', undefined]);
    expect(stored(machine)[0]).to.equal('online');
    expect(await cut()).to.deep.equal(['unavailable', 'none']);
    const { trials } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const { data } = await trials.list(productId);
    expect(data.map(({ status, entitlementId }) => [status, entitlementId])).to.deep.equal([
      ['converted', entitlement.id],
    ]);
    expect(await told(machine)).to.deep.equal(['valid', 'online', null, end, 14]);
  });

  it('end as support says: at the next start that reaches the service', async () => {
    await told(machine);
    const { trials } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const [{ id } = { id: '' }] = (await trials.list(productId)).data;
    const longer = new Date(start + 30 * day).toISOString();
    await trials.extend(id, { endsAt: longer });
    expect((await cut()).slice(-1)).to.deep.equal([14]);
    expect(await told(machine)).to.deep.equal(['valid', 'online', null, longer, 30]);
    await trials.end(id);
    expect((await cut()).slice(-1)).to.deep.equal([30]);
    expect(await told(machine)).to.deep.equal(['invalid', 'online', 'trial_ended']);
    expect(await cut()).to.deep.equal(['unavailable', 'none']);
  });
});
