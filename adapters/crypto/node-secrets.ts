import type { NewId } from '../../core/identifier.ts';
import { base62, randomText, type Crc32, type Digest, type Hmac, type RandomBytes } from '../../core/secret.ts';

// Not imported: an import reads each member of a module, and those of `node:crypto` load Web Crypto, 15 ms of CPU.
const crypto = process.getBuiltinModule('node:crypto');
const zlib = process.getBuiltinModule('node:zlib');

export const digest: Digest = (text) => crypto.hash('sha256', text, 'base64url');

export const hmac: Hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest('base64url');

export const randomBytes: RandomBytes = (count) => crypto.randomBytes(count);

/** Bytes that `pooled` takes from its source at once. */
const poolSize = 4096;

/**
 * Hands out the bytes of a source, each once, and takes many of them at once: a call of the random generator costs more
 * than the bytes of an id. For ids only, because the bytes stay in memory until they are used.
 */
export function pooled(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array();
  let used = 0;
  return (count) => {
    if (used + count > pool.length) {
      pool = Uint8Array.from(source(Math.max(poolSize, count)));
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}

/**
 * Returns a source of bytes that repeats itself for each seed (SHAKE256). Anybody who knows the seed knows the secrets that
 * are made of them, so it is for sample data only.
 */
export function seededBytes(seed: string): RandomBytes {
  let reads = 0;
  return (count) => {
    reads += 1;
    return crypto.createHash('shake256', { outputLength: count }).update(`${reads}\n${seed}`).digest();
  };
}

export const crc32: Crc32 = (text) => zlib.crc32(text);

/** Identifiers of a prefix and 22 random base62 symbols: 131 bits, as many as a UUID and shorter. */
export function randomIds(prefix: string, source: RandomBytes = randomBytes): NewId {
  return () => prefix + randomText(base62, 22, source);
}

/** A correlation id: a random UUID. */
export const newCorrelationId = (): string => crypto.randomUUID();
