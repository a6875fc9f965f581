import { WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { textIn } from './encoding.ts';

/** In bytes: longer input is refused without reading it to its end. */
const maxLength = 4096;

/** Reads the key on standard input, without a newline at its end. Throws `WrongArgument` if it is not UTF-8. */
export async function keyOnStandardInput({ stdin, stderr }: Shell): Promise<string> {
  if (stdin.isTTY === true) stderr.write('Paste the license key, then press Enter and Ctrl-D.\n');
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.length;
    if (length > maxLength) break;
  }
  return textOf(Buffer.concat(chunks)).replace(/\r?\n$/, '');
}

function textOf(bytes: Uint8Array): string {
  const read = textIn(bytes);
  if ('text' in read) return read.text;
  throw new WrongArgument('The license key on standard input must be UTF-8 text.');
}
