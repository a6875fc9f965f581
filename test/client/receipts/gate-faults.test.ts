import { expect } from 'chai';
import { asyncProperty, assert as check, constantFrom, json, oneof, record, string } from 'fast-check';
import { licenseGate, type LicenseGateOptions, type ReceiptStorage } from '../../../client/index.ts';
import { hasLicenseKeyLength } from '../../../core/license/license-key.ts';
import { day, later, noon } from '../../support/builders.ts';
import { anAnswer, briefTimeout, GatedProgram } from '../../support/client/gated-program.ts';
import {
  aLicensedEntitlement,
  digestOf,
  issuedAt,
  licenseKey,
  receiptClaims,
  ReceiptSigner,
  validFor,
  type Members,
} from '../../support/client/receipt-signer.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { thrownBy } from '../../support/thrown.ts';

const { signer } = GatedProgram;
const entitlement = aLicensedEntitlement();
const valid = anAnswer(200, { valid: true, entitlement });
const offline = { mode: 'offline', exp: issuedAt + (365 * day) / 1000 };

function receiptOf(overrides: Members = {}): string {
  return signer.receipt(receiptClaims(overrides));
}

function handedOut(receipt: unknown): ReturnType<typeof anAnswer> {
  return anAnswer(200, { success: true, data: { receipt } });
}

/** The verdict, its source and its reason, in words. */
async function verdictOf(program: GatedProgram, key: unknown = licenseKey): Promise<string> {
  const result = await program.gate.check(key as string);
  if (result.verdict === 'unavailable') return `unavailable ${result.receipt}`;
  return [result.verdict, result.source, ...(result.verdict === 'invalid' ? [result.reason] : [])].join(' ');
}

describe('the receipt that a gate fetches', () => {
  let program: GatedProgram;

  beforeEach(() => {
    program = new GatedProgram();
    program.verify = valid;
  });

  const stranger = new ReceiptSigner();
  const lies: Readonly<Record<string, unknown>> = {
    'of an unknown key': stranger.receipt(),
    forged: stranger.receipt(receiptClaims(), signer.header()),
    'of someone else': receiptOf({ key: digestOf('the key of someone else') }),
    'of another product': receiptOf({ aud: 'prod_2' }),
    'that is no receipt': '<!doctype html>',
    'that is no text': { receipt: receiptOf() },
    'that is missing': undefined,
    'that is huge': 'a'.repeat(1_000_000),
  };
  for (const [what, receipt] of Object.entries(lies)) {
    it(`is not stored in place of a good one, if it is one ${what}`, async () => {
      const good = receiptOf({ iat: issuedAt - validFor + 1, exp: issuedAt + 1 });
      program.store(good);
      program.receipt = handedOut(receipt);
      expect(await verdictOf(program)).to.equal('valid online');
      expect(program.stored?.receipt).to.equal(good);
    });
  }

  it('is stored while the clock of the machine is wrong, and counts once it is right', async () => {
    const receipt = receiptOf();
    program.receipt = handedOut(receipt);
    for (const wrong of [later(-400 * day), later(400 * day)]) {
      program.text = null;
      program.now = wrong;
      expect(await program.gate.check(licenseKey)).to.include({ verdict: 'valid', offlineUntil: null });
      expect(program.stored).to.deep.equal({ receipt, lastSeen: wrong.toISOString() });
    }
    program.now = noon;
    program.verify = 'no connection';
    expect(await verdictOf(program)).to.equal('invalid receipt clock_set_back');
    program.verify = valid;
    expect(await verdictOf(program)).to.equal('valid online');
    program.verify = 'no connection';
    expect(await verdictOf(program)).to.equal('valid receipt');
  });

  it('is asked for once by two checks at once', async () => {
    program.receipt = handedOut(receiptOf());
    expect(await Promise.all(range(5).map(() => verdictOf(program)))).to.deep.equal(range(5).map(() => 'valid online'));
    expect(program.requests.filter((path) => path.endsWith('/receipt'))).to.have.length(1);
  });

  it('may be missing for ever', async () => {
    for (const answer of [
      'silence',
      'no connection',
      anAnswer(404, {}),
      anAnswer(409, {}),
      anAnswer(500, {}),
    ] as const) {
      program.receipt = answer;
      expect(await program.gate.check(licenseKey)).to.deep.include({ verdict: 'valid', offlineUntil: null });
    }
  });
});

