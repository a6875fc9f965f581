import type { Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import type { ValueRule } from '../../../core/parsing/value-rule.ts';
import type { CommandResult } from './run-command.ts';

/** What a command changes, as its positional argument or a batch line names it. */
export interface Subject {
  /** Its member in a batch line, such as "id". */
  readonly member: string;
  /** The positional argument, such as "<id>", and its description in the help. */
  readonly argument: string;
  readonly description: string;
  readonly rule: ValueRule<string>;
}

/** The result of one change, which is always one JSON value. */
export interface ChangeResult extends CommandResult {
  readonly json: { readonly value: unknown };
}

/** The change that a command line or a batch line asks for. Throws `WrongArgument` before anything is done. */
export type ChangeRequest<Options> = (
  subject: string,
  options: Options,
  call: Call,
) => (store: Administration) => Promise<ChangeResult>;
