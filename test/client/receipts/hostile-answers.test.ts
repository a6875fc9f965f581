import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ConnectionError, LatchkeyClient, TimeoutError } from '../../../client/index.ts';
import { anAnswer, briefTimeout, GatedProgram, type ServiceAnswer } from '../../support/client/gated-program.ts';
import { aLicensedEntitlement, licenseKey, type Members } from '../../support/client/receipt-signer.ts';
import { thrownBy } from '../../support/thrown.ts';

const entitlement = aLicensedEntitlement();
const purchase = without(entitlement, 'currentPeriodEnd');
const device = { id: 'machine-1' };
const seat = { device: `dev_${'a'.repeat(22)}`, deviceLimit: 2, devicesUsed: 1, entitlement, receipt: null };

/** Texts of a JSON object that is no entitlement. */
const noEntitlements: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'ent_1',
  'a number': 7,
  true: true,
  'a list': [],
  'a list of one': [entitlement],
  'an empty object': {},
  'an object of another API': { id: 7, name: 'A user', createdAt: '2026-07-18' },
  ...Object.fromEntries(Object.keys(purchase).map((name) => [`one without ${name}`, without(entitlement, name)])),
  'one with a number as its id': { ...entitlement, id: 1 },
  'one with a list as its status': { ...entitlement, status: ['active'] },
  'one with null as the end of its period': { ...entitlement, currentPeriodEnd: null },
  'one whose members are those of its prototype': JSON.parse(`{"__proto__":${JSON.stringify(entitlement)}}`),
};

const noSeats: Readonly<Record<string, unknown>> = {
  ...noEntitlements,
  ...Object.fromEntries(
    Object.entries(noEntitlements).map(([title, each]) => [`a seat for ${title}`, { ...seat, entitlement: each }]),
  ),
  'an entitlement alone': { entitlement },
  'a seat without a device': without(seat, 'device'),
  'a seat without a limit': without(seat, 'deviceLimit'),
  'a seat with a text as its limit': { ...seat, deviceLimit: '2' },
  'a seat with half a device as its limit': { ...seat, deviceLimit: 0.5 },
  'a seat with a text as its receipt': { ...seat, receipt: 'eyJ' },
  'a seat with a number as its receipt': { ...seat, receipt: { receipt: 7 } },
  'a seat with a list as features': { ...seat, features: ['sso'] },
  'a seat with an object as a feature': { ...seat, features: { sso: {} } },
  'a seat with null as a feature': { ...seat, features: { sso: null } },
  'a seat with features of a prototype': { ...seat, features: JSON.parse('{"__proto__":{"sso":true}}') },
};

