import type { Option } from 'commander';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { valueOption } from './options.ts';

/** The formats of files that are imported and exported. */
export const fileFormats = ['ndjson', 'csv'] as const;

export type FileFormat = (typeof fileFormats)[number];

export function formatOption(description: string): Option {
  return valueOption('--format <format>', description, oneOf(fileFormats));
}
