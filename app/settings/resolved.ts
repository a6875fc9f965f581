import type { SettingName } from './schema.ts';

export type SettingValue = string | number;

/** A setting's value and where it came from: `--port`, `PORT`, `latchkey.json` or `default`. */
export interface Resolved {
  /** Null where the setting has no default and nobody set it. */
  readonly value: SettingValue | null;
  readonly source: string;
}

export type ResolvedSettings = Readonly<Record<SettingName, Resolved>>;
