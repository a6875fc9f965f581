import { globSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Programs that a machine may lack, and without which some tests cannot run. */
export const needs = ['mongodb', 'chromium', 'curl', 'faketime', 'php', 'python'] as const;
export type Need = (typeof needs)[number];

/** The options of `npm test`. */
export interface Options {
  /** Left out although they may be there. */
  readonly without: readonly Need[];
  /** A failure where they are missing. */
  readonly required: readonly Need[];
  /** The files to run. */
  readonly files: readonly string[];
  /** Whether long runs have their full length, and not that of a sample. */
  readonly long: boolean;
  /** Options for mocha. */
  readonly mocha: readonly string[];
}

const everyTest = 'test/**/*.test.ts';

/** Options that take a value, ours and mocha's, so that the value is not taken as a file. */
const valued: Readonly<Record<string, { readonly type: 'string'; readonly short?: string }>> = {
  without: { type: 'string' },
  require: { type: 'string' },
  grep: { type: 'string', short: 'g' },
  fgrep: { type: 'string', short: 'f' },
  timeout: { type: 'string', short: 't' },
  slow: { type: 'string', short: 's' },
  reporter: { type: 'string', short: 'R' },
  'reporter-option': { type: 'string', short: 'O' },
  retries: { type: 'string' },
  jobs: { type: 'string', short: 'j' },
};

/** Reads `[--without NEEDS] [--require NEEDS] [--long] [MOCHA OPTIONS] [FILE…]`; `ci` requires all needs that are not left out. */
export function readOptions(args: readonly string[], ci: boolean): Options {
  const { tokens } = parseArgs({
    args: [...args],
    options: valued,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const listed = (name: string): readonly Need[] =>
    tokens.flatMap((token) => (token.kind === 'option' && token.name === name ? needsIn(token.value, name) : []));
  const without = listed('without');
  const required = listed('require');
  const both = required.find((need) => without.includes(need));
  if (both !== undefined) throw new Error(`${both} is both required and left out.`);
  return {
    without,
    required: ci ? needs.filter((need) => !without.includes(need)) : required,
    files: filesOf(tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))),
    long: tokens.some((token) => token.kind === 'option' && token.name === 'long'),
    mocha: tokens.flatMap((token) => (token.kind === 'option' && !isOurs(token.name) ? textOf(token) : [])),
  };
}

function isOurs(option: string): boolean {
  return option === 'without' || option === 'require' || option === 'long';
}

function needsIn(value: string | undefined, option: string): readonly Need[] {
  return (value ?? '').split(',').map((name) => {
    const need = needs.find((each) => each === name);
    if (need === undefined) throw new Error(`--${option} takes any of ${needs.join(',')}, with commas between them.`);
    return need;
  });
}

/** A folder stands for the tests in it. A pattern without a file is left to mocha, which reports it. */
function filesOf(named: readonly string[]): readonly string[] {
  const patterns = (named.length === 0 ? [everyTest] : named).map((name) =>
    statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
      ? `${name.replace(/\/$/, '')}/**/*.test.ts`
      : name,
  );
  return patterns.flatMap((pattern) => {
    const files = globSync(pattern).toSorted();
    return files.length === 0 ? [pattern] : files;
  });
}

function textOf(option: { readonly rawName: string; readonly value?: string | undefined }): readonly string[] {
  return option.value === undefined ? [option.rawName] : [option.rawName, option.value];
}
