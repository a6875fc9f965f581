import { expect } from 'chai';
import { LatchkeyError, type LicenseCheck } from '../../../client/index.ts';
import { day, later, noon } from '../../support/builders.ts';
import { anAnswer, GatedProgram, type ServiceAnswer } from '../../support/client/gated-program.ts';
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

const { signer } = GatedProgram;
const stranger = new ReceiptSigner();
const entitlement = aLicensedEntitlement();
const seenBefore = later(-3_600_000);

/** A receipt that was issued `age` seconds before noon. */
function receiptOf(age: number, overrides: Members = {}): string {
  return signer.receipt(receiptClaims({ iat: issuedAt - age, exp: issuedAt - age + validFor, ...overrides }));
}

const week = validFor / 2;
const allowed = { features: { projects: 20, sso: true }, deviceLimit: 3 };
/** The allowance in every result that is not valid: a license that has ended allows nothing. */
const nothing = { features: {}, deviceLimit: null };
const rich = { ...entitlement, ...allowed };
const trial = aLicensedEntitlement({ status: 'trialing', tierId: 'basic' });

/** A stored receipt, and how the table calls it. */
interface StoredState {
  readonly receipt: string | null;
  readonly lastSeen?: Date;
  /** `fresh` needs no successor, `old` is good without a verdict only, and `handed out` stays beside what is fetched. */
  readonly is:
    'fresh' | 'old' | 'handed out' | 'expired' | 'clock_set_back' | 'none' | 'wrong_key' | 'wrong_product' | 'unusable';
  readonly reason?: string;
}

const states: Readonly<Record<string, StoredState>> = {
  nothing: { receipt: null, is: 'none' },
  'a receipt': { receipt: receiptOf(week - 1), is: 'fresh' },
  'a receipt to be refreshed': { receipt: receiptOf(week), is: 'old' },
  'a receipt of an earlier tier': { receipt: receiptOf(60, { entitlement: trial }), is: 'old' },
  'an offline receipt': { receipt: receiptOf(week + 1, { mode: 'offline' }), is: 'fresh' },
  'an offline receipt of an earlier tier': {
    receipt: receiptOf(week + 1, { mode: 'offline', entitlement: trial }),
    is: 'handed out',
  },
  'an expired receipt': { receipt: receiptOf(validFor, { entitlement: rich }), is: 'expired' },
  'an expired offline receipt': { receipt: receiptOf(validFor, { mode: 'offline' }), is: 'expired' },
  'a receipt of a clock that is far ahead': {
    receipt: receiptOf((-2 * day) / 1000, { entitlement: rich }),
    is: 'clock_set_back',
  },
  'a receipt of another license': { receipt: receiptOf(0, { key: digestOf('another key') }), is: 'wrong_key' },
  'a receipt of another product': { receipt: receiptOf(0, { aud: 'prod_2' }), is: 'wrong_product' },
  'a receipt of an unknown key': { receipt: stranger.receipt(), is: 'unusable', reason: 'unknown_signing_key' },
  'a forged receipt': {
    receipt: stranger.receipt(receiptClaims(), signer.header()),
    is: 'unusable',
    reason: 'bad_signature',
  },
  'another text': { receipt: 'a receipt', is: 'unusable', reason: 'malformed' },
};

const valid = anAnswer(200, { valid: true, entitlement });
const online = { verdict: 'valid', source: 'online', reason: null, entitlement, ...nothing };

const malformed = {
  ...anAnswer(400, { valid: false, error: 'Malformed.' }),
  headers: { 'Error-Code': 'malformed_license_key' },
};

const invalid: Readonly<Record<string, readonly [answer: ServiceAnswer, reason: string, shown: unknown]>> = {
  unknown: [anAnswer(200, { valid: false }), 'unknown', null],
  malformed: [malformed, 'malformed', null],
  'no access': [anAnswer(200, { valid: false, entitlement: trial }), 'no_access', trial],
};

const withoutVerdict: Readonly<Record<string, ServiceAnswer>> = {
  'is dead': 'no connection',
  hangs: 'silence',
  'answers 500': anAnswer(500, { valid: false, error: 'It failed.' }),
  'answers 503 of a proxy': { status: 503, body: 'Bad gateway' },
  'answers 404': { status: 404, body: 'Not found' },
  'answers 429': anAnswer(429, { valid: false, error: 'Too many requests.' }),
  'is behind a portal': { status: 200, body: '<!doctype html><title>Welcome to the hotel</title>' },
  'answers half': { status: 200, body: '{"valid":' },
  redirects: { status: 302, body: '' },
  'answers valid without an entitlement': anAnswer(200, { valid: true, entitlement: null }),
  'answers invalid for what is no entitlement': anAnswer(200, { valid: false, entitlement: null }),
};

