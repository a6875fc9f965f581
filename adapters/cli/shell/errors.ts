/** An argument breaks a rule. The message names the argument and the bound, never the value. Exit code 2. */
export class WrongArgument extends Error {}

/** A command was not done, or only in part. The message says what. Exit code 1. */
export class CommandFailed extends Error {}
