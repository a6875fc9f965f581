import { Command, CommanderError } from 'commander';
import { commandGroups } from './command-groups.ts';
import { addServerCommands } from './commands/server-commands.ts';
import { failureOf, type ExitCode } from './failure.ts';
import { shownJson, writeError } from './output/shown-text.ts';
import type { Shell } from './shell/shell.ts';

/**
 * Runs one command line. A command that does not succeed says why on standard error, with `--json` as one JSON object. A
 * fault is thrown.
 */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  // A broken pipe is handled where something is written to it.
  for (const stream of [shell.stdout, shell.stderr]) stream.on('error', () => undefined);
  try {
    const program = await commandLine(shell, args);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = failureOf(error);
    const { code, message } = failure ?? fault;
    if (args.includes('--json')) writeError(shell, `${shownJson(JSON.stringify({ code, error: message }))}\n`);
    else if (failure !== null && failure.isSilent !== true) writeError(shell, `${message}\n`);
    if (failure === null) throw error;
    return failure.exitCode;
  }
}

/** The failure that a program reads after a fault. The fault itself is thrown, to be logged. */
const fault = { code: 'internal_error', message: 'The command failed because of a fault; see the log.' };

/**
 * The program with all of its groups, and the commands of those that the arguments name, or of all. Its actions throw if
 * they fail.
 */
export async function commandLine(shell: Shell, args?: readonly string[]): Promise<Command> {
  const isJson = args?.includes('--json') ?? false;
  const program = new Command('latchkey')
    .description('A marketplace catalog, a waitlist, license verification and entitlements, on your own machine.')
    .version(shell.version)
    .option('--store <url>', 'the store (default: STORE_URL, else sqlite:data/latchkey.db)')
    .option('--config <file>', 'a JSON file with settings')
    .option('--json', 'print one JSON value and nothing else, even for an error')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      // The help that is shown for a missing command is no error in JSON.
      writeErr: (text) => void (isJson || writeError(shell, text)),
      outputError: () => undefined,
    })
    .exitOverride();
  addServerCommands(program, shell);
  for (const [name, { description, load }] of Object.entries(commandGroups)) {
    const group = program.command(name).description(description);
    if (args === undefined || args.includes(name)) (await load())(group, shell);
  }
  return program;
}