/** A check, without the time of the next one: `gates/cases.json` has those. */
async function checked(program: GatedProgram): Promise<Omit<LicenseCheck, 'nextCheck'>> {
  const { nextCheck: _, ...result } = await program.gate.check(licenseKey);
  return result;
}

describe('licenseGate', () => {
  let program: GatedProgram;

  beforeEach(() => {
    program = new GatedProgram();
  });

  for (const [stored, { receipt, lastSeen = seenBefore, is, reason = is }] of Object.entries(states)) {
    const expiresAt = receipt === null || is === 'unusable' ? null : expiryOf(receipt);

    describe(`with ${stored}`, () => {
      beforeEach(() => {
        if (receipt !== null) program.store(receipt, lastSeen);
      });

      const isGood = is === 'fresh' || is === 'old' || is === 'handed out';

      it(`${is === 'fresh' ? 'fetches no other' : 'fetches another'} if the service says valid`, async () => {
        const ends = { accessEndsAt: '2028-01-01T00:00:00.000Z', updatesUntil: '2027-01-01T00:00:00.000Z' };
        const fetched = receiptOf(-1, { entitlement: { ...rich, ...ends } });
        program.verify = valid;
        program.receipt = anAnswer(200, { success: true, data: { receipt: fetched } });
        const shown = is === 'fresh' ? {} : { ...allowed, entitlement: { ...rich, ...ends } };
        const kept = is === 'fresh' || is === 'handed out' ? receipt : fetched;
        const offlineUntil = expiryOf(kept ?? '');
        expect(await checked(program)).to.deep.equal({ ...online, ...shown, offlineUntil });
        expect(program.stored).to.deep.equal({ receipt: kept, lastSeen: noon.toISOString() });
        const requests = ['/api/licenses/verify', ...(is === 'fresh' ? [] : ['/api/licenses/receipt'])];
        expect(program.requests).to.deep.equal(requests);
      });

      it('keeps it if the service says valid and gives no other', async () => {
        program.verify = valid;
        const offlineUntil = isGood ? expiresAt : null;
        expect(await checked(program)).to.deep.equal({ ...online, offlineUntil });
        expect(program.stored).to.deep.equal({ receipt, lastSeen: noon.toISOString() });
      });

      for (const [title, [answer, why, shown]] of Object.entries(invalid)) {
        const isKept = why === 'malformed' || is === 'wrong_key' || is === 'wrong_product';
        it(`${isKept ? 'keeps' : 'drops'} it if the service says ${title}`, async () => {
          program.verify = answer;
          const result = await checked(program);
          const said = { verdict: 'invalid', source: 'online', reason: why, entitlement: shown };
          expect(result).to.deep.equal({ ...said, ...nothing });
          const after = { receipt: isKept ? receipt : null, lastSeen: lastSeen.toISOString() };
          expect(program.stored).to.deep.equal(receipt === null ? null : after);
          expect(program.requests).to.have.length(1);
        });
      }

      for (const [title, answer] of Object.entries(withoutVerdict)) {
        it(`goes by it if the service ${title}`, async () => {
          program.verify = answer;
          const before = program.stored;
          const result = await checked(program);
          expect(program.requests).to.have.length(1);
          if (isGood || is === 'expired' || is === 'clock_set_back') {
            const own = stored.includes('tier') ? trial : entitlement;
            const said = isGood
              ? { verdict: 'valid', reason: null, entitlement: own, offlineUntil: expiresAt }
              : { verdict: 'invalid', reason: is, entitlement: own };
            expect(result).to.deep.equal({ ...said, source: 'receipt', ...nothing });
            expect(program.stored).to.deep.equal({ receipt, lastSeen: noon.toISOString() });
          } else {
            const { error, ...others } = result as Extract<LicenseCheck, { readonly verdict: 'unavailable' }>;
            const said = { verdict: 'unavailable', reason: null, receipt: reason, entitlement: null };
            expect(others).to.deep.equal({ ...said, ...nothing });
            expect(error).to.be.instanceOf(LatchkeyError);
            expect(program.stored).to.deep.equal(before);
          }
        });
      }
    });
  }
});

function expiryOf(receipt: string): string {
  const { exp }: { exp: number } = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString());
  return new Date(exp * 1000).toISOString();
}
