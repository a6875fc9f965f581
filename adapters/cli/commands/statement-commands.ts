import type { Command } from 'commander';
import { statementCsv, statementJson } from '../../../core/affiliate/closing/statement-csv.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { closingMembers, statementColumns } from '../../administration/commands/statement/statement-commands.ts';
import { statementView } from '../../administration/commands/statement/statement-view.ts';
import { requiredOption, valueArgument, valueOption, wantsJson } from '../input/options.ts';
import { printPieces } from '../output/output.ts';
import { table } from '../output/table.ts';
import { checkRequired, requiredOptions } from '../run/change-command.ts';
import { runCommand, withStore } from '../run/run-command.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';

interface ClosingOptions {
  readonly month: string;
  readonly product?: string | null;
  readonly affiliate?: string | null;
}

export function addStatementCommands(group: Command, shell: Shell): void {
  const { month, product, handle } = closingMembers;
  const close = group
    .command('close')
    .description('close a month: make the statements of all affiliates who have earnings, which never change')
    .addOption(requiredOption(month.option ?? '', month.says, month.rule))
    .addOption(valueOption(product.option ?? '', product.says, product.rule))
    .addOption(valueOption(handle.option ?? '', handle.says, handle.rule));
  const needed = requiredOptions(close);
  close.action((options: ClosingOptions, command: Command) => {
    checkRequired(needed, { ...options });
    return runCommand(shell, command, shell.newCall(), async (store) => {
      const closed = (await closeAll(store, options, shell)).map(statementView);
      return { json: { items: closed }, text: (width) => table(closed, statementColumns, width) };
    });
  });

  group
    .command('export')
    .description(
      'write the lines of a statement to standard output as CSV, with --json as NDJSON, with amounts in minor units',
    )
    .addArgument(valueArgument('<statement>', 'the id of the statement', identifierRule))
    .action((id: string, _options: object, command: Command) =>
      withStore(shell, command, shell.newCall(), (store) => {
        const linesIn = wantsJson(command) ? statementJson : statementCsv;
        return printPieces(exported(store, id, shell, linesIn), shell);
      }),
    );
}

/** Closes until nothing is left. */
async function closeAll(
  store: OpenAdministration,
  { month, product = null, affiliate = null }: ClosingOptions,
  { newCall }: Shell,
): Promise<readonly Statement[]> {
  const all: Statement[] = [];
  for (;;) {
    const { closed, more } = await store.closeStatements({ month, productId: product, handle: affiliate }, newCall());
    all.push(...closed);
    if (!more) return all;
  }
}

async function* exported(
  store: OpenAdministration,
  id: string,
  { newCall }: Shell,
  linesIn: typeof statementCsv,
): AsyncIterable<string> {
  const { statement } = await store.showStatement(id, newCall());
  yield* linesIn(statement, store.everyStatementLine(id, newCall));
}
