/** A command line that cannot be carried out; nothing was done. The message repeats no value. Exit code 2. */
export class WrongArgument extends Error {
  readonly code: string = 'invalid_argument';
}

/** The names of one argument: its flag on a command line, and its member of a batch line. */
export interface ArgumentName {
  /** `--period-end`, or `<id>` for a positional argument. */
  readonly flag: string;
  /** `periodEnd`. */
  readonly member: string;
}

export type Naming = keyof ArgumentName;

/** A value that breaks a rule. The message is made by code that knows how the value was given. */
export class WrongValue extends WrongArgument {
  readonly argument: ArgumentName;
  readonly #problem: (naming: Naming) => string;

  /** `problem` follows the name, such as "must be later than now"; it is a function if it names other arguments. */
  constructor(argument: ArgumentName, problem: string | ((naming: Naming) => string)) {
    const words = typeof problem === 'string' ? () => problem : problem;
    super(`${argument.flag} ${words('flag')}.`);
    this.argument = argument;
    this.#problem = words;
  }

  messageFor(naming: Naming): string {
    return `${this.argument[naming]} ${this.#problem(naming)}.`;
  }
}

/** A line of a file or of a batch that breaks a rule. The message says which. */
export class BadLine extends WrongArgument {
  override readonly code = 'invalid_line';
}

/** Nobody reads standard output any more, and not everything was written. */
export class OutputClosed extends Error {}

/** A command that a signal has stopped. The message says what was done. */
export class Interrupted extends Error {
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: Interrupted['signal'], message: string) {
    super(message);
    this.signal = signal;
  }
}

/** A command that was not done, or only in part. Exit code 1. */
export class CommandFailed extends Error {
  /** The failure, for programs. */
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type FailureCode =
  | 'lines_refused'
  | 'store_in_use'
  | 'store_not_ok'
  | 'stores_differ'
  | 'address_unusable'
  | 'demo_folder_unusable'
  | 'file_not_written'
  | 'restore_not_written'
  | 'restore_unsupported'
  | 'ids_not_mapped'
  | 'stripe_not_installed'
  | 'stripe_not_configured'
  | 'stripe_not_ok'
  | 'stripe_differs';
