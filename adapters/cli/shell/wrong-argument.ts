/** An argument breaks a rule; the message is a sentence that names the argument and the bound, never the value. */
export class WrongArgument extends Error {}
