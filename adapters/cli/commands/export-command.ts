import type { Command } from 'commander';
import type { Administration } from '../../../core/administration/administration.ts';
import type { NewCall } from '../../../core/call.ts';
import { csvLine, type Cell } from '../../../core/csv-line.ts';
import { formatOption, wantsJson, type FileFormat } from '../input/options.ts';
import { printPieces } from '../output/output.ts';
import { withStore } from '../run/run-command.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';

export interface Export<Column extends string> {
  readonly description: string;
  readonly columns: readonly Column[];
  readonly defaultFormat: FileFormat;
  readonly list: (store: Administration, newCall: NewCall) => AsyncIterable<Readonly<Record<Column, Cell>>>;
}

/** Adds the command that writes a whole list to standard output, one item a line. */
export function addExportCommand<Column extends string>(group: Command, shell: Shell, how: Export<Column>): void {
  const { description, defaultFormat } = how;
  const otherwise = defaultFormat === 'csv' ? 'csv, with --json ndjson' : defaultFormat;
  group
    .command('export')
    .description(description)
    .addOption(formatOption(`the format of the output (default: ${otherwise})`))
    .action((options: { readonly format?: FileFormat }, command: Command) => {
      const json = wantsJson(command);
      if (json && options.format === 'csv') throw new WrongArgument('--format csv cannot be combined with --json.');
      const format = options.format ?? (json ? 'ndjson' : defaultFormat);
      const write = (store: Administration): Promise<void> => printPieces(linesOf(how, store, format, shell), shell);
      return withStore(shell, command, shell.newCall(), write);
    });
}

async function* linesOf<Column extends string>(
  { columns, list }: Export<Column>,
  store: Administration,
  format: FileFormat,
  { newCall }: Shell,
): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns);
  for await (const item of list(store, newCall)) {
    yield format === 'csv' ? csvLine(columns.map((column) => item[column])) : `${JSON.stringify(item, [...columns])}\n`;
  }
}
