import { TestCommandLine, type Run } from './command-line.ts';

/** A line of the output of a batch. */
export interface Line {
  readonly [member: string]: unknown;
}

/** A command line whose store has the product `p1`. */
export async function commandLineWithProduct(): Promise<TestCommandLine> {
  const cli = new TestCommandLine();
  await cli.json('product add --id p1 --name One');
  cli.changes.length = 0;
  return cli;
}

/** The options of a grant for `p1`. */
export const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval month';

/** A command line whose store also has the subscriptions `e1` and `e2`, and which has not counted what was opened for them. */
export async function commandLineWithSubscriptions(): Promise<TestCommandLine> {
  const cli = await commandLineWithProduct();
  for (const id of ['e1', 'e2']) await cli.json(`${grant} --id ${id}`);
  cli.changes.length = 0;
  cli.opened.length = 0;
  cli.closed = 0;
  return cli;
}

/** Runs a command in batch mode. Gives its exit code, the lines of its output and its standard error. */
export async function runBatch(
  cli: TestCommandLine,
  command: string,
  lines: readonly unknown[],
): Promise<readonly [number, readonly Line[], string]> {
  const { exitCode, stdout, stderr } = await cli.run(command.split(' '), linesOf(lines));
  const answers = stdout.split('\n').filter((line) => line !== '');
  return [exitCode, answers.map((line) => JSON.parse(line) as Line), stderr];
}

/** Imports entitlements from standard input. */
export function importEntitlements(
  cli: TestCommandLine,
  lines: readonly unknown[],
  ...more: readonly string[]
): Promise<Run> {
  return cli.run(['entitlement', 'import', '-', '--json', ...more], linesOf(lines));
}

function linesOf(lines: readonly unknown[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
}
