import { Readable } from 'node:stream';
import { isIdentifier } from '../../../core/identifier.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import type { ChangeRequest } from './change-request.ts';
import { CommandFailed } from '../shell/errors.ts';
import { membersOf, requestedBy, type JobForm } from './job-line.ts';
import { KeyedQueues } from './keyed-queues.ts';
import { linesOf, type Line } from '../input/lines.ts';
import { printPieces } from '../output/output.ts';
import { refusalMessage } from '../output/refusal-messages.ts';
import type { Shell } from '../shell/shell.ts';
import { WrongArgument } from '../shell/errors.ts';

/** Changes under way at a time: enough for them to share the store's writes. */
const atOnce = 64;

interface Job<Options> extends JobForm {
  readonly request: ChangeRequest<Options>;
}

type Answer = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'refused'; readonly value: object };

/**
 * Carries out one change for each line of standard input and prints what became of it, in the order of the lines and as
 * soon as it is known: the result as JSON, or `{line, id, error}`. Changes of one thing are made one after the other.
 * Throws `CommandFailed` at the end where any was refused.
 */
export async function runJob<Options>(shell: Shell, store: Administration, job: Job<Options>): Promise<void> {
  const queues = new KeyedQueues();
  let lines = 0;
  let refused = 0;
  const carryOut = async (line: Line): Promise<string> => {
    const { kind, value } = await answerTo(line, shell, store, job, queues);
    lines += 1;
    if (kind === 'refused') refused += 1;
    return `${JSON.stringify(value)}\n`;
  };
  const answers = Readable.from(notBlank(shell.stdin)).map(carryOut, { concurrency: atOnce });
  try {
    await printPieces(answers, shell);
  } finally {
    await queues.over();
  }
  if (refused > 0) throw new CommandFailed(`${refused} of ${lines} lines were refused.`);
}

async function answerTo<Options>(
  line: Line,
  shell: Shell,
  store: Administration,
  job: Job<Options>,
  queues: KeyedQueues,
): Promise<Answer> {
  let id: string | undefined;
  try {
    const members = membersOf(line.text);
    const named = members[job.subject?.member ?? 'id'];
    const thing = typeof named === 'string' ? named : undefined;
    // What is no identifier may be an address.
    if (thing !== undefined && isIdentifier(thing)) id = thing;
    return await queues.run(thing, async () => {
      const { subject, options } = requestedBy<Options>(members, job);
      const { json, change } = await job.request(subject, options, shell.newCall())(store);
      if (change !== null) shell.log(change);
      return { kind: 'done', value: json.value };
    });
  } catch (error) {
    const why = whyRefused(error, job);
    if (why === undefined) throw error;
    return { kind: 'refused', value: { line: line.number, ...(id !== undefined && { id }), error: why } };
  }
}

/** Undefined for a fault. What the rules of options call `--period-end` is `periodEnd` in a line. */
function whyRefused(error: unknown, { command }: JobForm): string | undefined {
  if (error instanceof Refusal) return refusalMessage(error.code);
  if (!(error instanceof WrongArgument)) return undefined;
  const options = command.options.toSorted((a, b) => b.flags.length - a.flags.length);
  return options.reduce(
    (text, option) => text.replaceAll(option.long ?? option.flags, option.attributeName()),
    error.message,
  );
}

async function* notBlank(content: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  for await (const line of linesOf(content)) if (line.text?.trim() !== '') yield line;
}
