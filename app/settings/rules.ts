import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { adminOperationIds } from '../../adapters/http/limits/admin-operation-ids.ts';
import { defaultRateLimits, type RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { readSmtpUrl } from '../../adapters/mail/smtp-server.ts';
import { readMailbox } from '../../core/mail/mail-address.ts';
import { parseDuration } from '../../core/parsing/duration.ts';
import { isLoopbackHost } from '../../core/parsing/host-pattern.ts';
import { unexpandedIn } from '../../core/parsing/path-rules.ts';
import { filledIn } from '../../core/parsing/placeholders.ts';
import { textRule, textThat, type ValueRule } from '../../core/parsing/value-rule.ts';
import { brokenStoreUrl } from '../stores/store-url.ts';

/** More processes than this are a mistake: each has memory and connections of its own. */
const maxWorkers = 128;

export const storeUrl = textThat(
  (text) => brokenStoreUrl(text) === null,
  'must be memory:, sqlite:PATH or mongodb://HOST/DATABASE',
  brokenStoreUrl,
);

export const hostName = textThat((text) => /^[A-Za-z0-9.:_%-]+$/.test(text), 'must be a host name or IP address');

/** A URL to append paths to, so without a slash at its end. */
export const httpUrl = filledIn(
  textRule((text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return null;
    return url.search === '' && url.hash === '' && url.username === '' ? text.replace(/\/$/, '') : null;
  }, 'must be an http or https URL without query, fragment or user name'),
);

/** The origin of a port that others reach by TLS. */
export const httpsOrigin = filledIn(
  textRule((text) => {
    const url = URL.parse(text);
    return url?.protocol === 'https:' && url.origin === text.replace(/\/$/, '') ? url.origin : null;
  }, 'must be an https URL without a path, query, fragment or user name'),
);

export const origins = filledIn(
  textRule(
    (text) => (text === '*' ? text : itemsOf(text, (item) => URL.parse(item)?.origin === item && item !== 'null')),
    'must be * or comma-separated origins, such as https://shop.example',
  ),
);

export function oneLine(maxCharacters: number): ValueRule<string> {
  return textThat(
    (text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text) && text.trim() !== '' && [...text].length <= maxCharacters,
    `must be one line of 1 to ${maxCharacters} characters`,
  );
}

export const color = textThat((text) => /^#[0-9a-f]{6}$/i.test(text), 'must be a color such as #0f766e');

export const linkUrl = filledIn(textThat(isLink, 'must be an http or https URL, or a path that begins with /'));

/** Hosts as addresses have them: in lower case, with a port unless it is that of https. */
export const hosts = textRule(
  (text) =>
    itemsOf(text.toLowerCase(), (item) => /^[a-z0-9_.:-]+$/.test(item) && URL.parse(`https://${item}`)?.host === item),
  'must be comma-separated host names, such as images.example',
);

/** The address of a link in the footer. */
export const siteUrl = filledIn(
  textThat(isSiteUrl, 'must be an http, https or mailto URL, or a path that begins with /'),
);

/** Labels and addresses of links. */
export const links = textRule((text) => {
  const pairs = text.split(',').map((item) => item.trim().split(/ *= *(.*)/s, 2));
  const all = pairs.map(([label = '', url = '']) => ({ label, url }));
  const isValid = all.every(({ label, url }) => label !== '' && isSiteUrl(url));
  return isValid ? all : null;
}, 'must be comma-separated LABEL=URL, such as Terms=https://shop.example/terms; a URL is http, https, mailto or a path');

export const filePath = textThat(
  (text) => text.trim() === text && text !== '' && !/\p{Cc}/u.test(text) && unexpandedIn(text) === null,
  'must be the path of a file',
  unexpandedIn,
);

/** A language tag (BCP 47), in its canonical form. Without `Intl` for English, because its first use costs much. */
export const language = textRule((text) => {
  if (text === 'en') return text;
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text)[0] ?? null;
  } catch {
    return null;
  }
}, 'must be the tag of a language whose dates are known, such as en, de or pt-BR');

/** The operations that can have a limit. */
const limited: ReadonlySet<string> = new Set([...Object.keys(defaultRateLimits), ...adminOperationIds]);

/** Requests a minute by operation. */
export const rateLimits = textRule((text): RateLimits | 'off' | null => {
  if (text === 'off') return text;
  if (text === 'on') return defaultRateLimits;
  const pairs = text.split(',').map((pair) => /^ *([A-Za-z]+)=([1-9]\d{0,8}) *$/.exec(pair));
  if (!pairs.every((pair) => limited.has(pair?.[1] ?? ''))) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
}, 'must be off, on, or comma-separated OPERATION=REQUESTS, such as verifyLicense=60');

