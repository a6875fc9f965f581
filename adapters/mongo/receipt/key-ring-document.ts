import { wholeRing, type KeyRing } from '../../../core/receipt/key-ring.ts';

/** The only document of `signing_keys`. */
export type KeyRingDocument = { readonly _id: string } & KeyRing;

export function toKeyRingDocument(ring: KeyRing, _id: string): KeyRingDocument {
  return { _id, ...ring };
}

/** Throws for a damaged ring. */
export function fromKeyRingDocument({ _id, ...ring }: KeyRingDocument): KeyRing {
  return wholeRing(ring);
}
