import { textRule, type ValueRule } from './value-rule.ts';

/** An hour in milliseconds. */
export const hour = 3_600_000;

/** A day in milliseconds. */
export const day = 24 * hour;

const units: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', hour],
  ['d', day],
]);

/** The maximum duration, in milliseconds: a hundred years, so that no sum of instant and duration leaves the calendar. */
export const maxDuration = 36_500 * day;

export const durationRule = textRule(
  parseDuration,
  'must be a whole number with s, m, h or d, such as 24h, of at most 36500d',
);

/**
 * Parses a whole number with `s`, `m`, `h` or `d` into milliseconds. Returns null for any other text, and above
 * `maxDuration`.
 */
export function parseDuration(text: string): number | null {
  const unit = units.get(text.slice(-1));
  if (unit === undefined || !/^\d{1,15}$/.test(text.slice(0, -1))) return null;
  const milliseconds = Number(text.slice(0, -1)) * unit;
  return milliseconds <= maxDuration ? milliseconds : null;
}

/** The rule of a duration between two others, in milliseconds. All three are written as `parseDuration` reads them. */
export function durationBetween(least: string, most: string, example: string): ValueRule<number> {
  const [min, max] = [parseDuration(least) ?? 0, parseDuration(most) ?? maxDuration];
  return textRule((text) => {
    const duration = parseDuration(text);
    return duration !== null && duration >= min && duration <= max ? duration : null;
  }, `must be a whole number with s, m, h or d, such as ${example}, of at least ${least} and at most ${most}`);
}

/** Writes a whole number of seconds so that `parseDuration` reads it, in the largest unit. */
export function durationText(milliseconds: number): string {
  const [unit, size] = [...units].toReversed().find(([, each]) => milliseconds % each === 0) ?? ['s', 1000];
  return `${milliseconds / size}${unit}`;
}
