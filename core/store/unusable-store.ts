/**
 * Thrown when a store cannot be opened for a reason that its user can fix. The message is for that user. The class
 * stands in core because every store throws it and the command line and the composition root catch it, and adapters do
 * not import each other.
 */
export class UnusableStore extends Error {
  /** Whether no store exists at the address. */
  readonly isMissing: boolean;

  constructor(
    message: string,
    { isMissing = false, ...options }: ErrorOptions & { readonly isMissing?: boolean } = {},
  ) {
    super(message, options);
    this.isMissing = isMissing;
  }
}
