/** How a value is read from what somebody wrote: an argument, a cell of a file or a member of an object. */
export interface ValueRule<Value> {
  /** The value of a text, or null for a text that breaks the rule. */
  readonly parse: (text: string) => Value | null;
  /** The value of a member, which may be a number or a boolean by itself, or null if it breaks the rule. */
  readonly read: (member: unknown) => Value | null;
  /** What is required, in words that follow a name: "must be …". */
  readonly rule: string;
}

/** The rule of a value that is always written as a text. */
export function textRule<Value>(parse: (text: string) => Value | null, rule: string): ValueRule<Value> {
  return { parse, read: (member) => (typeof member === 'string' ? parse(member) : null), rule };
}

/** The rule of a text that is its own value. */
export function textThat(isValid: (text: string) => boolean, rule: string): ValueRule<string> {
  return textRule((text) => (isValid(text) ? text : null), rule);
}

/** The rule of one of some texts. */
export function oneOf<Value extends string>(values: readonly Value[]): ValueRule<Value> {
  return textRule((text) => values.find((value) => value === text) ?? null, `must be one of ${values.join(', ')}`);
}

/** The rule of a number, written as one or, in a text, as JavaScript reads it. */
export function numberThat(isValid: (value: number) => boolean, rule: string): ValueRule<number> {
  const read = (member: unknown): number | null => (typeof member === 'number' && isValid(member) ? member : null);
  return { parse: (text) => (text.trim() === '' ? null : read(Number(text))), read, rule };
}

/** The rule of a count that numbers can express exactly. */
export const countRule = numberThat(
  (value) => Number.isSafeInteger(value) && value >= 0,
  'must be a whole number, 0 or more',
);

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The rule of a switch; a text may be in any case, as spreadsheets write it. */
export const booleanRule: ValueRule<boolean> = {
  parse: (text) => booleans.get(text.toLowerCase()) ?? null,
  read: (member) => (typeof member === 'boolean' ? member : null),
  rule: 'must be true or false',
};
