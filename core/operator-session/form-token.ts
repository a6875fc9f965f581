import type { Hmac } from '../secret.ts';

/**
 * The token that every form of a session carries, so that no page of another site can send one. It follows from the token of
 * the session, which it does not give away.
 */
export function formToken(sessionToken: string, hmac: Hmac): string {
  return hmac(sessionToken, 'form');
}

/**
 * Reports whether a presented token is that of the session's forms. Compares codes of both texts, so that the time taken
 * does not say how much of a wrong token was right.
 */
export function isFormToken(presented: string, sessionToken: string, hmac: Hmac): boolean {
  return hmac(sessionToken, presented) === hmac(sessionToken, formToken(sessionToken, hmac));
}
