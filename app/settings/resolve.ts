import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closest, distance } from 'fastest-levenshtein';
import { formats, millisecondsOf } from './formats.ts';
import type { Resolved, ResolvedSettings } from './resolved.ts';
import { brokenRules } from './rules.ts';
import { settingNames, settingSchemas, type SettingName, type SettingSchema } from './schema.ts';

/** Where settings are looked for: flags over environment over file over defaults. */
export interface SettingSources {
  /** By setting name, as typed. */
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path of a JSON file, or null. */
  readonly file: string | null;
}

/** Settings that cannot be used: one sentence for each mistake, each naming its source and what is allowed. */
export class InvalidSettings extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/** Every setting, or `InvalidSettings` with all mistakes at once. */
export function resolveSettings({ flags, environment, file }: SettingSources): ResolvedSettings {
  const mistakes: string[] = [...unknownVariables(environment)];
  const fromFile = file === null ? {} : readSettingsFile(file, mistakes);
  const each = settingNames.map((name): [SettingName, Resolved] => {
    const schema: SettingSchema = settingSchemas[name];
    const found = find(name, schema, { flags, environment, fromFile, file }, mistakes);
    if (found === null) return [name, { value: schema.default ?? null, source: 'default' }];
    const value = schema.type === 'integer' && /^\d+$/.test(String(found.value)) ? Number(found.value) : found.value;
    if (!isAllowed(name, schema, value)) mistakes.push(`${name} (${found.source}) must be ${schema.allowed}.`);
    return [name, { value: typeof value === 'number' ? value : String(value), source: found.source }];
  });
  if (mistakes.length > 0) throw new InvalidSettings(mistakes);
  const resolved = Object.fromEntries(each) as Record<SettingName, Resolved>;
  const broken = brokenRules(resolved);
  if (broken.length > 0) throw new InvalidSettings(broken);
  return resolved;
}

interface Layers {
  readonly flags: SettingSources['flags'];
  readonly environment: SettingSources['environment'];
  readonly fromFile: Readonly<Record<string, unknown>>;
  readonly file: string | null;
}

function find(
  name: SettingName,
  { env, flag, secret }: SettingSchema,
  { flags, environment, fromFile, file }: Layers,
  mistakes: string[],
): { readonly value: unknown; readonly source: string } | null {
  const flagged = flags[name];
  if (flagged !== undefined) return { value: flagged, source: flag };
  const variable = environment[env];
  const secretFile = secret === true ? environment[`${env}_FILE`] : undefined;
  if (variable !== undefined && secretFile !== undefined) mistakes.push(`${env} and ${env}_FILE cannot both be set.`);
  if (variable !== undefined) return { value: variable, source: env };
  if (secretFile !== undefined) {
    const text = readText(secretFile, `${env}_FILE`, mistakes);
    return text === null ? null : { value: text.trim(), source: `${env}_FILE` };
  }
  return Object.hasOwn(fromFile, name) ? { value: fromFile[name], source: file ?? '' } : null;
}

function readSettingsFile(file: string, mistakes: string[]): Readonly<Record<string, unknown>> {
  const text = readText(file, '--config', mistakes);
  if (text === null) return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    mistakes.push(`${file} must hold one JSON object.`);
    return {};
  }
  for (const key of Object.keys(content)) {
    if (!Object.hasOwn(settingSchemas, key)) {
      mistakes.push(`${key} (${file}) is not a setting; the nearest is ${closest(key, settingNames)}.`);
    }
  }
  return { ...content };
}

function readText(path: string, source: string, mistakes: string[]): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    mistakes.push(`The file that ${source} names cannot be read.`);
    return null;
  }
}

/** Variables that nobody means but as a misspelling of ours: two letters away at most, and not too short to tell. */
function unknownVariables(environment: SettingSources['environment']): readonly string[] {
  const ours = settingNames.flatMap((name) => {
    const { env, secret }: SettingSchema = settingSchemas[name];
    return secret === true ? [env, `${env}_FILE`] : [env];
  });
  return Object.keys(environment)
    .filter((name) => name.length >= 8 && !ours.includes(name))
    .flatMap((name) => {
      const nearest = closest(name, ours);
      return distance(name, nearest) <= 2 ? [`${name} (environment) is not a setting; the nearest is ${nearest}.`] : [];
    });
}

const ajv = new Ajv2020({ allErrors: true, strict: true });
ajv.addVocabulary(['allowed', 'env', 'flag', 'secret', 'minDuration', 'maxDurationSetting']);
for (const [name, validate] of formats) ajv.addFormat(name, validate);
const checks = new Map<SettingName, ValidateFunction>(
  settingNames.map((name) => [name, ajv.compile(settingSchemas[name])]),
);

function isAllowed(name: SettingName, { minDuration, maxDurationSetting }: SettingSchema, value: unknown): boolean {
  if (checks.get(name)?.(value) !== true) return false;
  if (minDuration !== undefined && millisecondsOf(value) < millisecondsOf(minDuration)) return false;
  return maxDurationSetting === undefined || millisecondsOf(value) <= millisecondsOf(maxDurationSetting);
}
