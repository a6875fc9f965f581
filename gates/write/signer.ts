import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Members } from '../../testing/gates/cases.ts';

/** The signatures of the file that is there, by what they sign. They are random, so those that fit are kept. */
const kept = Map.groupBy(
  textOf(new URL('../cases.json', import.meta.url)).matchAll(/([\w-]+\.[\w-]+)\.([\w-]{80,})/g),
  ([, content = '']) => content,
);
const made = new Map<string, string>();

/** A signing key that everybody can make: its private part is the digest of its name. */
export class Signer {
  readonly publicKey: { readonly [member: string]: string; readonly kid: string };
  readonly #key: KeyObject;

  constructor(name: string) {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(createHash('sha256').update(`latchkey gates: ${name}`).digest());
    const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)].map(base64url);
    const d = base64url(ecdh.getPrivateKey());
    const [kty, crv, alg, use] = ['EC', 'P-256', 'ES256', 'sig'] as const;
    const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
    this.#key = createPrivateKey({ key: { kty, crv, x, y, d } as Members, format: 'jwk' });
    this.publicKey = { kty, crv, x: x ?? '', y: y ?? '', kid, alg, use };
  }

  header(overrides: Members = {}): Members {
    return { alg: 'ES256', kid: this.publicKey.kid, typ: 'license-receipt+jwt', ...overrides };
  }

  receipt(claims: Members, header: Members = this.header()): string {
    return this.signed(JSON.stringify(header), JSON.stringify(claims));
  }

  /** Signs texts as they are. */
  signed(header: string, payload: string | Uint8Array, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): string {
    const content = `${base64url(header)}.${base64url(payload)}`;
    const name = `${this.publicKey.kid} ${dsaEncoding} ${content}`;
    const signature = made.get(name) ?? this.#kept(content, dsaEncoding) ?? this.#sign(content, dsaEncoding);
    made.set(name, signature);
    return `${content}.${signature}`;
  }

  #kept(content: string, dsaEncoding: 'ieee-p1363' | 'der'): string | undefined {
    const key = { key: createPublicKey(this.#key), dsaEncoding };
    const before = (kept.get(content) ?? []).map(([, , signature = '']) => signature);
    return before.find((each) => verify('sha256', Buffer.from(content), key, Buffer.from(each, 'base64url')));
  }

  #sign(content: string, dsaEncoding: 'ieee-p1363' | 'der'): string {
    return base64url(sign('sha256', Buffer.from(content), { key: this.#key, dsaEncoding }));
  }
}

export function base64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** The SHA-256 of a text in base64url, as receipts have those of keys. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function textOf(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
