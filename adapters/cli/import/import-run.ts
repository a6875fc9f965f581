import { SingleBar } from 'cli-progress';
import type { ReadLine } from '../input/json-lines.ts';
import type { InputFile, Shell } from '../shell/shell.ts';

export interface ImportResult {
  readonly imported: number;
  readonly failed: number;
  /** The first ten thousand, by line. */
  readonly errors: readonly { readonly line: number; readonly error: string }[];
}

/** What became of the lines before a fault, or of all of them. */
interface ImportRun {
  readonly result: ImportResult;
  readonly fault: { readonly error: unknown } | null;
}

/** On SQLite, 1,000 lines are stored a third faster than 200; more gain nothing. */
const batchSize = 1000;
const maxErrors = 10_000;

/**
 * Stores the drafts of a file in batches, and gathers what is wrong with the others: `store` says so in their order, null
 * where nothing is. A fault ends it, and does not take away what is known of the lines before; nothing is known of the
 * batch that it met.
 */
export async function runImport<Draft>(
  lines: AsyncIterable<ReadLine<Draft>>,
  store: (drafts: readonly Draft[]) => Promise<readonly (string | null)[]>,
): Promise<ImportRun> {
  let imported = 0;
  let failed = 0;
  const errors: { line: number; error: string }[] = [];
  const fail = (line: number, error: string): void => {
    failed += 1;
    if (errors.length < maxErrors) errors.push({ line, error });
  };
  let batch: Extract<ReadLine<Draft>, { kind: 'draft' }>[] = [];
  const flush = async (): Promise<void> => {
    const outcomes = await store(batch.map(({ draft }) => draft));
    for (const [position, { line }] of batch.entries()) {
      const error = outcomes[position] ?? null;
      if (error === null) imported += 1;
      else fail(line, error);
    }
    batch = [];
  };
  let fault: ImportRun['fault'] = null;
  try {
    for await (const read of lines) {
      if (read.kind === 'bad') fail(read.line, read.error);
      else if (batch.push(read) === batchSize) await flush();
    }
    await flush();
  } catch (error) {
    fault = { error };
  }
  return { result: { imported, failed, errors: errors.toSorted((a, b) => a.line - b.line) }, fault };
}

/** The content of a file as it is read, with a progress bar on a terminal and nothing anywhere else. */
export async function* withProgress({ size, content }: InputFile, { stderr }: Shell): AsyncIterable<Uint8Array> {
  if (stderr.isTTY !== true || size === null) {
    yield* content;
    return;
  }
  const bar = new SingleBar({ stream: stderr, format: '{bar} {percentage} %, {eta_formatted} left', hideCursor: true });
  bar.start(size, 0);
  try {
    for await (const chunk of content) {
      yield chunk;
      bar.increment(chunk.length);
    }
  } finally {
    bar.stop();
  }
}
