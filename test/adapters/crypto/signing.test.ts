import type { webcrypto } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest, randomBytes, seededBytes } from '../../../adapters/crypto/node-secrets.ts';
import { encodeText, keyPairs, publicPartOf, signer } from '../../../adapters/crypto/signing.ts';
import { newSigningKey, thumbprint, type KeyPair, type PublicPart } from '../../../core/receipt/signing-key.ts';

/** The key of RFC 7515, A.3. */
const published: KeyPair = {
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
};

const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

describe('key pairs', () => {
  it('have the public half that RFC 7515 gives for its private one', () => {
    expect(keyPairs(() => Buffer.from(published.d, 'base64url'))()).to.deep.equal(published);
    const { d, ...publicPart } = published;
    expect(publicPartOf(d)).to.deep.equal(publicPart);
    expect(publicPartOf('A'.repeat(43))).to.equal(null);
  });

  it('are never of a scalar that is no private key', () => {
    const scalars = ['00'.repeat(32), order, 'ff'.repeat(32), `${'00'.repeat(31)}01`];
    const bytes = scalars.map((hex) => Buffer.from(hex, 'hex'));
    const newKeyPair = keyPairs(() => bytes.shift() ?? expect.fail('four are enough'));
    expect(newKeyPair().d).to.equal(Buffer.from(`${'00'.repeat(31)}01`, 'hex').toString('base64url'));
  });

  it('repeat themselves for each seed, and differ without one', () => {
    const [first, second, other] = ['seed', 'seed', 'other'].map((seed) => keyPairs(seededBytes(seed))());
    expect(first).to.deep.equal(second);
    expect(first).to.not.deep.equal(other);
    expect(keyPairs(randomBytes)()).to.not.deep.equal(keyPairs(randomBytes)());
  });
});

describe('a signing key', () => {
  it('has the thumbprint of RFC 7638, which Web Crypto computes from the canonical JWK as well', async () => {
    const { x, y } = published;
    const canonical = new TextEncoder().encode(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }));
    const hash = await crypto.subtle.digest('SHA-256', canonical);
    expect(thumbprint(published, digest)).to.equal(Buffer.from(hash).toString('base64url'));
  });

  it('never has an id that begins with a hyphen', () => {
    const newKey = newSigningKey(keyPairs(seededBytes('hyphens')), digest);
    const ids = Array.from({ length: 300 }, () => newKey(new Date(0)).kid);
    expect(ids.filter((kid) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/.test(kid))).to.deep.equal([]);
    const all = keyPairs(seededBytes('hyphens'));
    const unfiltered = Array.from({ length: 300 }, () => thumbprint(all(), digest));
    expect(unfiltered.some((kid) => kid.startsWith('-'))).to.equal(true);
  });
});

describe('a signature', () => {
  const sign = signer();
  const pair = keyPairs(seededBytes('signatures'))();

  it('is r and s, and verified by Web Crypto', async () => {
    const key = await importKey(pair);
    await fc.assert(
      fc.asyncProperty(fc.base64String(), async (text) => {
        const signature = Buffer.from(sign(text, pair), 'base64url');
        expect(signature).to.have.length(64);
        expect(await verify(key, signature, text)).to.equal(true);
        expect(await verify(key, signature, `${text}.`)).to.equal(false);
      }),
      { numRuns: 30 },
    );
  });

  it('is of the key that is passed, also if another one has signed before', async () => {
    const other = keyPairs(seededBytes('others'))();
    for (const one of [pair, other, pair]) {
      const signature = Buffer.from(sign('text', one), 'base64url');
      expect(await verify(await importKey(one), signature, 'text')).to.equal(true);
    }
  });

  it('is of a text whose bytes are encoded without padding', () => {
    expect(encodeText('{"a":"\u{e9}?>"}')).to.equal(Buffer.from('{"a":"\u{e9}?>"}').toString('base64url'));
    expect(encodeText('a')).to.equal('YQ');
  });
});

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function importKey({ x, y }: PublicPart): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, algorithm, false, ['verify']);
}

function verify(key: webcrypto.CryptoKey, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
  return crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(text));
}
