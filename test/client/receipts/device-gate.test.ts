import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import {
  ConnectionError,
  LatchkeyClient,
  licenseGate,
  NotFoundError,
  RateLimitError,
  verifyReceipt,
  type DeviceCheck,
  type DeviceGate,
  type SigningKeySet,
} from '../../../client/index.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { aLicense, aOneTimePurchase, aSubscription, day, later } from '../../support/builders.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
const lasting = { currentPeriodEnd: later(900 * day), graceUntil: later(900 * day) };

/** A program on a machine of its own. */
interface Machine {
  readonly gate: DeviceGate;
  readonly requests: string[];
  /** The answer that replaces that of the service; null if the network is down. */
  answer?: Response | null;
  text: string | null;
}

describe('a gate with a device', () => {
  const service = freshService(memory);
  let keys: SigningKeySet;

  beforeEach(async () => {
    await service().grant(aSubscription({ license, deviceLimit: 1, ...lasting }));
    keys = (await service().send('/.well-known/jwks.json')).body as SigningKeySet;
  });

  function machine(id: string, text: string | null = null): Machine {
    const requests: string[] = [];
    const fetching = async (url: unknown, init?: RequestInit): Promise<Response> => {
      requests.push(new URL(String(url)).pathname);
      if (made.answer === null) throw new TypeError('fetch failed');
      return made.answer?.clone() ?? fetch(String(url), init);
    };
    const gate = licenseGate({
      client: new LatchkeyClient({ baseUrl: service().url, fetch: fetching }),
      keys,
      productId: 'prod_1',
      device: { id, name: 'A machine' },
      storage: { load: () => made.text, save: (saved) => void (made.text = saved) },
      timeout: 60_000,
      now: () => service().now,
    });
    const made: Machine = { gate, requests, text };
    return made;
  }

  it('takes a seat in one request, and runs on its receipt without the network', async () => {
    const own = machine('machine-1');
    expect([await verdictOf(own), await verdictOf(own)]).to.deep.equal(['valid online', 'valid online']);
    expect(own.requests).to.deep.equal(['/api/licenses/activate', '/api/licenses/activate']);
    own.answer = null;
    expect(await verdictOf(own)).to.equal('valid receipt');
  });

  it('does not run on the receipt of another device', async () => {
    const own = machine('machine-1');
    await verdictOf(own);
    const copied = machine('machine-2', own.text);
    copied.answer = null;
    expect(await verdictOf(copied)).to.equal('unavailable wrong_device');
  });

  it('says that all seats are taken, drops the receipt, and replaces a device', async () => {
    const [first, second] = [machine('machine-1'), machine('machine-2')];
    await verdictOf(first);
    expect(await verdictOf(second)).to.equal('invalid online device_limit');
    const { devices } = await new LatchkeyClient({ baseUrl: service().url }).licenses.devices(licenseKey);
    expect(await verdictOf(second, devices[0]?.device)).to.equal('valid online');
    expect([receiptOf(first) === null, await verdictOf(first), receiptOf(first)]).to.deep.equal([
      false,
      'invalid online device_limit',
      null,
    ]);
    first.answer = null;
    expect(await verdictOf(first)).to.equal('unavailable none');
  });

  it('releases its seat and drops the receipt, or throws and keeps it', async () => {
    const own = machine('machine-1');
    for (let releases = 0; releases < 4; releases += 1) {
      await verdictOf(own);
      await own.gate.release(licenseKey);
      expect(receiptOf(own)).to.equal(null);
    }
    await verdictOf(own);
    expect(await thrownBy(own.gate.release(licenseKey))).to.be.instanceOf(RateLimitError);
    expect(receiptOf(own)).not.to.equal(null);
    expect(await thrownBy(own.gate.release('a-license-key-that-nobody-has'))).to.be.instanceOf(NotFoundError);
  });

  it('keeps its receipt if a release was answered by something else', async () => {
    const own = machine('machine-1');
    await verdictOf(own);
    for (const data of [{}, [], null, { device: 7, deviceLimit: null }]) {
      own.answer = Response.json({ success: true, data });
      expect(await thrownBy(own.gate.release(licenseKey))).to.be.instanceOf(ConnectionError);
    }
    expect(receiptOf(own)).not.to.equal(null);
  });

  it('shows the ends of a purchase online as it does offline', async () => {
    const [accessEndsAt, updatesUntil] = [later(800 * day), later(300 * day)];
    const ends = { accessEndsAt, updatesUntil, nextEventAt: accessEndsAt };
    const own = machine('machine-2');
    const bought = licenseDigest('a-license-key-of-a-purchase', digest);
    await service().grant(aOneTimePurchase({ id: 'ent_2', license: aLicense({ digest: bought }), ...ends }));
    const said = async () => (await own.gate.check('a-license-key-of-a-purchase')).entitlement;
    const online = await said();
    expect(online).to.include({
      accessEndsAt: accessEndsAt.toISOString(),
      updatesUntil: updatesUntil.toISOString(),
    });
    own.answer = null;
    expect(await said()).to.deep.equal(online);
  });

  it('explains that a license gives no access, by a verification', async () => {
    const own = machine('machine-1');
    service().now = later(901 * day);
    expect(await verdictOf(own)).to.equal('invalid online no_access');
    expect(own.requests).to.deep.equal(['/api/licenses/activate', '/api/licenses/verify']);
  });

  it('takes a 404 for a verdict only if it says license_not_found', async () => {
    const own = machine('machine-1');
    await verdictOf(own);
    own.answer = new Response('{"success":false,"error":"No.","correlationId":"1"}', {
      status: 404,
      headers: { 'Content-Type': 'application/json', 'Error-Code': 'not_found' },
    });
    expect(await verdictOf(own)).to.equal('valid receipt');
    expect(inWords(await machine('machine-1').gate.check('a-license-key-that-nobody-has'))).to.equal(
      'invalid online unknown',
    );
    expect(inWords(await machine('machine-1').gate.check('short'))).to.equal('invalid online malformed');
  });

  it('refuses a device that no seat can be asked for', () => {
    for (const id of ['short', 'a'.repeat(129), 'has a space', 'größe-12'])
      expect(() => machine(id)).to.throw(TypeError, 'device.id must be 8 to 128');
  });

  it('leaves receipts without a device to gates without one, but for offline ones', async () => {
    const { body } = await service().receipt({ licenseKey });
    const { receipt } = (body as { readonly data: { readonly receipt: string } }).data;
    const options = { keys, productId: 'prod_1', now: service().now };
    expect((await verifyReceipt(receipt, options)).verdict).to.equal('valid');
    expect(await verifyReceipt(receipt, { ...options, deviceId: 'machine-1' })).to.deep.equal({
      verdict: 'invalid',
      reason: 'wrong_device',
      entitlement: null,
    });
  });
});

async function verdictOf({ gate }: Machine, replace?: string): Promise<string> {
  return inWords(await gate.check(licenseKey, { replace }));
}

function receiptOf({ text }: Machine): string | null {
  return (JSON.parse(text ?? '{"receipt":null}') as { readonly receipt: string | null }).receipt;
}

function inWords(result: DeviceCheck): string {
  if (result.verdict === 'unavailable') return `unavailable ${result.receipt}`;
  return [result.verdict, result.source, ...(result.verdict === 'invalid' ? [result.reason] : [])].join(' ');
}
