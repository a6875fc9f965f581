import type { BodyShape } from '../../../support/http/expect-answer.ts';

/** One request, the rule that it tests, and the answer that the rule demands. */
export interface ConformanceCase {
  /** The section of a standard, of the specification or of the decisions, and the rule in a few words. */
  readonly rule: string;
  /** Latin-1: one character is one byte. */
  readonly bytes: string;
  readonly status: number;
  readonly shape: BodyShape;
  /** Response header fields by lower-case name: null if the field must be absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** A pattern that the content must match. */
  readonly content?: RegExp;
  /** Whether the answer must close the connection. Otherwise the connection must stay open. */
  readonly closes?: true;
}

type Expected = Omit<ConformanceCase, 'rule' | 'bytes'>;

export function row(rule: string, bytes: string, expected: Expected): ConformanceCase {
  return { rule, bytes, ...expected };
}

/** Expects an error in the shape of specification 2.5, unless `more` names another shape. */
export function refused(
  status: number,
  code: string,
  more: Partial<Pick<Expected, 'shape' | 'headers' | 'closes'>> = {},
): Expected {
  return { status, shape: 'standard', ...more, headers: { 'error-code': code, ...more.headers } };
}

export const closes = { closes: true } as const;
export const verification = { shape: 'verification' } as const;
