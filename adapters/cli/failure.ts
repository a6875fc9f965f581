import { CommanderError } from 'commander';
import { Refusal } from '../../core/refusal.ts';
import { UnusableStore } from '../../core/store/store.port.ts';
import { messageOf } from './output/refusal-messages.ts';
import { CommandFailed, Interrupted, OutputClosed, WrongArgument } from './shell/errors.ts';

/**
 * 0: done; 1: refused, failed or done only in part; 2: wrong arguments, nothing done. As for a program that a signal ends:
 * 130 (SIGINT), 143 (SIGTERM), and 141 (SIGPIPE) if standard output was closed.
 */
export type ExitCode = 0 | 1 | 2 | 130 | 141 | 143;

/** Why a command did not succeed. */
export interface Failure {
  readonly exitCode: Exclude<ExitCode, 0>;
  /** For programs, such as `product_not_found`. */
  readonly code: string;
  readonly message: string;
  /** Whether the message is only for programs. */
  readonly isSilent?: true;
}

/** The failure that an error stands for; null for a fault. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommanderError) return { exitCode: 2, code: 'invalid_argument', message: usageMessage(error) };
  if (error instanceof WrongArgument) return { exitCode: 2, code: error.code, message: error.message };
  if (error instanceof CommandFailed) return { exitCode: 1, code: error.code, message: error.message };
  if (error instanceof Interrupted) {
    return { exitCode: error.signal === 'SIGINT' ? 130 : 143, code: 'interrupted', message: error.message };
  }
  if (error instanceof OutputClosed) return outputClosed;
  if (error instanceof UnusableStore) {
    return { exitCode: 1, code: error.isMissing ? 'store_not_found' : 'store_unusable', message: error.message };
  }
  if (error instanceof Refusal && error.details.cause instanceof UnusableStore) return failureOf(error.details.cause);
  const message = error instanceof Refusal ? messageOf(error) : undefined;
  return error instanceof Refusal && message !== undefined ? { exitCode: 1, code: error.code, message } : null;
}

/** Other programs end without a message, too: the reader, such as `head`, has what it wanted. */
const outputClosed: Failure = {
  exitCode: 141,
  code: 'output_closed',
  message: 'Standard output was closed before everything was written.',
  isSilent: true,
};

const unknown = /^error: (unknown (?:option|command)) '(.*?)'(?:\n\((.*)\))?$/s;

/** A mistyped command or option, and nothing that could be a key. */
const word = /^-{0,2}[a-z][a-z-]{0,19}$/i;

/** Describes the mistake in a command line, without repeating a value of it. */
function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is missing or unknown: see --help.';
  const [, kind, argument = '', hint] = unknown.exec(message) ?? [];
  if (kind === undefined) return withFullStop(message.replace(/^error: /, ''));
  const [name = ''] = argument.split('=');
  const what = word.test(name) ? `${kind} '${name}'` : kind;
  return hint === undefined ? `${withFullStop(what)} See --help.` : `${withFullStop(what)} ${hint}`;
}

function withFullStop(text: string): string {
  const end = text.endsWith('.') ? '' : '.';
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}
