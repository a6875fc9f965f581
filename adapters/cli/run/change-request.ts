import type { Call } from '../../../core/call.ts';
import type { Outcome } from './run-command.ts';
import type { Administration } from '../../../core/administration/administration.ts';

/** What a command that changes one thing is about. */
export interface Subject {
  /** Its member in a line of standard input, such as "id". */
  readonly member: string;
  /** The command's argument, such as "<id>", and what it says, such as "of the entitlement". */
  readonly argument: string;
  readonly description: string;
  /** Throws `WrongArgument`. */
  readonly parse: (text: string) => string;
}

/** The result of one change: always one JSON value. */
export interface ChangeOutcome extends Outcome {
  readonly json: { readonly value: unknown };
}

/** What one command line or one line of standard input asks for. Throws `WrongArgument` before anything is done. */
export type ChangeRequest<Options> = (
  subject: string,
  options: Options,
  call: Call,
) => (store: Administration) => Promise<ChangeOutcome>;
