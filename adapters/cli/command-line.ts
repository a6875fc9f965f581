import { Command, CommanderError } from 'commander';
import { Refusal } from '../../core/refusal.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { addConfigCommands } from './commands/config-commands.ts';
import { addEntitlementCommands } from './commands/entitlement-commands.ts';
import { addKeyCommands } from './commands/key-commands.ts';
import { addLicenseCommands } from './commands/license-commands.ts';
import { addProductCommands } from './commands/product-commands.ts';
import { addListingCommands } from './commands/listing-commands.ts';
import { refusalMessage } from './output/refusal-messages.ts';
import { addServerCommands } from './commands/server-commands.ts';
import type { Shell } from './shell/shell.ts';
import { addStoreCommands } from './commands/store-commands.ts';
import { addWaitlistCommands } from './commands/waitlist-commands.ts';
import { CommandFailed, WrongArgument } from './shell/errors.ts';
import { usageMessage } from './usage-message.ts';

/** 0: done; 1: refused, or done only in part; 2: wrong arguments. */
export type ExitCode = 0 | 1 | 2;

/** The whole program. Its actions throw what they cannot do; `runCommandLine` makes exit codes of that. */
export function commandLine(shell: Shell): Command {
  const program = new Command('latchkey')
    .description('A marketplace catalog, a waitlist, license verification and entitlements, on your own machine.')
    .version(shell.version)
    .option('--store <url>', 'where everything is kept (default: STORE_URL, else sqlite:data/latchkey.db)')
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
  addConfigCommands(program, shell);
  addProductCommands(program, shell);
  addKeyCommands(program, shell);
  addEntitlementCommands(program, shell);
  addLicenseCommands(program, shell);
  addListingCommands(program, shell);
  addWaitlistCommands(program, shell);
  addStoreCommands(program, shell);
  return program;
}

/** Carries out one command line. A command that cannot be done says why on standard error; a fault is thrown on. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  // A broken pipe is handled where something is written to it.
  for (const stream of [shell.stdout, shell.stderr]) stream.on('error', () => undefined);
  try {
    await commandLine(shell).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = explanation(error);
    if (exitCode !== 0) shell.stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** Throws what is neither a refusal nor anything wrong with the arguments. */
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
