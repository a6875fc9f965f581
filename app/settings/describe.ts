import type { EffectiveSetting, SettingFlag } from '../../adapters/cli/shell/shell.ts';
import type { ResolvedSettings } from './resolved.ts';
import { settingNames, settingSchemas, type SettingSchema } from './schema.ts';

/** The settings as flags, with the help for each. */
export const settingFlags: readonly SettingFlag[] = settingNames.map((name) => {
  const { flag, env, description, allowed, default: usual }: SettingSchema = settingSchemas[name];
  const otherwise = usual === undefined ? '' : `, default ${usual}`;
  return { name, flag, description: `${description}: ${allowed} (${env}${otherwise})` };
});

/** The settings in use and where each came from; what is secret in a URL is hidden. */
export function describeSettings(resolved: ResolvedSettings): readonly EffectiveSetting[] {
  return settingNames.map((name) => {
    const { value, source } = resolved[name];
    const { secret }: SettingSchema = settingSchemas[name];
    return { name, value: secret === true && value !== null ? withoutSecrets(String(value)) : value, source };
  });
}

/** The table of settings in the README. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { env, flag, description, allowed, default: usual }: SettingSchema = settingSchemas[name];
    return `| \`${env}\` | \`${flag}\` | ${usual === undefined ? '' : `\`${usual}\``} | ${description}: ${allowed} |`;
  });
  return ['| environment | flag | default | what it is |', '|---|---|---|---|', ...rows].join('\n');
}

/**
 * A MongoDB address without its password and its options, of which some are credentials. Where an `@` follows a `?`,
 * nobody can say what belongs to the password: nothing but the scheme is left of such an address.
 */
function withoutSecrets(url: string): string {
  const [, scheme] = /^(mongodb(?:\+srv)?:\/\/)/.exec(url) ?? [];
  if (scheme === undefined) return url;
  const [place = '', ...options] = url.slice(scheme.length).split('?');
  if (options.join('').includes('@')) return `${scheme}***`;
  return `${scheme}${place.replace(/:.*@/s, ':***@')}${options.length > 0 ? '?***' : ''}`;
}
