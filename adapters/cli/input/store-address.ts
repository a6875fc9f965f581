import type { Command } from 'commander';
import { WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { textIn } from './encoding.ts';

/** The two stores of a copy or comparison. */
export type StoreRole = 'from' | 'to';

/** The options that `storeAddress` reads. */
export interface AddressOptions {
  readonly from?: string;
  readonly fromFile?: string;
  readonly to?: string;
  readonly toFile?: string;
}

/** In bytes: longer files hold no address. */
const maxLength = 65_536;

/** Adds the options for the address of a store. A file keeps its password out of the list of processes. */
export function addAddressOptions(command: Command, role: StoreRole, description: string): Command {
  const variable = `STORE_${role.toUpperCase()}`;
  return command
    .option(`--${role} <url>`, `${description}: sqlite:PATH or mongodb://HOST/DATABASE (default: ${variable})`)
    .option(`--${role}-file <file>`, `a file with the address of that store (default: ${variable}_FILE)`);
}

/** The address of a store, from its options or else from the environment. Throws `WrongArgument`. */
export async function storeAddress(role: StoreRole, options: AddressOptions, shell: Shell): Promise<string> {
  const [flag, variable] = [`--${role}`, `STORE_${role.toUpperCase()}`];
  const { environment } = shell;
  const sources = [
    { url: options[role], file: options[`${role}File`], names: [flag, `${flag}-file`] },
    { url: environment[variable], file: environment[`${variable}_FILE`], names: [variable, `${variable}_FILE`] },
  ] as const;
  for (const { url, file, names } of sources) {
    if (url !== undefined && file !== undefined) throw new WrongArgument(`${names.join(' and ')} cannot both be set.`);
    if (url !== undefined) return url;
    if (file !== undefined) return addressIn(file, names[1], shell);
  }
  throw new WrongArgument(`Name the store with ${flag}, ${flag}-file, ${variable} or ${variable}_FILE.`);
}

async function addressIn(file: string, source: string, { openFile }: Shell): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const { content } = await openFile(file);
    for await (const chunk of content) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxLength) break;
    }
  } catch (cause) {
    throw new WrongArgument(`The file that ${source} names cannot be read.`, { cause });
  }
  const read = textIn(Buffer.concat(chunks).subarray(0, maxLength));
  if ('problem' in read) throw new WrongArgument(`The file that ${source} names ${read.problem}.`);
  const address = read.text.trim();
  if (address !== '' && length <= maxLength) return address;
  throw new WrongArgument(`The file that ${source} names must hold the address of a store.`);
}
