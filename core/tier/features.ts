import { textRule, type ValueRule } from '../parsing/value-rule.ts';

/** The value of a feature: whether an app may do something, how much of it, or which. */
export type FeatureValue = boolean | number | string;

/** Features by name, in code-point order, so that equal ones have equal JSON. */
export type Features = Readonly<Record<string, FeatureValue>>;

export const noFeatures: Features = {};

export const maxFeatures = 50;
/** The maximum size of features as JSON, in bytes, so that receipts stay short. */
const maxFeatureBytes = 2048;
/** The same for the features that an entitlement has of its own, which come on top of those of its tier. */
export const maxOwnFeatureBytes = 512;
export const maxFeatureLength = 100;

export const featureNamePattern = '^[a-z][a-z0-9_]{0,39}$';

const name = new RegExp(featureNamePattern);

/** The names of the pattern that every object has in JavaScript: an app that asks for one has it without any feature. */
export const reservedNames = Object.getOwnPropertyNames(Object.prototype).filter((each) => name.test(each));

/** Whether a feature may be declared with this name. One of before that has a reserved name can still be removed. */
function isDeclarable(text: string): boolean {
  return name.test(text) && !reservedNames.includes(text);
}

export const featureNameRule = textRule(
  (text) => (name.test(text) ? text : null),
  'must be 1 to 40 characters out of a-z, 0-9 and "_", the first one a letter',
);

export const featureNamesRule: ValueRule<readonly string[]> = {
  parse: () => null,
  read: (member) => (Array.isArray(member) && member.every((each) => name.test(each)) ? member : null),
  rule: `must be names of features: ${featureNameRule.rule.slice('must be '.length)}`,
};

const nameText = `1 to 40 characters out of a-z, 0-9 and "_" after a letter, but not ${reservedNames.join(' or ')}`;

const valueText = `true, false, a whole number up to 2^53 - 1, or one line of at most ${maxFeatureLength} characters`;

/** A feature as an option writes it: a value that is JSON has the type that it has there, and any other is a text. */
export const featureRule = textRule((text): readonly [string, FeatureValue] | null => {
  const end = text.indexOf('=');
  const value = end === -1 ? null : valueIn(text.slice(end + 1));
  return value === null || !isDeclarable(text.slice(0, end)) ? null : [text.slice(0, end), value];
}, `must be NAME=VALUE: the name ${nameText}, the value ${valueText}; a text that reads like other JSON has quotation marks`);

/** Features as a form has them, one on each line. */
export const featureLinesRule = textRule((text): Features | null => {
  const entries: (readonly [string, FeatureValue])[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const entry = featureRule.parse(line.trim());
    if (entry === null) return null;
    entries.push(entry);
  }
  const features = featuresFrom(entries);
  return isSmall(features, maxFeatureBytes) ? features : null;
}, `must have one feature on each line, and at most ${maxFeatures} of them and ${maxFeatureBytes} bytes as JSON: NAME=VALUE, the name ${nameText}, the value ${valueText}; a text that reads like other JSON has quotation marks`);

/** The lines of features that `featureLinesRule` reads. */
export function featureLines(features: Features): readonly string[] {
  return Object.entries(features).map(([key, value]) => `${key}=${writtenValue(value)}`);
}

function writtenValue(value: FeatureValue): string {
  const isPlain = typeof value === 'string' && valueIn(value) === value && value.trim() === value;
  return isPlain ? value : JSON.stringify(value);
}

function valueIn(text: string): FeatureValue | null {
  try {
    return featureValue(JSON.parse(text));
  } catch {
    return featureValue(text);
  }
}

/** Returns a value if a feature can have it; null for any other. */
function featureValue(value: unknown): FeatureValue | null {
  if (typeof value === 'boolean') return value;
  // JSON has no -0.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : null;
  return typeof value === 'string' && isLine(value) ? value : null;
}

function isLine(text: string): boolean {
  return [...text].length <= maxFeatureLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}

const featuresText = `must be an object of at most ${maxFeatures} features and ${maxFeatureBytes} bytes as JSON: names of ${nameText}, each with ${valueText}`;

/** The features of a tier, or those that an entitlement has of its own. */
export const featuresRule: ValueRule<Features> = {
  parse: () => null,
  read: (member) => {
    const given = entriesIn(member, (value) => featureValue(value) ?? undefined);
    const features = given && featuresFrom(given);
    return features !== null && isSmall(features, maxFeatureBytes) ? features : null;
  },
  rule: featuresText,
};

/** New values of features by name; null for that of the tier. */
export type FeatureChange = Readonly<Record<string, FeatureValue | null>>;

/** A change of features. The result is checked by `isSmall` once it is made. */
export const featureChangeRule: ValueRule<FeatureChange> = {
  parse: () => null,
  read: (member) => {
    const given = entriesIn<FeatureValue | null>(member, (value) =>
      value === null ? null : (featureValue(value) ?? undefined),
    );
    return given === null || given.length > maxFeatures ? null : Object.fromEntries(given);
  },
  rule: `${featuresText}, or null for that of the tier`,
};

/** Reads the members of an object; null for anything else, a wrong name, and a value that `valueOf` leaves undefined. */
function entriesIn<Value>(
  member: unknown,
  valueOf: (value: unknown) => Value | undefined,
): readonly (readonly [string, Value])[] | null {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return null;
  const read: (readonly [string, Value])[] = [];
  for (const [key, given] of Object.entries(member)) {
    const value = valueOf(given);
    if (value === undefined || !(value === null ? name.test(key) : isDeclarable(key))) return null;
    read.push([key, value]);
  }
  return read;
}

/** Whether features are few and small enough to be kept. */
export function isSmall(features: Features, maxBytes: number): boolean {
  if (Object.keys(features).length > maxFeatures) return false;
  return new TextEncoder().encode(JSON.stringify(features)).length <= maxBytes;
}

/** Brings features into their order. Of two with one name, the later counts. */
export function featuresFrom(entries: Iterable<readonly [string, FeatureValue]>): Features {
  const last = [...new Map(entries)];
  return Object.fromEntries(last.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Features with some others instead of, or beside, their own. */
export function featuresWith(features: Features, others: Features): Features {
  return featuresFrom([...Object.entries(features), ...Object.entries(others)]);
}

/** Makes a change of features, where null removes one. */
export function changedFeatures(features: Features, change: FeatureChange): Features {
  const all = new Map<string, FeatureValue>(Object.entries(features));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) all.delete(key);
    else all.set(key, value);
  }
  return featuresFrom(all);
}

export function areSameFeatures(a: Features, b: Features): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function hasFeatures(features: Features): boolean {
  return Object.keys(features).length > 0;
}
