/** The store cannot be opened, for a reason that its user can mend; the message is a sentence. */
export class UnusableStore extends Error {
  /** Whether there is none in the place where it was looked for. */
  readonly isMissing: boolean;

  constructor(
    message: string,
    { isMissing = false, ...options }: ErrorOptions & { readonly isMissing?: boolean } = {},
  ) {
    super(message, options);
    this.isMissing = isMissing;
  }
}
