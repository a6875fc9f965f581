import type { Shell } from '../shell/shell.ts';
import { WrongArgument } from '../shell/errors.ts';

/** More bytes than any key has: what is longer need not be read to its end to be refused. */
const enough = 4096;

/** The key on standard input, without one newline at its end. Throws `WrongArgument` for what is not UTF-8. */
export async function keyOnStandardInput({ stdin, stderr }: Shell): Promise<string> {
  if (stdin.isTTY === true) stderr.write('Paste the license key, then press Enter and Ctrl-D.\n');
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.length;
    if (length > enough) break;
  }
  return textOf(Buffer.concat(chunks)).replace(/\r?\n$/, '');
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new WrongArgument('The license key on standard input must be UTF-8 text.');
  }
}
