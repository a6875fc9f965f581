import { randomText, type RandomBytes } from '../secret.ts';

/** Makes the part of the id of a mail that no other has: 64 random bits in hexadecimal. */
export function newMailId(randomBytes: RandomBytes): string {
  return randomText('0123456789abcdef', 16, randomBytes);
}
