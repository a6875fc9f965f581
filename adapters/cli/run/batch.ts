import { Readable } from 'node:stream';
import { isIdentifier } from '../../../core/identifier.ts';
import { Refusal } from '../../../core/refusal.ts';
import { objectOf, readable, type LineError } from '../input/json-lines.ts';
import { linesOf, type Line } from '../input/lines.ts';
import { printPieces } from '../output/output.ts';
import { messageOf } from '../output/refusal-messages.ts';
import { shownJson } from '../output/shown-text.ts';
import { CommandFailed, WrongArgument, WrongValue } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';
import { requestOf, type BatchForm } from './batch-line.ts';
import { closeInput, interrupted, untilStopped } from './interruption.ts';
import type { ChangeRequest } from './run-command.ts';

/** Changes in progress at a time: enough for them to share the store's writes. */
const maxConcurrent = 64;

interface Batch<Options> extends BatchForm {
  readonly request: ChangeRequest<Options>;
}

type Answer = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'refused'; readonly value: object };

/**
 * Makes one change for each line of standard input and prints each result as JSON, or `{line, id, code, error}`, in the
 * order of the lines. Changes of the same thing run one after another. Throws `CommandFailed` at the end if any was
 * refused, and `Interrupted` after a signal, once the changes in progress are done.
 */
export async function runBatch<Options>(shell: Shell, store: OpenAdministration, batch: Batch<Options>): Promise<void> {
  const queues = new KeyedQueues();
  let lines = 0;
  let refused = 0;
  const answerLine = async (line: Line): Promise<string> => {
    const { kind, value } = await answerTo(line, shell, store, batch, queues);
    lines += 1;
    if (kind === 'refused') refused += 1;
    return `${shownJson(JSON.stringify(value))}\n`;
  };
  const stopping = shell.takeOverSignals();
  const input = untilStopped(notBlank(shell.stdin), stopping);
  const answers = Readable.from(input).map(answerLine, { concurrency: maxConcurrent });
  try {
    await printPieces(answers, shell);
  } finally {
    closeInput(shell.stdin);
    await queues.idle();
  }
  if (stopping.aborted) {
    throw interrupted(stopping, `Interrupted after ${lines} lines; the changes of those are done, and no others.`);
  }
  if (refused > 0) throw new CommandFailed('lines_refused', `${refused} of ${lines} lines were refused.`);
}

async function answerTo<Options>(
  line: Line,
  shell: Shell,
  store: OpenAdministration,
  batch: Batch<Options>,
  queues: KeyedQueues,
): Promise<Answer> {
  let id: string | undefined;
  try {
    const members = objectOf(readable(line.text));
    const key = members[batch.subjects[0]?.member ?? 'id'];
    // Anything but an identifier may be an address, which no answer repeats.
    if (typeof key === 'string' && isIdentifier(key)) id = key;
    return await queues.run(typeof key === 'string' ? key : undefined, async () => {
      const options = requestOf<Options>(members, batch);
      const { json } = await batch.request(options, shell.newCall())(store);
      return { kind: 'done', value: 'value' in json ? json.value : json.items };
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { kind: 'refused', value: { line: line.number, ...(id !== undefined && { id }), ...refusal } };
  }
}

/** Why a line is refused; null for a fault. */
function refusalOf(error: unknown): LineError | null {
  if (error instanceof WrongArgument) {
    return { code: 'invalid_line', error: error instanceof WrongValue ? error.messageFor('member') : error.message };
  }
  const message = error instanceof Refusal ? messageOf(error) : undefined;
  return error instanceof Refusal && message !== undefined ? { code: error.code, error: message } : null;
}

async function* notBlank(content: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  for await (const line of linesOf(content)) if (line.text?.trim() !== '') yield line;
}

/** Runs work on the same key in turn, and work on different keys concurrently. */
class KeyedQueues {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();

  /** Runs `work` when all earlier work on the same key has ended; work without a key starts at once. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    const before = key === undefined ? undefined : this.#last.get(key);
    const result = before === undefined ? work() : before.then(work);
    const end: Promise<void> = result.then(
      () => this.#forget(key, end),
      () => this.#forget(key, end),
    );
    this.#running.add(end);
    if (key !== undefined) this.#last.set(key, end);
    return result;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #forget(key: string | undefined, end: Promise<unknown>): void {
    this.#running.delete(end);
    if (key !== undefined && this.#last.get(key) === end) this.#last.delete(key);
  }
}
