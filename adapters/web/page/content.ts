import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageAnswer, PageRequest } from './page.ts';
import { chooseCoding, type Coding } from './preferences.ts';

// Not imported: an import reads each member of `node:crypto`, and some load Web Crypto.
const { hash } = process.getBuiltinModule('node:crypto');

const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => compressWithBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip),
};
const compressWithBrotli = promisify(brotliCompress);

/** A third smaller than gzip at about its cost; the maximum takes 30 times as long. */
const brotliQuality = 5;

/** Content under a kilobyte fits into one packet, compressed or not. */
const minToCompress = 1024;

const vary = ['Vary', 'Accept-Encoding'];

/**
 * Content that is sent many times. Texts are compressed when they are first asked for in a coding, and only then. Fonts
 * are compressed already.
 */
export class Content {
  readonly bytes: Buffer;
  /** Without parameters. */
  readonly type: string;
  /** A digest of the bytes. */
  readonly digest: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(type: string, content: string | Buffer) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.type = type;
    this.digest = hash('sha256', this.bytes, 'base64url').slice(0, 22);
  }

  /** Answers in the coding that the client prefers. */
  async answer({ header }: PageRequest, cacheControl: string): Promise<PageAnswer> {
    const facts = { status: 200, cacheControl, etag: `W/"${this.digest}"` };
    if (this.type.startsWith('font/')) return { ...facts, content: this.bytes, contentType: this.type };
    const coding = this.bytes.length < minToCompress ? null : chooseCoding(header('accept-encoding'));
    return {
      ...facts,
      content: coding === null ? this.bytes : await this.#in(coding),
      contentType: `${this.type}; charset=utf-8`,
      headers: coding === null ? vary : [...vary, 'Content-Encoding', coding],
    };
  }

  #in(coding: Coding): Promise<Buffer> {
    const known = this.#compressed.get(coding);
    if (known !== undefined) return known;
    const compressed = compress[coding](this.bytes);
    this.#compressed.set(coding, compressed);
    compressed.catch(() => this.#compressed.delete(coding));
    return compressed;
  }
}
