import { WrongArgument } from '../shell/errors.ts';

/** The mistake of a file that Windows has saved as "Unicode", to follow its name. */
export const utf16 = 'is UTF-16: save it as UTF-8';

const notUtf8 = 'is not UTF-8: save it as UTF-8';

/** Whether bytes begin a text in UTF-16: by its byte order mark, or by the zero byte of its first letter. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;
}

/** The text of a file in UTF-8, without its byte order mark, or the problem with it, to follow its name. */
export function textIn(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  if (isUtf16(bytes)) return { problem: utf16 };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: notUtf8 };
  }
}

/** Passes content on. Throws `WrongArgument` for UTF-16 before anything of it is read. */
export async function* withoutUtf16(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let first: Uint8Array | null = new Uint8Array();
  for await (const chunk of content) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
    if (first.length < 2) continue;
    if (isUtf16(first)) throw new WrongArgument(`The input ${utf16}.`);
    yield first;
    first = null;
  }
  if (first !== null) yield first;
}
