import { millisecondsOf } from './formats.ts';
import type { ResolvedSettings, SettingValue } from './resolved.ts';
import type { SettingName } from './schema.ts';

/** A rule that two settings keep or break together. */
interface Rule {
  readonly setting: SettingName;
  readonly other: SettingName;
  /** What the one must be to the other. */
  readonly must: string;
  readonly isKept: (value: SettingValue, other: SettingValue) => boolean;
}

const rules: readonly Rule[] = [
  {
    setting: 'headersTimeout',
    other: 'requestTimeout',
    must: 'not be longer than',
    isKept: (value, other) => millisecondsOf(value) <= millisecondsOf(other),
  },
  {
    setting: 'adminPort',
    other: 'port',
    must: 'not be the same as',
    isKept: (value, other) => value === 0 || value !== other,
  },
];

/** One sentence for each rule that settings break together of which each can be used by itself. */
export function brokenRules(resolved: ResolvedSettings): readonly string[] {
  return rules.flatMap(({ setting, other, must, isKept }) => {
    const [left, right] = [resolved[setting], resolved[other]];
    if (left.value === null || right.value === null || isKept(left.value, right.value)) return [];
    return [`${setting} (${left.value}, ${left.source}) must ${must} ${other} (${right.value}, ${right.source}).`];
  });
}