describe('the license key that a gate sends', () => {
  const odd = '\u00A0\u3000\uFEFF';
  const typed: Readonly<Record<string, string>> = {
    'a hundred spaces': `${' '.repeat(50)}${licenseKey}${'\n'.repeat(50)}`,
    'other white space': `${odd.repeat(50)}${licenseKey}${odd.repeat(50)}`,
    'invisible characters': `\u200B${licenseKey}${'\u200B\u2060'.repeat(100)}`,
    'white space between its letters': Array.from(licenseKey).join('  \n  '),
  };
  for (const [title, key] of Object.entries(typed)) {
    it(`is not too long because of ${title}, so that its receipt stays`, async () => {
      for (const device of [undefined, { id: 'machine-1' }]) {
        const program = new GatedProgram(device && { device });
        program.store(receiptOf(offline));
        expect(await verdictOf(program, key)).to.equal('valid receipt');
        const [sent] = program.keys;
        expect([hasLicenseKeyLength(String(sent)), digestOf(String(sent))]).to.deep.equal([true, digestOf(key)]);
      }
    });
  }

  it('is as it was typed, but for white space at its ends', async () => {
    const program = new GatedProgram();
    const keys = [' lk\u20111 “2” ', 'a', `\t${'é'.repeat(120)}`, '🎉'.repeat(120), 'a'.repeat(121)];
    for (const key of [...keys, null]) await program.gate.check(key as string);
    expect(program.keys).to.deep.equal([...keys.map((key) => key.trim()), null]);
  });

  it('drops no receipt if no license can have it', async () => {
    const program = new GatedProgram();
    program.store(receiptOf());
    const headers = { 'Error-Code': 'malformed_license_key' };
    program.verify = { ...anAnswer(400, { valid: false }), headers };
    expect(await verdictOf(program)).to.equal('invalid online malformed');
    program.verify = 'no connection';
    expect(await verdictOf(program)).to.equal('valid receipt');
  });
});

describe('a gate over time', () => {
  it('lets a program run until its receipt ends, and again when the service comes back', async () => {
    const program = new GatedProgram();
    program.verify = valid;
    program.receipt = handedOut(receiptOf());
    expect(await verdictOf(program)).to.equal('valid online');
    program.verify = 'silence';
    for (const days of [1, 7, 13]) {
      program.now = later(days * day);
      expect(await verdictOf(program)).to.equal('valid receipt');
    }
    program.now = later(14 * day);
    expect(await verdictOf(program)).to.equal('invalid receipt expired');
    program.now = later(12.5 * day);
    expect(await verdictOf(program)).to.equal('invalid receipt clock_set_back');
    program.now = later(13.5 * day);
    expect(await verdictOf(program)).to.equal('invalid receipt expired');
    program.verify = valid;
    program.receipt = handedOut(receiptOf({ iat: issuedAt + 13 * 86_400, exp: issuedAt + 27 * 86_400 }));
    expect(await verdictOf(program)).to.equal('valid online');
    program.verify = 'silence';
    program.now = later(20 * day);
    expect(await verdictOf(program)).to.equal('valid receipt');
  });

  it('forgets a receipt that the service has contradicted', async () => {
    const program = new GatedProgram();
    program.store(receiptOf());
    program.verify = anAnswer(200, { valid: false });
    expect(await verdictOf(program)).to.equal('invalid online unknown');
    program.verify = 'no connection';
    expect(await verdictOf(program)).to.equal('unavailable none');
  });

  it('asks for the license key, whatever the program lacks', async () => {
    const program = new GatedProgram();
    program.store(receiptOf());
    for (const key of ['', 'another', null]) expect(await verdictOf(program, key)).to.equal('unavailable wrong_key');
    expect(await program.gate.check(undefined as unknown as string)).to.include({ receipt: 'wrong_key' });
  });
});

