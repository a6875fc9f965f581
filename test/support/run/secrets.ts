import { createHash, randomBytes as secureBytes } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import type { Crc32, Digest, RandomBytes } from '../../../core/secret.ts';

export const sha256: Digest = (text) => createHash('sha256').update(text).digest('base64url');
export const crc32: Crc32 = (text) => zlibCrc32(text);
export const randomBytes: RandomBytes = (count) => secureBytes(count);