export const addressRanges = textRule(
  (text) => itemsOf(text, isAddressRange),
  'must be comma-separated addresses, ranges, loopback, linklocal or uniquelocal',
);

export const networks = textRule(
  (text) => itemsOf(text, (item) => isIP(item.split('/')[0] ?? '') !== 0 && isAddressRange(item)),
  'must be comma-separated addresses and ranges, such as 10.0.0.0/8',
);

/** A secret key (`sk_`) or a restricted one (`rk_`). */
export const stripeKey = filledIn(
  textThat(
    (text) => /^[sr]k_[A-Za-z0-9_]{1,250}$/.test(text),
    'must be a secret or restricted key of Stripe, which begins with sk_ or rk_',
  ),
);

export const stripeSecrets = filledIn(
  textRule((text) => {
    const secrets = itemsOf(text, (item) => /^whsec_[^\s,]{1,250}$/.test(item));
    return secrets !== null && secrets.length <= 2 ? secrets : null;
  }, 'must be one or two comma-separated signing secrets, as Stripe shows them'),
);

/** Without TLS only on this machine, where a substitute for Stripe may run in tests. */
export const stripeBase = textRule((text) => {
  const url = URL.parse(text);
  if (url === null || url.origin !== text.replace(/\/$/, '')) return null;
  const isOwn = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  return url.protocol === 'https:' || isOwn ? url.origin : null;
}, 'must be an https URL without a path, or an http URL of a loopback address');

export const smtpUrl = filledIn(
  textRule(
    readSmtpUrl,
    'must be smtps://USER:PASSWORD@HOST:PORT, or smtp:// with STARTTLS, which only an address of this machine does without; user and password encoded as in a URL',
  ),
);

/** The angle brackets are those of the address. */
export const mailbox = filledIn(textRule(readMailbox, 'must be an e-mail address, or NAME <ADDRESS>'), (text) =>
  text.replaceAll(/[<>]/g, ''),
);

/** Kubernetes and Docker set variables to addresses, such as ADMIN_PORT for a Service named `admin`. */
export const port: ValueRule<number> = {
  ...integer(0, 65_535, 'must be an integer from 0 to 65535; 0 means any free port'),
  brokenBy: (text) =>
    /^\w+:\/\//.test(text)
      ? 'must be an integer from 0 to 65535, and not an address, as Kubernetes sets it for a Service of this name: set the port itself, or enableServiceLinks: false'
      : null,
};

/** An integer, which settings files may also write as a number. */
export function integer(
  min: number,
  max: number,
  rule = `must be an integer from ${min} to ${max}`,
): ValueRule<number> {
  const parse = (text: string): number | null => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : null;
  };
  return { parse, read: (member) => parse(String(member)), rule };
}

const countOfWorkers = integer(1, maxWorkers);

/** The number of processes that serve. Where there are more cores, `auto` stops at the maximum. */
export const workers: ValueRule<number> = {
  parse: (text) => (text === 'auto' ? Math.min(availableParallelism(), maxWorkers) : countOfWorkers.parse(text)),
  read: (member) => workers.parse(String(member)),
  rule: `must be an integer from 1 to ${maxWorkers}, or auto for the number of cores`,
};

/** A duration in milliseconds, between bounds that are written as the setting is. */
export function duration({ min, max }: { readonly min?: string; readonly max?: string }): ValueRule<number> {
  const bounds = [min === undefined ? '' : `, at least ${min}`, max === undefined ? '' : `, at most ${max}`];
  const minimum = parseDuration(min ?? '') ?? 0;
  const maximum = parseDuration(max ?? '') ?? Infinity;
  return textRule(
    (text) => {
      const value = parseDuration(text);
      return value !== null && value >= minimum && value <= maximum ? value : null;
    },
    `must be a whole number followed by s, m, h or d${bounds.join('')}`,
  );
}

/** A duration, or `off`. */
export function durationOrOff(bounds: Parameters<typeof duration>[0]): ValueRule<number | 'off'> {
  const { parse, rule } = duration(bounds);
  return textRule((text) => (text === 'off' ? text : parse(text)), `${rule}, or be off`);
}

export function oneOf<const T extends string>(...values: readonly T[]): ValueRule<T> {
  const rule = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return textRule((text) => values.find((value) => value === text) ?? null, rule);
}

/** The items of a comma-separated list, or null if one of them is not valid. */
function itemsOf(text: string, isValid: (item: string) => boolean): readonly string[] | null {
  const items = text.split(',').map((item) => item.trim());
  return items.every(isValid) ? items : null;
}

function isLink(text: string): boolean {
  return /^\/(?![/\\])\S*$/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text));
}

function isSiteUrl(text: string): boolean {
  return isLink(text) || /^mailto:[^\s@]+@[^\s@]+$/.test(text);
}

function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return /^(loopback|linklocal|uniquelocal)$/.test(item);
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
