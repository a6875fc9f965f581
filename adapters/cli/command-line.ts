import { Command, CommanderError } from 'commander';
import { Refusal } from '../../core/refusal.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { commandGroups } from './command-groups.ts';
import { addServerCommands } from './commands/server-commands.ts';
import { refusalMessage } from './output/refusal-messages.ts';
import { CommandFailed, WrongArgument } from './shell/errors.ts';
import type { Shell } from './shell/shell.ts';
import { usageMessage } from './usage-message.ts';

/** 0: done; 1: refused, or done only in part; 2: wrong arguments. */
export type ExitCode = 0 | 1 | 2;

/** Runs one command line. A command that cannot be done says why on standard error; a fault is thrown. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  // A broken pipe is handled where something is written to it.
  for (const stream of [shell.stdout, shell.stderr]) stream.on('error', () => undefined);
  try {
    const program = await commandLine(shell, (group) => args.includes(group));
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = explanation(error);
    if (exitCode !== 0) shell.stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** The program with all of its groups, and the commands of those that are needed. Its actions throw if they fail. */
export async function commandLine(shell: Shell, isNeeded: (group: string) => boolean = () => true): Promise<Command> {
  const program = new Command('latchkey')
    .description('A marketplace catalog, a waitlist, license verification and entitlements, on your own machine.')
    .version(shell.version)
    .option('--store <url>', 'the store (default: STORE_URL, else sqlite:data/latchkey.db)')
    .option('--config <file>', 'a JSON file with settings')
    .option('--json', 'print one JSON value and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      outputError: () => undefined,
    })
    .exitOverride();
  addServerCommands(program, shell);
  for (const [name, { description, load }] of Object.entries(commandGroups)) {
    const group = program.command(name).description(description);
    if (isNeeded(name)) (await load())(group, shell);
  }
  return program;
}

/** The exit code and message of an error. Throws a fault. */
function explanation(error: unknown): { readonly exitCode: ExitCode; readonly message: string } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: usageMessage(error) };
  }
  if (error instanceof WrongArgument) return { exitCode: 2, message: error.message };
  if (error instanceof UnusableStore || error instanceof CommandFailed) {
    return { exitCode: 1, message: error.message };
  }
  const message = error instanceof Refusal ? refusalMessage(error.code) : undefined;
  if (message === undefined) throw error;
  return { exitCode: 1, message };
}
