/** The store cannot be opened, for a reason that its user can mend; the message is a sentence. */
export class UnusableStore extends Error {}
