import { hash, randomBytes as nodeRandomBytes, randomUUID } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import type { Crc32, Digest, RandomBytes } from '../../core/secret.ts';

export const digest: Digest = (text) => hash('sha256', text, 'base64url');

export const randomBytes: RandomBytes = nodeRandomBytes;

export const crc32: Crc32 = (text) => zlibCrc32(text);

/** A correlation id. */
export const newCorrelationId = (): string => randomUUID();
