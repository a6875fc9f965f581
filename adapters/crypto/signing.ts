import type { KeyObject } from 'node:crypto';
import type { EncodeText, KeyPair, NewKeyPair, PublicPartOf, SignText } from '../../core/receipt/signing-key.ts';
import type { RandomBytes } from '../../core/secret.ts';

// Not imported: `node-secrets.ts` says why.
const crypto = process.getBuiltinModule('node:crypto');

export const encodeText: EncodeText = (text) => Buffer.from(text).toString('base64url');

const scalarLength = 32;

/**
 * Makes key pairs on P-256 of the bytes of a source. The few scalars that are no private key are discarded (FIPS 186-5
 * A.2.2).
 */
export function keyPairs(source: RandomBytes): NewKeyPair {
  return () => {
    for (;;) {
      const pair = pairOf(Buffer.from(source(scalarLength)));
      if (pair !== null) return pair;
    }
  };
}

export const publicPartOf: PublicPartOf = (d) => {
  const pair = pairOf(Buffer.from(d, 'base64url'));
  return pair === null ? null : { x: pair.x, y: pair.y };
};

/** The pair of a private half, or null if it is 0 or not below the order of the curve. */
function pairOf(scalar: Buffer): KeyPair | null {
  const curve = crypto.createECDH('prime256v1');
  try {
    curve.setPrivateKey(scalar);
  } catch {
    return null;
  }
  // One byte that says that both coordinates follow.
  const point = curve.getPublicKey();
  return {
    d: scalar.toString('base64url'),
    x: point.subarray(1, 1 + scalarLength).toString('base64url'),
    y: point.subarray(1 + scalarLength).toString('base64url'),
  };
}

/**
 * Signs with ES256. The last key is kept as an object of Node's, because making one takes longer than a signature, which
 * takes about 30 µs: too little for a thread of its own.
 */
export function signer(): SignText {
  let last: { readonly d: string; readonly key: KeyObject } | null = null;
  return (text, pair) => {
    if (last?.d !== pair.d) last = { d: pair.d, key: privateKey(pair) };
    // The form of RFC 7518 §3.4; by default Node makes DER of it.
    return crypto.sign('sha256', Buffer.from(text), { key: last.key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  };
}

function privateKey({ x, y, d }: KeyPair): KeyObject {
  return crypto.createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' });
}