describe('accept', () => {
  let program: GatedProgram;

  beforeEach(() => {
    program = new GatedProgram();
  });

  it('stores a valid offline receipt, with which a machine needs no network', async () => {
    const receipt = receiptOf(offline);
    const result = await program.gate.accept(`${receipt}\n`);
    expect(result).to.include({ verdict: 'valid', mode: 'offline', expiresAt: '2027-07-18T12:00:00.000Z' });
    expect(program.stored).to.deep.equal({ receipt, lastSeen: noon.toISOString() });
    program.now = later(300 * day);
    expect(await verdictOf(program)).to.equal('valid receipt');
    expect(await verdictOf(program, 'another key')).to.equal('unavailable wrong_key');
    expect(program.requests).to.deep.equal(['/api/licenses/verify', '/api/licenses/verify']);
  });

  it('stores no other', async () => {
    const others: Readonly<Record<string, string>> = {
      malformed: 'a receipt',
      expired: receiptOf({ ...offline, exp: issuedAt }),
      wrong_product: receiptOf({ ...offline, aud: 'prod_2' }),
      unknown_signing_key: new ReceiptSigner().receipt(receiptClaims(offline)),
    };
    for (const [reason, receipt] of Object.entries(others))
      expect(await program.gate.accept(receipt)).to.include({ verdict: 'invalid', reason });
    expect(await program.gate.accept(receiptOf())).to.include({ verdict: 'valid', mode: 'online' });
    expect(program.text).to.equal(null);
  });

  it('knows a clock that was set back', async () => {
    program.store(null, later(400 * day));
    expect(await program.gate.accept(receiptOf(offline))).to.include({ reason: 'clock_set_back' });
  });
});

