import type { LineError, ReadLine } from '../input/json-lines.ts';

export interface ImportResult {
  readonly imported: number;
  readonly failed: number;
  /** The first ten thousand, by line. */
  readonly errors: readonly ({ readonly line: number } & LineError)[];
}

/** The result up to a fault, or of the whole file. */
export interface ImportRun {
  readonly result: ImportResult;
  readonly fault: { readonly error: unknown } | null;
}

/** On SQLite, groups of 1,000 lines are stored a third faster than groups of 200; larger groups gain nothing. */
const defaultGroupSize = 1000;
const maxErrors = 10_000;

/**
 * Stores the drafts of a file in groups and collects the errors of all lines; `store` gives one for each draft, or null. A
 * fault ends the import and keeps the result of the groups before it; nothing is known of the group that met it. Once
 * `stopping` has aborted, no further group is stored.
 */
export async function runImport<Draft>(
  lines: AsyncIterable<ReadLine<Draft>>,
  store: (drafts: readonly Draft[]) => Promise<readonly (LineError | null)[]>,
  stopping: AbortSignal,
  groupSize = defaultGroupSize,
): Promise<ImportRun> {
  let imported = 0;
  let failed = 0;
  const errors: ({ line: number } & LineError)[] = [];
  const fail = (line: number, { code, error }: LineError): void => {
    failed += 1;
    if (errors.length < maxErrors) errors.push({ line, code, error });
  };
  let group: Extract<ReadLine<Draft>, { kind: 'draft' }>[] = [];
  const flush = async (): Promise<void> => {
    const outcomes = await store(group.map(({ draft }) => draft));
    for (const [position, { line }] of group.entries()) {
      const error = outcomes[position] ?? null;
      if (error === null) imported += 1;
      else fail(line, error);
    }
    group = [];
  };
  let fault: ImportRun['fault'] = null;
  try {
    for await (const read of lines) {
      if (read.kind === 'bad') fail(read.line, read);
      else if (group.push(read) === groupSize) await flush();
    }
    if (!stopping.aborted) await flush();
  } catch (error) {
    fault = { error };
  }
  return { result: { imported, failed, errors: errors.toSorted((a, b) => a.line - b.line) }, fault };
}