function without(value: object, name: string): Members {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function done(data: unknown): ServiceAnswer {
  return anAnswer(200, { success: true, data });
}

/** The verdict of a gate without a receipt on an answer. */
async function verdictOn(answer: ServiceAnswer, options: ConstructorParameters<typeof GatedProgram>[0] = {}) {
  const program = new GatedProgram(options);
  program.verify = answer;
  const { verdict, features } = await program.gate.check(licenseKey);
  expect(features, verdict).to.deep.equal({});
  return verdict;
}

describe('an answer that has not the form of one', () => {
  it('is no verdict on a license', async () => {
    for (const [title, each] of Object.entries(noEntitlements)) {
      for (const valid of [true, false])
        expect(await verdictOn(anAnswer(200, { valid, entitlement: each })), title).to.equal('unavailable');
    }
    for (const valid of ['true', 1, null, [true], { valid: true }])
      expect(await verdictOn(anAnswer(200, { valid, entitlement }))).to.equal('unavailable');
    expect(await verdictOn(anAnswer(200, { valid: true, entitlement: purchase }))).to.equal('valid');
  });

  it('is no seat', async () => {
    for (const [title, each] of Object.entries(noSeats))
      expect(await verdictOn(done(each), { device }), title).to.equal('unavailable');
    expect(await verdictOn(anAnswer(200, { success: 'true', data: seat }), { device })).to.equal('unavailable');
    expect(await verdictOn(done(seat), { device })).to.equal('valid');
  });

  it('is thrown as one of the connection by every call', async () => {
    for (const data of [null, [], 'text', 7, {}, { receipt: 7 }, { device: 7 }, { devices: {} }, { devices: [7] }]) {
      const { licenses, entitlements, listings, events } = clientOf(() => Response.json({ success: true, data }));
      const calls = [
        licenses.receipt(licenseKey, { productId: 'prod_1' }),
        licenses.activate(licenseKey, { deviceId: device.id }),
        licenses.deactivate(licenseKey, { deviceId: device.id }),
        licenses.devices(licenseKey),
        listings.list(),
        events.list(),
        ...(Array.isArray(data) ? [entitlements.get('ent_1'), entitlements.cancel('ent_1')] : []),
      ];
      for (const call of calls) expect(await thrownBy(call), JSON.stringify(data)).to.be.instanceOf(ConnectionError);
    }
    const pages = [{ data: [] }, { data: {}, meta: {} }, { data: [], meta: [] }, { data: [], meta: { next: null } }];
    for (const page of pages) {
      const { events } = clientOf(() => Response.json({ success: true, ...page }));
      expect(await thrownBy(events.list())).to.be.instanceOf(ConnectionError);
    }
  });
});

/** An answer of a `fetch` that has no streams. */
function textOnly(body: string): () => Response {
  return () => ({ ok: true, status: 200, headers: new Headers(), text: async () => body }) as unknown as Response;
}

function pageOf(length: number): string {
  return JSON.stringify({ success: true, data: ['a'.repeat(length)], meta: { next: '1' } });
}

describe('an answer that is too long', () => {
  const short = { valid: true, entitlement: { ...entitlement, tierName: 'Pro' } };
  const fill = (length: number): string =>
    JSON.stringify({ ...short, more: '' }).slice(0, -2) + `${'a'.repeat(length)}"}`;
  const most = 262_144;
  const exact = fill(most - fill(0).length);

  it('is no verdict, whatever its status', async () => {
    expect(await verdictOn({ status: 200, body: exact })).to.equal('valid');
    expect(await verdictOn({ status: 200, body: `${exact} ` })).to.equal('unavailable');
    const refused = { 'Error-Code': 'malformed_license_key' };
    expect(await verdictOn({ status: 400, headers: refused, body: '{}' })).to.equal('invalid');
    expect(await verdictOn({ status: 400, headers: refused, body: ' '.repeat(most + 1) })).to.equal('unavailable');
  });

  it('is read no further, and its connection is ended', async () => {
    let [pulled, cancelled] = [0, false];
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(65_536).fill(32));
        },
        cancel: () => void (cancelled = true),
      });
    for (const status of [200, 400, 503]) {
      [pulled, cancelled] = [0, false];
      expect(await verdictOn(() => new Response(endless(), { status }))).to.equal('unavailable');
      expect([pulled <= 8, cancelled]).to.deep.equal([true, true]);
    }
  });

  it('is measured as it is unpacked', async () => {
    const packed = gzipSync(`${exact} `);
    const server = createServer((_, response) => response.setHeader('Content-Encoding', 'gzip').end(packed));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { licenses } = new LatchkeyClient({ baseUrl, retries: 0 });
      expect(await licenses.verify(licenseKey)).to.include({ verdict: 'unavailable' });
    } finally {
      server.close();
    }
  });

  it('is bounded for a fetch without streams, and for lists by more', async () => {
    expect(await verdictOn(textOnly(exact))).to.equal('valid');
    expect(await verdictOn(textOnly(`${exact} `))).to.equal('unavailable');
    expect((await clientOf(() => new Response(pageOf(4_000_000))).events.list()).data).to.have.length(1);
    const { events } = clientOf(() => new Response(pageOf(17_000_000)));
    expect(String(await thrownBy(events.list()))).to.include('too long');
  });
});

describe('an answer that never comes', () => {
  const never = new Promise<never>(() => {});
  const answers: Readonly<Record<string, ServiceAnswer>> = {
    'a fetch that ignores its signal': () => never,
    'a body that never ends': () => new Response(new ReadableStream({ pull: () => never })),
    'a body that drips': () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise(setImmediate);
            controller.enqueue(new Uint8Array(1));
          },
        }),
      ),
    'a body without streams': () => ({ ok: true, status: 200, text: () => never }) as unknown as Response,
  };
  for (const [title, answer] of Object.entries(answers)) {
    it(`is no verdict after the timeout, with ${title}`, async () => {
      for (const own of [{}, { device }])
        expect(await verdictOn(answer, { ...own, timeout: briefTimeout })).to.equal('unavailable');
      const { entitlements } = clientOf(answer as () => Promise<Response>, briefTimeout);
      expect(await thrownBy(entitlements.get('ent_1'))).to.be.instanceOf(TimeoutError);
    });

    it(`ends with the reason of the caller's signal, with ${title}`, async () => {
      const caller = new AbortController();
      const reason = new Error('the user has closed the window');
      const call = clientOf(answer as () => Promise<Response>).licenses.verify(licenseKey, { signal: caller.signal });
      setImmediate(() => caller.abort(reason));
      expect(await thrownBy(call)).to.equal(reason);
    });
  }
});

function clientOf(answer: () => Response | Promise<Response>, timeout = 60_000): LatchkeyClient {
  const fetch = async (): Promise<Response> => answer();
  return new LatchkeyClient({
    baseUrl: 'http://licenses.example',
    appKey: 'svc_sk_live_1',
    retries: 0,
    timeout,
    fetch,
  });
}
