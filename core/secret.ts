/** SHA-256 of a text's UTF-8 bytes, base64url without padding. */
export type Digest = (text: string) => string;

/** HMAC-SHA256 (RFC 2104) of a text under the UTF-8 bytes of a key, base64url without padding. */
export type Hmac = (key: string, text: string) => string;

/** Bytes from a cryptographically secure source. */
export type RandomBytes = (count: number) => Uint8Array;

/** The CRC-32 (ISO-HDLC, as in zip) of a text's UTF-8 bytes, as an unsigned integer. */
export type Crc32 = (text: string) => number;

/** Makes a secret from random bytes, in the form in which it is shown. */
export type NewSecret = () => string;

/** The digits and the letters of both cases. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Makes a text of `length` symbols, each equally likely. Bytes that would favour some symbols are dropped. */
export function randomText(alphabet: string, length: number, randomBytes: RandomBytes): string {
  const usable = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < usable && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
