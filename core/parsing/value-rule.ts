/** Reads a value of an argument, a cell of a file or a member of an object, and describes the valid values. */
export interface ValueRule<Value> {
  /** Reads a text. Returns null if it breaks the rule. */
  readonly parse: (text: string) => Value | null;
  /** Reads a member of an object, which can be a number or a boolean. Returns null if it breaks the rule. */
  readonly read: (member: unknown) => Value | null;
  /** The requirement, to follow a name in a message: "must be …". */
  readonly rule: string;
  /** The requirement that a text breaks which the rule refuses, if it is narrower than `rule`; null for none. */
  readonly brokenBy?: (text: string) => string | null;
}

/** The requirement that a refused value breaks, to follow a name in a message. Never repeats the value. */
export function brokenRule(
  { rule, brokenBy }: Pick<ValueRule<unknown>, 'rule' | 'brokenBy'>,
  written: unknown,
): string {
  return (typeof written === 'string' ? brokenBy?.(written) : null) ?? rule;
}

/** A rule for values that are always written as texts. */
export function textRule<Value>(parse: (text: string) => Value | null, rule: string): ValueRule<Value> {
  return { parse, read: (member) => (typeof member === 'string' ? parse(member) : null), rule };
}

/** A rule for texts that are values themselves. */
export function textThat(
  isValid: (text: string) => boolean,
  rule: string,
  brokenBy?: ValueRule<string>['brokenBy'],
): ValueRule<string> {
  const plain = textRule((text) => (isValid(text) ? text : null), rule);
  return brokenBy === undefined ? plain : { ...plain, brokenBy };
}

/** A rule that allows some texts only. */
export function oneOf<Value extends string>(values: readonly Value[]): ValueRule<Value> {
  return textRule((text) => values.find((value) => value === text) ?? null, `must be one of ${values.join(', ')}`);
}

/** A rule for numbers. In a text, they are decimal, as JavaScript writes them: without a sign or another base. */
export function numberThat(isValid: (value: number) => boolean, rule: string): ValueRule<number> {
  return numberIn(/^\d+(?:\.\d+)?(?:e-\d+)?$/, isValid, rule);
}

/** A rule for whole numbers. In a text, they are digits alone: `10.00` may be meant as 1000 minor units. */
export function wholeNumber(min: number, max: number, rule = `must be a whole number from ${min} to ${max}`) {
  return numberIn(/^\d+$/, (value) => Number.isSafeInteger(value) && value >= min && value <= max, rule);
}

function numberIn(form: RegExp, isValid: (value: number) => boolean, rule: string): ValueRule<number> {
  const read = (member: unknown): number | null => (typeof member === 'number' && isValid(member) ? member : null);
  return { parse: (text) => (form.test(text.trim()) ? read(Number(text)) : null), read, rule };
}

/** The rule for counts. They are at most 2^53 - 1, which a number holds exactly. */
export const countRule = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'must be a whole number, 0 or more');

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The rule for booleans. A text may be in any case, because spreadsheets write TRUE and FALSE. */
export const booleanRule: ValueRule<boolean> = {
  parse: (text) => booleans.get(text.toLowerCase()) ?? null,
  read: (member) => (typeof member === 'boolean' ? member : null),
  rule: 'must be true or false',
};

/** The maximum length, in code points. */
const maxLength = 200;

/** A name for display: one line, without characters that could move the cursor of a terminal. */
export const displayNameRule = textThat(
  isDisplayName,
  `must be 1 to ${maxLength} characters, not blank and without control characters`,
);

function isDisplayName(text: string): boolean {
  return text.trim() !== '' && [...text].length <= maxLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}

/** Bounds of an integer, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The integer that a text spells, brought within bounds; null if it spells none. */
export function boundedInteger(text: string | null, { min, max }: Bounds): number | null {
  return /^-?[0-9]+$/.test(text ?? '') ? Math.min(Math.max(Number(text), min), max) : null;
}
