import { readFileSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import { textIn } from '../../adapters/cli/input/encoding.ts';
import { WrongArgument } from '../../adapters/cli/shell/errors.ts';
import type { TypedSettings } from '../../adapters/cli/shell/shell.ts';
import { englishTexts, type BuyerTexts } from '../../adapters/web/markup/buyer-texts.ts';
import { unexpandedIn } from '../../core/parsing/path-rules.ts';
import { brokenRule } from '../../core/parsing/value-rule.ts';
import { UnusableStore } from '../../core/store/store.port.ts';
import { withoutServiceLinks } from './service-links.ts';
import { allSettings, type Setting, type SettingName, type Settings } from './settings.ts';
import { readSiteTexts } from './site-texts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as it was written. */
interface WrittenSetting {
  /** Null if nobody set it and it has no default. */
  readonly value: string | number | null;
  /** Where it was set: `--port`, `PORT`, `latchkey.json` or `default`. */
  readonly source: string;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  readonly written: Readonly<Record<SettingName, WrittenSetting>>;
}

/**
 * Reads every setting: flags take precedence over the environment, the environment over the settings file, the file
 * over the defaults. An empty variable and an empty or null member of the file count as not set; an empty flag does
 * not. Throws `WrongArgument` with all mistakes at once, each with the source of the value and the rule.
 */
export function resolveSettings({ flags, file }: TypedSettings, variables: Environment): ResolvedSettings {
  const environment = withoutServiceLinks(withoutEmpty(variables));
  const mistakes: string[] = [...misspeltVariables(environment)];
  const content = file === null ? {} : readSettingsFile(file, mistakes);
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const written: Partial<Record<SettingName, WrittenSetting>> = {};
  for (const setting of allSettings) {
    const { name, rule } = setting;
    const found = find(setting, { flags, environment, content, file: file ?? '' }, mistakes);
    const value = found.value === null ? null : rule.read(found.value);
    if (found.value !== null && value === null)
      mistakes.push(`${name} (${found.source}) ${brokenRule(rule, found.value)}.`);
    settings[name] = value;
    written[name] = typeof value === 'number' ? { ...found, value: asNumber(found.value) } : found;
  }
  settings.siteTexts = siteTextsOf(settings.siteTextsFile, written.siteTextsFile?.source ?? '', mistakes);
  const resolved = { settings, written } as ResolvedSettings;
  if (mistakes.length === 0) mistakes.push(...mistakesTogether(resolved));
  if (mistakes.length > 0) throw new WrongArgument(mistakes.join('\n'));
  return resolved;
}

/** The settings where nobody set any. */
export const defaultSettings: Settings = resolveSettings({ flags: {}, file: null }, {}).settings;

/** Reads the settings of a command that opens a store. Throws `UnusableStore` for `memory:`, which ends with its process. */
export function resolveForCommand(typed: TypedSettings, environment: Environment): Settings {
  const { settings } = resolveSettings(typed, environment);
  if (settings.store !== 'memory:') return settings;
  throw new UnusableStore('A store in memory ends with its process: only serve and demo can use one.');
}

/** Checks the rules that concern two settings. */
function mistakesTogether({ settings, written }: ResolvedSettings): readonly string[] {
  const { headersTimeout, requestTimeout, adminPort, merchantPort, port, workers, store } = settings;
  const { deviceIdle, receiptTtl, buyerReceiptTtl, receiptMaxAge } = settings;
  const as = (name: SettingName): string => `${name} (${written[name].value}, ${written[name].source})`;
  const mistakes: string[] = [];
  if (headersTimeout > requestTimeout) {
    mistakes.push(`${as('headersTimeout')} must not be longer than ${as('requestTimeout')}.`);
  }
  if (deviceIdle < receiptTtl) {
    mistakes.push(
      `${as('deviceIdle')} must not be shorter than ${as('receiptTtl')}, for which a device may run unseen.`,
    );
  }
  if (typeof buyerReceiptTtl === 'number' && buyerReceiptTtl > receiptMaxAge) {
    mistakes.push(`${as('buyerReceiptTtl')} must not be longer than ${as('receiptMaxAge')}.`);
  }
  if (adminPort === port && port !== 0) mistakes.push(`${as('adminPort')} must not be the same as ${as('port')}.`);
  if (merchantPort !== null && adminPort === null) mistakes.push(`${as('merchantPort')} needs ADMIN_PORT.`);
  if (merchantPort !== null && merchantPort !== 0) {
    if (merchantPort === port) mistakes.push(`${as('merchantPort')} must not be the same as ${as('port')}.`);
    if (merchantPort === adminPort) mistakes.push(`${as('merchantPort')} must not be the same as ${as('adminPort')}.`);
  }
  const { smtpUrl, mailFrom, mailReplyTo } = settings;
  if (smtpUrl !== null && mailFrom === null) mistakes.push(`smtpUrl (${written.smtpUrl.source}) needs MAIL_FROM.`);
  if (smtpUrl === null && mailFrom !== null) mistakes.push(`${as('mailFrom')} needs SMTP_URL.`);
  if (smtpUrl === null && mailReplyTo !== null) mistakes.push(`${as('mailReplyTo')} needs SMTP_URL.`);
  if (workers > 1 && store === 'memory:') {
    mistakes.push(`${as('workers')} must be 1 with a store in memory, which belongs to one process.`);
  }
  return mistakes;
}

/** The number that a text is; the text itself for a duration, or a word such as `auto`. */
function asNumber(written: WrittenSetting['value']): WrittenSetting['value'] {
  return typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
}

interface Sources {
  readonly flags: TypedSettings['flags'];
  readonly environment: Environment;
  readonly content: Readonly<Record<string, unknown>>;
  readonly file: string;
}

function find(setting: Setting, { flags, environment, content, file }: Sources, mistakes: string[]): WrittenSetting {
  const { name, env, flag, secret } = setting;
  const flagged = flags[name];
  if (flagged !== undefined) return { value: flagged, source: flag };
  const variable = environment[env];
  const secretFile = secret !== undefined ? environment[`${env}_FILE`] : undefined;
  if (variable !== undefined && secretFile !== undefined) mistakes.push(`${env} and ${env}_FILE cannot both be set.`);
  if (variable !== undefined) return { value: variable, source: env };
  if (secretFile !== undefined) {
    const text = readText(secretFile, `${env}_FILE`, mistakes);
    return { value: text?.trim() ?? null, source: `${env}_FILE` };
  }
  const member = Object.hasOwn(content, name) ? content[name] : null;
  if (member === null || member === '') return { value: setting.default, source: 'default' };
  // The empty text stands for another type, and breaks the rule of every setting.
  return { value: typeof member === 'string' || typeof member === 'number' ? member : '', source: file };
}

function readSettingsFile(file: string, mistakes: string[]): Readonly<Record<string, unknown>> {
  const text = readText(file, '--config', mistakes);
  if (text === null) return {};
  const content = parseJson(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    mistakes.push(`${file} must contain one JSON object.`);
    return {};
  }
  const names = allSettings.map(({ name }) => name);
  for (const key of Object.keys(content)) {
    const nearest = closest(key, names);
    if (key !== nearest) mistakes.push(`${key} (${file}) is not a setting; did you mean ${nearest}?`);
  }
  return { ...content };
}

/** The texts of a file, over the English ones. */
function siteTextsOf(file: unknown, source: string, mistakes: string[]): BuyerTexts {
  const content = typeof file === 'string' ? readText(file, source, mistakes) : null;
  if (content === null) return englishTexts;
  const read = readSiteTexts(parseJson(content), String(file));
  mistakes.push(...read.mistakes);
  return read.texts;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readText(path: string, source: string, mistakes: string[]): string | null {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch {
    const why = unexpandedIn(path);
    mistakes.push(`The file given by ${source} cannot be read${why === null ? '' : `: its path ${why}`}.`);
    return null;
  }
  const read = textIn(bytes);
  if ('text' in read) return read.text;
  mistakes.push(`The file given by ${source} ${read.problem}.`);
  return null;
}

/** The variables without the empty ones, which compose files and scripts pass for those that nobody has set. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** Finds variables that look like a misspelling of Latchkey's: at least eight letters, and at most two edits away. */
function misspeltVariables(environment: Environment): readonly string[] {
  const ours = allSettings.flatMap(({ env, secret }) => (secret !== undefined ? [env, `${env}_FILE`] : [env]));
  return Object.keys(environment)
    .filter((name) => name.length >= 8 && !ours.includes(name))
    .map((name) => ({ name, nearest: closest(name, ours) }))
    .filter(({ name, nearest }) => distance(name, nearest) <= 2)
    .map(({ name, nearest }) => `${name} (environment) is not a setting; did you mean ${nearest}?`);
}
