/** Nobody can listen there; the message is a sentence that names the address and the flag that chooses another. */
export class UnusableAddress extends Error {}
