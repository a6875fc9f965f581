import { isScope, scopes, type Scope } from '../../../core/access/scope.ts';
import { parseDuration } from './duration.ts';
import { isIdentifier } from '../../../core/identifier.ts';
import { parseInstant } from './instant.ts';
import { isDisplayName, maxNameLength } from './display-name.ts';
import { WrongArgument } from '../shell/errors.ts';

/** Makes of an argument's text what it means, or throws `WrongArgument`. */
type Parse<Value> = (text: string) => Value;

export function identifier(argument: string): Parse<string> {
  return (text) => {
    if (isIdentifier(text)) return text;
    throw new WrongArgument(`${argument} must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".`);
  };
}

export function displayName(argument: string): Parse<string> {
  return (text) => {
    if (isDisplayName(text)) return text;
    throw new WrongArgument(
      `${argument} must be 1 to ${maxNameLength} characters, not blank and without control characters.`,
    );
  };
}

export function instant(argument: string): Parse<Date> {
  return (text) => {
    const parsed = parseInstant(text);
    if (parsed !== null) return parsed;
    throw new WrongArgument(
      `${argument} must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.`,
    );
  };
}

/** In milliseconds. */
export function duration(argument: string): Parse<number> {
  return (text) => {
    const parsed = parseDuration(text);
    if (parsed !== null) return parsed;
    throw new WrongArgument(`${argument} must be a whole number with s, m, h or d, such as 24h, of at most 36500d.`);
  };
}

export function oneOf<Value extends string>(argument: string, values: readonly Value[]): Parse<Value> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new WrongArgument(`${argument} must be one of ${values.join(', ')}.`);
  };
}

/** One scope more, each once. */
export function scopeAmong(
  argument: string,
): (text: string, earlier: readonly Scope[] | undefined) => readonly Scope[] {
  return (text, earlier = []) => {
    if (!isScope(text)) throw new WrongArgument(`${argument} must be one of ${scopes.join(', ')}.`);
    return earlier.includes(text) ? earlier : [...earlier, text];
  };
}

/** What could be an e-mail address; no other text could be on the waitlist. */
export function emailAddress(argument: string): Parse<string> {
  return (text) => {
    if (/^[^\s@]+@[^\s@]+$/u.test(text)) return text;
    throw new WrongArgument(`${argument} must have an @ and no white space.`);
  };
}

/** The path of a file; a trailing or leading space in it is a slip. */
export function filePath(argument: string): Parse<string> {
  return (text) => {
    if (text.trim() === text && text !== '' && !/\p{Cc}/u.test(text)) return text;
    throw new WrongArgument(`${argument} must not be blank, nor begin or end with a space.`);
  };
}

/** Standard input as `-`: a key in the place of it would stay in the shell's history. `why` may say what is read. */
export function standardInput(argument: string, why = ''): Parse<'-'> {
  return (text) => {
    if (text === '-') return text;
    throw new WrongArgument(`${argument} must be "-"${why}.`);
  };
}

/** Refuses an instant that is not later than another. */
export function mustBeLater(argument: string, value: Date | undefined, than: Date, what: string): void {
  if (value !== undefined && value <= than) throw new WrongArgument(`${argument} must be later than ${what}.`);
}
