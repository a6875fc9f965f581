import { expect } from 'chai';
import * as fc from 'fast-check';
import { appKeyKind } from '../../../core/key/app/app-key.ts';
import { canBeKey, generateKey } from '../../../core/key/key-kind.ts';
import { operatorKeyKind } from '../../../core/key/operator/operator-key.ts';
import { isUsable } from '../../../core/key/stored-key.ts';
import { anAppKey, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { crc32, randomBytes } from '../../support/run/secrets.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('generateKey', () => {
  it('returns the prefix, 32 random symbols and a checksum of six', () => {
    for (const key of range(100).map(() => generateKey(appKeyKind, randomBytes, crc32))) {
      expect(key).to.match(/^svc_sk_live_[0-9A-Za-z]{38}$/);
      expect(canBeKey(appKeyKind, key, crc32)).to.equal(true);
    }
  });

  it('ends with the CRC-32 of everything before it, in base 62', () => {
    const zeros = `svc_sk_live_${'0'.repeat(32)}`;
    let checksum = 0;
    for (const symbol of generateKey(appKeyKind, (count) => new Uint8Array(count), crc32).slice(zeros.length)) {
      checksum = checksum * 62 + base62.indexOf(symbol);
    }
    expect(checksum).to.equal(crc32(zeros));
    expect(
      generateKey(
        appKeyKind,
        (count) => new Uint8Array(count),
        () => 0,
      ).slice(-6),
    ).to.equal('000000');
    expect(
      generateKey(
        appKeyKind,
        (count) => new Uint8Array(count),
        () => 0xffffffff,
      ).slice(-6),
    ).to.equal('4gfFC3');
  });

  it('gives each kind its prefix, and no key of one kind can be of another', () => {
    const [app, operator] = [appKeyKind, operatorKeyKind].map((kind) => generateKey(kind, randomBytes, crc32));
    expect(operator).to.match(/^svc_op_live_[0-9A-Za-z]{38}$/);
    expect([
      canBeKey(operatorKeyKind, operator ?? '', crc32),
      canBeKey(operatorKeyKind, app ?? '', crc32),
      canBeKey(appKeyKind, operator ?? '', crc32),
    ]).to.deep.equal([true, false, false]);
  });

  it('never returns a key twice', () => {
    expect(new Set(range(1000).map(() => generateKey(appKeyKind, randomBytes, crc32))).size).to.equal(1000);
  });
});

describe('canBeKey', () => {
  it('refuses every single wrong symbol of an issued key', () => {
    const key = generateKey(appKeyKind, randomBytes, crc32);
    const first = 'svc_sk_live_'.length;
    const wrong = range(38).flatMap((index) =>
      Array.from(base62)
        .filter((symbol) => symbol !== key.charAt(first + index))
        .map((symbol) => key.slice(0, first + index) + symbol + key.slice(first + index + 1)),
    );
    expect(wrong.filter((typed) => canBeKey(appKeyKind, typed, crc32))).to.deep.equal([]);
  });

  it('accepts any other text with the prefix, which may have been stored by hand', () => {
    const body = generateKey(appKeyKind, randomBytes, crc32);
    const seeded = ['svc_sk_live_', 'svc_sk_live_demo', `${body}x`, body.slice(0, -1), `svc_sk_live_${'-'.repeat(38)}`];
    expect(seeded.filter((text) => !canBeKey(appKeyKind, text, crc32))).to.deep.equal([]);
  });

  it('refuses every text without the prefix', () => {
    for (const text of ['', 'svc_sk_live', 'SVC_SK_LIVE_x', ' svc_sk_live_x', 'svc_sk_test_x']) {
      expect(canBeKey(appKeyKind, text, crc32)).to.equal(false);
    }
    fc.assert(fc.property(fc.string(), (text) => void expect(canBeKey(appKeyKind, `x${text}`, crc32)).to.equal(false)));
  });
});

describe('isUsable', () => {
  it('is false from the millisecond of the expiry on, and after a revocation', () => {
    const usable = [
      isUsable(anAppKey(), later(1e12)),
      isUsable(anAppKey({ expiresAt: later(1) }), later(0)),
      isUsable(anAppKey({ expiresAt: later(1) }), later(1)),
      isUsable(anAppKey({ revokedAt: later(1) }), later(0)),
      isUsable(anAppKey({ revokedAt: later(0), expiresAt: later(9) }), later(1)),
    ];
    expect(usable).to.deep.equal([true, true, false, false, false]);
  });
});