describe('the storage of a gate', () => {
  const never = new Promise<never>(() => {});
  const storages: Readonly<Record<string, ReceiptStorage>> = {
    throws: {
      load() {
        throw new Error('no permission');
      },
      save() {
        throw new Error('the disk is full');
      },
    },
    rejects: { load: () => Promise.reject(new Error('gone')), save: () => Promise.reject(new Error('full')) },
    hangs: { load: () => never, save: () => never },
    'loads no text': { load: () => undefined as unknown as null, save: () => {} },
  };
  for (const [fault, storage] of Object.entries(storages)) {
    it(`costs offline days only if it ${fault}`, async () => {
      const program = new GatedProgram({ storage, ...(fault === 'hangs' && { timeout: briefTimeout }) });
      program.verify = valid;
      program.receipt = handedOut(receiptOf());
      expect(await verdictOf(program)).to.equal('valid online');
      program.verify = anAnswer(200, { valid: false });
      expect(await verdictOf(program)).to.equal('invalid online unknown');
      program.verify = 'no connection';
      expect(await verdictOf(program)).to.equal('unavailable none');
      expect(await program.gate.accept(receiptOf(offline))).to.include({ verdict: 'valid' });
    });
  }

  it('may hold any text', async () => {
    const garbled = [
      '',
      'null',
      '[]',
      '7',
      '{}',
      '{',
      '['.repeat(60_000),
      'a'.repeat(1_000_000),
      receiptOf(),
      ...[0, 2, '1', null].map((version) => JSON.stringify({ version, receipt: receiptOf(), lastSeen: null })),
      ...[7, 'yesterday', {}, ''].map((lastSeen) => JSON.stringify({ version: 1, receipt: receiptOf(), lastSeen })),
      ...[7, {}, []].map((receipt) => JSON.stringify({ version: 1, receipt, lastSeen: null })),
      JSON.stringify({ version: 1, receipt: receiptOf() }),
      '{"__proto__":{"version":1,"receipt":null,"lastSeen":null}}',
    ];
    for (const text of garbled) {
      const program = new GatedProgram();
      program.text = text;
      expect(await verdictOf(program), text.slice(0, 100)).to.equal('unavailable none');
      expect(program.text).to.equal(text);
      program.verify = valid;
      program.receipt = handedOut(receiptOf());
      expect(await verdictOf(program)).to.equal('valid online');
      program.verify = 'no connection';
      expect(await verdictOf(program)).to.equal('valid receipt');
    }
  });

  it('never lets a program run by a text that no trusted key has signed', async () => {
    const { signer: own } = GatedProgram;
    const { length } = own.receipt();
    const stored = record({
      version: constantFrom(1, 2),
      receipt: oneof(string(), constantFrom(null, `${own.receipt().slice(0, length - 2)}AA`)),
      lastSeen: oneof(string(), constantFrom(null, noon.toISOString())),
    });
    await check(
      asyncProperty(
        oneof(
          string(),
          json(),
          stored.map((each) => JSON.stringify(each)),
        ),
        async (text) => {
          const program = new GatedProgram();
          program.text = text;
          expect(await verdictOf(program)).to.match(/^unavailable/);
        },
      ),
      { numRuns: rounds(200, 10_000) },
    );
  });

  it('is read and written by one check at a time', async () => {
    let busy = 0;
    let text: string | null = null;
    const slowly = async <Result>(action: () => Result): Promise<Result> => {
      busy += 1;
      expect(busy).to.equal(1);
      await new Promise(setImmediate);
      busy -= 1;
      return action();
    };
    const storage = { load: () => slowly(() => text), save: (saved: string) => slowly(() => void (text = saved)) };
    const program = new GatedProgram({ storage });
    program.verify = valid;
    program.receipt = handedOut(receiptOf());
    const checks = range(5).map(() => verdictOf(program));
    program.verify = 'no connection';
    const others = range(5).map(() => verdictOf(program));
    expect(await Promise.all([program.gate.accept(receiptOf(offline)), ...checks, ...others])).to.have.length(11);
    expect(text).to.include(receiptOf(offline).split('.')[1]);
  });
});

describe('the options of a gate', () => {
  const usable: LicenseGateOptions = {
    client: { licenses: { verify: () => Promise.reject(new Error('')), receipt: () => Promise.reject(new Error('')) } },
    keys: [signer.publicKey],
    productId: 'prod_1',
    storage: { load: () => null, save: () => {} },
  };

  it('are checked when it is made', () => {
    for (const wrong of [{ keys: [] }, { keys: undefined }, { productId: '' }, { productId: undefined }])
      expect(() => licenseGate({ ...usable, ...wrong } as LicenseGateOptions)).to.throw(TypeError);
    for (const storage of [undefined, null, 'localStorage', { load: () => null }, { save: () => {} }])
      expect(() => licenseGate({ ...usable, storage } as LicenseGateOptions)).to.throw(TypeError, 'storage must have');
    for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => licenseGate({ ...usable, timeout })).to.throw(RangeError, 'timeout must be milliseconds');
  });

  it('have a clock that must be right', async () => {
    for (const now of [() => new Date('yesterday'), () => 7, () => null, async () => noon]) {
      const program = new GatedProgram({ now: now as () => Date });
      expect(await thrownBy(program.gate.check(licenseKey))).to.be.instanceOf(TypeError);
      expect(await thrownBy(program.gate.accept(receiptOf(offline)))).to.be.instanceOf(TypeError);
    }
  });

  it('have the clock of the machine as their default', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { mode: 'offline', iat: now, exp: now + 3600 };
    const gate = licenseGate(usable);
    expect(await gate.accept(receiptOf(claims))).to.include({ verdict: 'valid' });
    expect(await gate.accept(receiptOf({ ...claims, exp: now - 1 }))).to.include({ reason: 'expired' });
  });
});
