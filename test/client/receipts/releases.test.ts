import { expect } from 'chai';
import { coveredRelease, LatchkeyClient, licenseGate, type Release } from '../../../client/index.ts';
import { day, later, noon } from '../../support/builders.ts';
import { anAnswer, GatedProgram } from '../../support/client/gated-program.ts';
import { aLicensedEntitlement, licenseKey, receiptClaims, type Members } from '../../support/client/receipt-signer.ts';

const end = '2026-06-01T12:00:00.000Z';
const [before, at, after, last] = [
  { version: '2.1', releasedAt: '2026-06-01' },
  { version: '2.2', releasedAt: end },
  { version: '3.0', releasedAt: '2026-06-01T12:00:00.001Z' },
  { version: '3.1', releasedAt: '2026-06-02T00:00:00+09:00' },
] as const;

describe('coveredRelease', () => {
  const right = { updatesUntil: end };
  const covered: readonly (readonly [string, readonly Release[], { readonly updatesUntil?: string }, unknown])[] = [
    ['the newest release by the very end', [after, at, last, before], right, { release: at, renewal: after }],
    ['the newest one, and no renewal', [at, before], right, { release: at, renewal: null }],
    ['no release of those after the end', [last, after], right, { release: null, renewal: after }],
    ['the newest of all without an end', [last, before, after], {}, { release: last, renewal: null }],
    ['no release of none', [], right, { release: null, renewal: null }],
  ];
  for (const [title, releases, entitlement, expected] of covered) {
    it(`finds ${title}`, () => {
      const seen = structuredClone(releases);
      expect(coveredRelease(releases, entitlement)).to.deep.equal(expected);
      expect(releases).to.deep.equal(seen);
    });
  }

  it('refuses what is no instant, such as a time without an offset', () => {
    for (const releasedAt of [
      '',
      'soon',
      '1',
      '2026-13-01',
      '2026-02-30',
      '2026-06-31T12:00:00Z',
      '2026-06-01T12:00:00',
      '1 June 2026',
      7,
      null,
      undefined,
    ]) {
      const releases = [at, { version: '4.0', releasedAt: releasedAt as string }];
      expect(() => coveredRelease(releases, {}), String(releasedAt)).to.throw(TypeError, 'releasedAt of 4.0 must be');
      expect(() => coveredRelease([at], { updatesUntil: (releasedAt ?? null) as string })).to.throw(TypeError);
    }
  });
});

describe('a gate of a build that was released at a time', () => {
  const { signer } = GatedProgram;
  const bare = aLicensedEntitlement({ billingInterval: 'one_time', currentPeriodEnd: undefined });
  const until = later(-30 * day);
  const receiptOf = (ends: Members): string =>
    signer.receipt(receiptClaims({ entitlement: { ...bare, ...ends, features: { sso: true }, deviceLimit: 3 } }));
  const own = receiptOf({ updatesUntil: until.toISOString() });
  const shown = JSON.parse(JSON.stringify({ ...bare, updatesUntil: until.toISOString() })) as Members;
  const noAllowance = { features: {}, deviceLimit: null };
  const nextCheck = later(3_600_000).toISOString();
  const ended = { verdict: 'invalid', reason: 'updates_ended', entitlement: shown, ...noAllowance, nextCheck };

  /** A program that has stored a receipt, of a build `wait` milliseconds after the end of its updates. */
  function program(wait: number, receipt: string | null = own): GatedProgram {
    const each = new GatedProgram({ releasedAt: new Date(until.getTime() + wait) });
    if (receipt !== null) each.text = JSON.stringify({ version: 1, receipt, lastSeen: null });
    return each;
  }
  const online = (each: GatedProgram, receipt: string | null): GatedProgram => {
    each.verify = anAnswer(200, { valid: true, entitlement: bare });
    each.receipt = receipt === null ? 'no connection' : anAnswer(200, { success: true, data: { receipt } });
    return each;
  };

  it('is invalid after the updates have ended, without the service, and the build before goes on', async () => {
    const late = program(1);
    expect(await late.gate.check(licenseKey)).to.deep.equal({ ...ended, source: 'receipt' });
    const early = program(0);
    early.text = late.text;
    const check = await early.gate.check(licenseKey);
    expect([check.verdict, check.features]).to.deep.equal(['valid', { sso: true }]);
  });

  it('is invalid online too, and keeps the receipt that it is given', async () => {
    const late = online(program(1, null), own);
    expect(await late.gate.check(licenseKey)).to.deep.equal({ ...ended, source: 'online' });
    expect(JSON.parse(late.text ?? '')).to.include({ receipt: own });
    expect((await online(program(0, null), own).gate.check(licenseKey)).verdict).to.equal('valid');
  });

  it('asks for another receipt, so that it runs as soon as its updates are renewed', async () => {
    const late = online(program(1), receiptOf({ updatesUntil: later(300 * day).toISOString() }));
    expect((await late.gate.check(licenseKey)).verdict).to.equal('valid');
    late.verify = 'no connection';
    expect((await late.gate.check(licenseKey)).verdict).to.equal('valid');
  });

  it('is valid where nobody knows an end', async () => {
    expect((await program(1, receiptOf({})).gate.check(licenseKey)).verdict).to.equal('valid');
    expect((await online(program(1, null), null).gate.check(licenseKey)).verdict).to.equal('valid');
  });

  it('says first that a receipt is over', async () => {
    const late = program(1);
    late.now = later(15 * day);
    expect((await late.gate.check(licenseKey)).reason).to.equal('expired');
  });

  it('cannot be made with another value than an instant', () => {
    const client = new LatchkeyClient({ baseUrl: 'http://licenses.example' });
    const storage = { load: () => null, save: () => {} };
    for (const releasedAt of [new Date(''), '2026-01-01' as unknown as Date, null as unknown as Date])
      expect(() =>
        licenseGate({ client, keys: [signer.publicKey], productId: 'prod_1', storage, releasedAt, now: () => noon }),
      ).to.throw(TypeError, 'releasedAt must be');
  });
});
