import { SingleBar } from 'cli-progress';
import type { ListingDraft } from '../../core/catalog/import-listings.ts';
import type { ReadLine } from './listing-file.ts';
import type { InputFile, Shell } from './shell.ts';

export interface ImportResult {
  readonly imported: number;
  readonly failed: number;
  /** The first ten thousand, by line. */
  readonly errors: readonly { readonly line: number; readonly error: string }[];
}

const batchSize = 200;
const mostErrors = 10_000;

/** Stores the listings of a file in batches, and gathers what is wrong with the others. `store` answers in order. */
export async function runImport(
  lines: AsyncIterable<ReadLine>,
  store: (drafts: readonly ListingDraft[]) => Promise<readonly ('stored' | 'id taken')[]>,
): Promise<ImportResult> {
  let imported = 0;
  let failed = 0;
  const errors: { line: number; error: string }[] = [];
  const fail = (line: number, error: string): void => {
    failed += 1;
    if (errors.length < mostErrors) errors.push({ line, error });
  };
  let batch: Extract<ReadLine, { kind: 'draft' }>[] = [];
  const flush = async (): Promise<void> => {
    const outcomes = await store(batch.map(({ draft }) => draft));
    for (const [position, { line }] of batch.entries()) {
      if (outcomes[position] === 'stored') imported += 1;
      else fail(line, 'id must not be that of another listing.');
    }
    batch = [];
  };
  for await (const read of lines) {
    if (read.kind === 'bad') fail(read.line, read.error);
    else if (batch.push(read) === batchSize) await flush();
  }
  await flush();
  return { imported, failed, errors: errors.toSorted((a, b) => a.line - b.line) };
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
