import type { Command } from 'commander';
import { instantRule } from '../../../core/parsing/instant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { importFile } from '../import/import-command.ts';
import { withWarnings } from '../import/import-warnings.ts';
import { filePathRule, optionName, valueOption } from '../input/options.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import type { MovingOptions } from './import-sold.ts';
import { vendorNames } from './record/vendor-names.ts';

export function addEntitlementImport(group: Command, shell: Shell): void {
  group
    .command('import')
    .description(
      'add entitlements with the license keys that their buyers have, and create the store if it does not exist',
    )
    .argument(
      '<file...>',
      'a file with one entitlement a line, as JSON, or - for standard input; or exports of a vendor',
    )
    .addOption(valueOption('--from <vendor>', 'read exports of this vendor', oneOf(vendorNames)))
    .addOption(
      valueOption('--products <file>', 'a JSON file with the tier of each product of the vendor', filePathRule),
    )
    .addOption(
      valueOption('--keys-file <file>', 'the new file for keys that are made, with --from stripe', filePathRule),
    )
    .addOption(valueOption('--as-of <instant>', 'when the vendor made the export (default: now)', instantRule))
    .option('--skip-ended', 'leave out what has ended or was revoked')
    .option('--print', 'print the lines that would be imported, and import nothing')
    .option('--dry-run', 'report what the import would do, and change nothing')
    .action(async (paths: readonly string[], options: MovingOptions, command: Command) => {
      const { from, dryRun } = options;
      if (from !== undefined) {
        const { importSold } = await import('./import-sold.ts');
        return importSold(shell, command, paths, { ...options, from });
      }
      const [path = '-'] = paths;
      checkWithoutVendor(options, paths.length);
      return withWarnings(shell, (importing) => importFile(shell, command, path, dryRun === true, importing));
    });
}

/** Throws `WrongArgument` for options and files that need a vendor. */
function checkWithoutVendor(options: MovingOptions, files: number): void {
  const name = Object.keys(options).find((each) => each !== 'dryRun');
  if (name !== undefined) throw new WrongArgument(`${optionName(name).flag} needs --from.`);
  if (files > 1) throw new WrongArgument(`Too many arguments for 'import'. Expected 1 argument but got ${files}.`);
}
