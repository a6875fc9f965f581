import type { SignUp } from '../../../core/waitlist/sign-up.ts';

/** A document of `waitlist`: a sign-up under its address (`addressOf`), and how often it was requested. */
export type SignUpDocument = { readonly _id: string; readonly requests: number } & SignUp;

export function toSignUpDocument(id: string, signUp: SignUp): SignUpDocument {
  return { _id: id, ...signUp, requests: 1 };
}

export function fromSignUpDocument({ email, name, handle, role, at }: SignUpDocument): SignUp {
  return { email, name, handle, role, at };
}
