import type { EffectiveSetting, SettingFlag } from '../../adapters/cli/shell.ts';
import type { ResolvedSettings } from './resolve.ts';
import { settingNames, settingSchemas, type SettingSchema } from './schema.ts';

/** The settings as flags, with the help for each. */
export const settingFlags: readonly SettingFlag[] = settingNames.map((name) => {
  const { flag, env, description, allowed, default: usual }: SettingSchema = settingSchemas[name];
  const otherwise = usual === undefined ? '' : `, default ${usual}`;
  return { name, flag, description: `${description}: ${allowed} (${env}${otherwise})` };
});

/** The settings in use and where each came from; the password in a URL is hidden. */
export function describeSettings(resolved: ResolvedSettings): readonly EffectiveSetting[] {
  return settingNames.map((name) => {
    const { value, source } = resolved[name];
    const { secret }: SettingSchema = settingSchemas[name];
    return { name, value: secret === true && value !== null ? withoutPassword(String(value)) : value, source };
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

function withoutPassword(url: string): string {
  return url.replace(/^([a-z+]+:\/\/[^:/@]*):[^/]*@/i, '$1:***@');
}
