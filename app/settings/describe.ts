import type { EffectiveSetting, SettingFlag } from '../../adapters/cli/shell/shell.ts';
import type { ResolvedSettings } from './resolve.ts';
import { allSettings, type Setting } from './settings.ts';

/** The flags of all settings, each with its help. */
export const settingFlags: readonly SettingFlag[] = allSettings.map((setting) => {
  const { name, flag, env, help } = setting;
  const otherwise = setting.default === null ? '' : `, default ${setting.default}`;
  return { name, flag, description: `${help} (${env}${otherwise})` };
});

/** Lists the settings in use and the source of each, without the secrets in a URL. */
export function describeSettings({ written }: Pick<ResolvedSettings, 'written'>): readonly EffectiveSetting[] {
  return allSettings.map(({ name, secret }) => {
    const { value, source } = written[name];
    return { name, value: value === null ? null : shown(value, secret), source };
  });
}

function shown(value: string | number, secret: Setting['secret']): string | number {
  if (secret === undefined) return value;
  return secret === 'whole' ? '***' : withoutSecrets(String(value));
}

/**
 * Hides the password and the options of a MongoDB URL; some options are credentials. If an `@` follows a `?`, the end of
 * the password is unknown, so everything after the scheme is hidden. Of a mail server the user is hidden too: with some, it
 * is half of a key.
 */
function withoutSecrets(url: string): string {
  const [, mail] = /^(smtps?:\/\/)/i.exec(url) ?? [];
  if (mail !== undefined) return mail + url.slice(mail.length).replace(/^.*@/s, '***@');
  const [, scheme] = /^(mongodb(?:\+srv)?:\/\/)/.exec(url) ?? [];
  if (scheme === undefined) return url;
  const [place = '', ...options] = url.slice(scheme.length).split('?');
  if (options.join('').includes('@')) return `${scheme}***`;
  return `${scheme}${place.replace(/:.*@/s, ':***@')}${options.length > 0 ? '?***' : ''}`;
}
