import type { Command } from 'commander';
import type { EntitlementDraft } from '../../../core/entitlement/administration/import-entitlements.ts';
import { generateLicenseKey } from '../../../core/license/license-key.ts';
import { entitlementOfJson } from '../import/entitlement-import.ts';
import { importInput, type Import } from '../import/import-command.ts';
import { withWarnings } from '../import/import-warnings.ts';
import { readOne, type ReadLine } from '../input/json-lines.ts';
import { printPieces } from '../output/output.ts';
import { writeError } from '../output/shown-text.ts';
import { CommandFailed, WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { KeysFile } from './keys-file.ts';
import { counted, readProductMap } from './product-map.ts';
import type { Vendor } from './record/sold.ts';
import type { VendorName } from './record/vendor-names.ts';
import { Rewriting, type Rewritten, type Survey } from './rewriting.ts';
import type { SoldLine } from './sold-line.ts';
import { fileName, openVendorFile } from './vendor-files.ts';
import { vendors } from './vendors/vendors.ts';

/** Lines that are printed at a time, so that the file for keys is not flushed for each of them. */
const groupSize = 1000;

/** The options of `entitlement import`. All but `dryRun` go with `from`. */
export interface MovingOptions {
  readonly from?: VendorName;
  readonly products?: string;
  readonly keysFile?: string;
  readonly asOf?: Date;
  readonly print?: true;
  readonly skipEnded?: true;
  readonly dryRun?: true;
}

type Options = MovingOptions & { readonly from: VendorName };

/**
 * Imports the exports of a vendor. Nothing is written before all files have been read and every id is mapped; then each
 * record is rewritten as a line of `entitlement import`, which is printed or imported.
 */
export async function importSold(
  shell: Shell,
  command: Command,
  paths: readonly string[],
  options: Options,
): Promise<void> {
  const vendor = vendors[options.from];
  const map = await readProductMap(checked(options, vendor, paths), shell);
  const { addInterval, randomBytes } = await shell.loadPlatform();
  const { now } = shell.newCall();
  const newKey = options.dryRun === true ? null : () => generateLicenseKey(randomBytes);
  const times = { now, asOf: options.asOf ?? now, addInterval };
  const rewriting = new Rewriting({ vendor, map, times, skipEnded: options.skipEnded === true, newKey });
  try {
    const survey = await rewriting.survey(paths, shell);
    for (const notice of survey.notices) writeError(shell, `${notice}\n`);
    rewriting.startPass();
    if (options.print === true) await printLines(shell, paths, rewriting, options);
    else await importLines(shell, command, paths, rewriting, survey, options);
  } finally {
    rewriting.close();
  }
}

/** The path of the map. Throws `WrongArgument` for options that cannot be combined. */
function checked(options: Options, { makesKeys }: Vendor, paths: readonly string[]): string {
  const { products, keysFile, print, dryRun } = options;
  if (products === undefined) throw new WrongArgument('--from needs --products.');
  if (paths.includes('-')) throw new WrongArgument('With --from, name files: they are read several times.');
  if (print === true && dryRun === true) throw new WrongArgument('--print cannot be combined with --dry-run.');
  if (keysFile !== undefined && !makesKeys) throw new WrongArgument('--keys-file is for --from stripe.');
  if (makesKeys && keysFile === undefined && print !== true && dryRun !== true) {
    throw new WrongArgument('--from stripe needs --keys-file, because Stripe has no license keys.');
  }
  return products;
}

async function importLines(
  shell: Shell,
  command: Command,
  paths: readonly string[],
  rewriting: Rewriting,
  { size }: Survey,
  { keysFile, dryRun }: Options,
): Promise<void> {
  const isDry = dryRun === true;
  const keys = keysFile === undefined || isDry ? null : await KeysFile.create(keysFile, shell);
  const contents = async function* (): AsyncIterable<AsyncIterable<Uint8Array>> {
    for (const [position, path] of paths.entries()) {
      yield (await openVendorFile(path, position, paths.length, shell)).content;
    }
  };
  const read: Import<EntitlementDraft>['read'] = async function* (content, position) {
    const name = fileName(position, paths.length);
    for await (const each of rewriting.rewrite({ name, content })) yield draftOf(each, name, paths.length > 1);
  };
  try {
    await withWarnings(shell, ({ begin, logged }) =>
      importInput(shell, command, { size, contents: contents() }, isDry, {
        read,
        begin: namingRefused(keys === null ? begin : keys.writingKeys(begin)),
        logged,
      }),
    );
  } finally {
    await keys?.close();
  }
}

/** Imports, and names the entitlements that the store refuses: the records of a page are often on one line. */
function namingRefused(begin: Import<EntitlementDraft>['begin']): Import<EntitlementDraft>['begin'] {
  return (store, isDry) => {
    const storeDrafts = begin(store, isDry);
    return async (drafts, call) => {
      const errors = await storeDrafts(drafts, call);
      return errors.map((refused, position) =>
        refused === null ? null : { ...refused, error: `${drafts[position]?.id}: ${refused.error}` },
      );
    };
  };
}

/** The draft of a rewritten record, or the mistake in it, with the file if there are several. */
function draftOf(each: Rewritten, name: string, isOneOfSeveral: boolean): ReadLine<EntitlementDraft> {
  const place = isOneOfSeveral ? `${name}: ` : '';
  const { line } = each;
  if (each.kind === 'bad') return { kind: 'bad', line, code: 'invalid_line', error: `${place}${each.problem}` };
  const result = readOne(line, () => entitlementOfJson(JSON.stringify(each.content)));
  return result.kind === 'bad' ? { ...result, error: `${place}${each.content.id}: ${result.error}` } : result;
}

/** Prints the lines, with the keys that are made for them also in the file for keys, if it is named. */
async function printLines(
  shell: Shell,
  paths: readonly string[],
  rewriting: Rewriting,
  { keysFile }: Options,
): Promise<void> {
  const keys = keysFile === undefined ? null : await KeysFile.create(keysFile, shell);
  let bad = 0;
  let group: SoldLine[] = [];
  const lines = async function* (): AsyncIterable<string> {
    for (const [position, path] of paths.entries()) {
      const file = await openVendorFile(path, position, paths.length, shell);
      for await (const each of rewriting.rewrite(file)) {
        if (each.kind === 'line') {
          if (group.push(each.content) < groupSize) continue;
          yield* await printed(group, keys);
          group = [];
        } else {
          bad += 1;
          writeError(shell, `${file.name}, line ${each.line}: ${each.problem}\n`);
        }
      }
    }
    yield* await printed(group, keys);
  };
  try {
    await printPieces(lines(), shell);
  } finally {
    await keys?.close();
  }
  if (bad > 0) throw new CommandFailed('lines_refused', `${counted(bad, 'record')} cannot be rewritten.`);
}

/** The texts of lines, once their keys are in the file for keys. */
async function printed(lines: readonly SoldLine[], keys: KeysFile | null): Promise<readonly string[]> {
  await keys?.add(lines);
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}
