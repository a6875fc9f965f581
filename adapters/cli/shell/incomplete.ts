/** A command did only a part of its work, and has already said which; the message sums it up. */
export class Incomplete extends Error {}
