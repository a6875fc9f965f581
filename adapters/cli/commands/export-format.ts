import { Option, type Command } from 'commander';
import type { CommonOptions } from '../run/run-command.ts';
import { oneOf } from '../input/arguments.ts';
import { fileFormats, type FileFormat } from '../import/listing-file.ts';
import { WrongArgument } from '../shell/errors.ts';

/** The option that names the format of a file; `description` says what it is without it. */
export function formatOption(description: string): Option {
  return new Option('--format <format>', description).argParser(oneOf('--format', fileFormats));
}

/** The format of what a command exports: as asked for, NDJSON where JSON is, else the usual one. Throws `WrongArgument`. */
export function exportFormat(command: Command, usual: FileFormat): FileFormat {
  const { format, json = false } = command.optsWithGlobals<CommonOptions & { readonly format?: FileFormat }>();
  if (json && format === 'csv') throw new WrongArgument('--format csv does not go with --json.');
  return format ?? (json ? 'ndjson' : usual);
}
