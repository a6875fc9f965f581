/** A store that cannot be opened, for a reason that its user can mend: the message is a sentence for that user. */
export class UnusableStore extends Error {}
