import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VendorName } from '../../../adapters/cli/moving/record/vendor-names.ts';
import { WrongArgument } from '../../../adapters/cli/shell/errors.ts';
import type { Shell } from '../../../adapters/cli/shell/shell.ts';
import { root } from '../../../docs/generate/repository.ts';

/** A vendor's export among the golden files, and the keys in it. */
export interface VendorExport {
  readonly vendor: VendorName;
  readonly files: readonly string[];
  readonly products: string;
  readonly living: readonly string[];
  /** Keys that an import knows, and that give no access. */
  readonly dead: readonly string[];
}

/** The golden files are made by hand, with a case for each trap of the vendor. The clock stands at noon on 18 July 2026. */
export const vendorExports: readonly VendorExport[] = [
  {
    vendor: 'gumroad',
    files: ['gumroad.csv'],
    products: 'gumroad.products.json',
    living: [
      'A0001EEF-B1019919-C213D4FD-D3EC4BA7',
      'A0007BBC-B1066464-C24F53F4-D6B12E9C',
      'A000D889-B10B2FAF-C28AD2EB-D9761191',
      'A0013556-B10FFAFA-C2C651E2-DC3AF486',
      'A0017334-B1132D2C-C2EDFBDC-DE138BD4',
      'A0019223-B114C645-C301D0D9-DEFFD77B',
      'A001B112-B1165F5E-C315A5D6-DFEC2322',
      'A0020DDF-B11B2AA9-C35124CD-E2B10617',
      'A0024BBD-B11E5CDB-C378CEC7-E4899D65',
      'A0026AAC-B11FF5F4-C38CA3C4-E575E90C',
    ],
    dead: [
      'A0003DDE-B1033232-C227A9FA-D4D8974E',
      'A0005CCD-B104CB4B-C23B7EF7-D5C4E2F5',
      'A0009AAB-B107FD7D-C26328F1-D79D7A43',
      'A000B99A-B1099696-C276FDEE-D889C5EA',
      'A0015445-B1119413-C2DA26DF-DD27402D',
      'A002899B-B1218F0D-C3A078C1-E66234B3',
    ],
  },
  {
    vendor: 'lemonsqueezy',
    files: ['lemonsqueezy-keys.json', 'lemonsqueezy-subscriptions.json'],
    products: 'lemonsqueezy.products.json',
    living: uuids([1, 4, 5, 8, 9, 12, 14, 16]),
    dead: uuids([2, 3, 6, 7, 10, 11, 13]),
  },
  {
    vendor: 'polar',
    files: ['polar.json'],
    products: 'polar.products.json',
    living: [...prefixed('TOOL_', [101, 106, 107]), ...prefixed('', [102]), ...prefixed('CLUB_', [108])],
    dead: prefixed('TOOL_', [103, 104, 105]),
  },
  {
    vendor: 'keygen',
    files: ['keygen.json'],
    products: 'keygen.products.json',
    living: ['DE7AE9', 'DE7AEA', 'DE7AEB', 'DE7AF0'].map((group) => `${group}-EDAA09-D94CF9-63EB9F-3E2D59-V3`),
    dead: ['DE7AEC', 'DE7AED', 'DE7AEE'].map((group) => `${group}-EDAA09-D94CF9-63EB9F-3E2D59-V3`),
  },
  {
    vendor: 'creem',
    files: ['creem.json'],
    products: 'creem.products.json',
    living: ['ABC001', 'ABC002', 'ABC005', 'ABC006'].map((group) => `${group}-XYZ456-XYZ456-XYZ456`),
    dead: ['ABC003', 'ABC004'].map((group) => `${group}-XYZ456-XYZ456-XYZ456`),
  },
];

/** The exports of Stripe among the golden files, which have no keys. */
export const stripeExport = {
  vendor: 'stripe',
  files: ['stripe.json', 'stripe.csv'],
  products: 'stripe.products.json',
} as const;

/** The words that import an export. */
export function importWords({ vendor, files, products }: Omit<VendorExport, 'living' | 'dead'>): readonly string[] {
  return ['entitlement', 'import', '--from', vendor, '--products', products, ...files];
}

/** The folder of the golden files. */
export const goldenFolder = join(root, 'test/adapters/cli/moving/golden');

/** Opens the golden files by their names, and others by what is given for them. */
export function goldenFiles(others: Readonly<Record<string, string | Uint8Array>> = {}): Pick<Shell, 'openFile'> {
  return {
    openFile: async (name) => {
      const given = others[name];
      if (given !== undefined) return { size: given.length, content: inPieces(Buffer.from(given)) };
      const path = join(goldenFolder, name);
      const found = await stat(path).catch(() => null);
      if (found === null) throw new WrongArgument('The file must exist and be readable.');
      return { size: found.size, content: createReadStream(path, { highWaterMark: 700 }) };
    },
  };
}

/** In pieces of 100 bytes, which cut records, characters and quotes. */
async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100);
}

function uuids(numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${(0x38b1460a + number).toString(16)}-5104-4067-a91d-77b872934d51`);
}

function prefixed(prefix: string, numbers: readonly number[]): readonly string[] {
  return uuids(numbers).map((key) => prefix + key.toUpperCase());
}
