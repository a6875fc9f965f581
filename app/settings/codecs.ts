import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { adminOperationIds, defaultRateLimits, type RateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { parseDuration } from '../../core/parsing/duration.ts';
import { storeKindOf } from '../stores/store-kind.ts';

/** More processes than this are a mistake: each has memory and connections of its own. */
const maxWorkers = 128;

/** Reads the values of one kind of setting. */
export interface Codec<T> {
  /** What a value must be; completes the message "… must be …", and the help. */
  readonly rule: string;
  /** Returns undefined for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  /** Whether settings files and `config print` write the value as a number, unless it is a word. */
  readonly isNumber?: true;
}

export const storeUrl = textThat(
  'memory:, sqlite:PATH or mongodb://HOST/DATABASE',
  (text) => storeKindOf(text) !== null,
);
export const hostName = textThat('a host name or IP address', (text) => /^[A-Za-z0-9.:_%-]+$/.test(text));

/** A URL to append paths to, so without a slash at its end. */
export const httpUrl: Codec<string> = {
  rule: 'an http or https URL without query, fragment or user name',
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    return url.search === '' && url.hash === '' && url.username === '' ? text.replace(/\/$/, '') : undefined;
  },
};

export const origins: Codec<'*' | readonly string[]> = {
  rule: '* or comma-separated origins, such as https://shop.example',
  parse: (text) => (text === '*' ? text : itemsOf(text, (item) => URL.parse(item)?.origin === item && item !== 'null')),
};

export const oneLine = textThat(
  'one line of 1 to 60 characters',
  (text) => /^[^\p{Cc}\p{Cs}]{1,60}$/u.test(text) && text.trim() !== '',
);

export const color = textThat('a color such as #0f766e', (text) => /^#[0-9a-f]{6}$/i.test(text));

export const linkUrl = textThat('an http or https URL, or a path that begins with /', isLink);

/** Labels and addresses of links. */
export const links: Codec<readonly { readonly label: string; readonly url: string }[]> = {
  rule: 'comma-separated LABEL=URL, such as Terms=https://shop.example/terms; a URL is http, https, mailto or a path',
  parse: (text) => {
    const pairs = text.split(',').map((item) => item.trim().split(/ *= *(.*)/s, 2));
    const all = pairs.map(([label = '', url = '']) => ({ label, url }));
    const isValid = all.every(
      ({ label, url }) => label !== '' && (isLink(url) || /^mailto:[^\s@]+@[^\s@]+$/.test(url)),
    );
    return isValid ? all : undefined;
  },
};

/** The operations that can have a limit. */
const limited: ReadonlySet<string> = new Set([...Object.keys(defaultRateLimits), ...adminOperationIds]);

/** Requests a minute by operation, or null for no limits. */
export const rateLimits: Codec<RateLimits | null> = {
  rule: 'off, on, or comma-separated OPERATION=REQUESTS, such as verifyLicense=60',
  parse: (text) => {
    if (text === 'off') return null;
    if (text === 'on') return defaultRateLimits;
    const pairs = text.split(',').map((pair) => /^ *([A-Za-z]+)=([1-9]\d{0,8}) *$/.exec(pair));
    if (!pairs.every((pair) => limited.has(pair?.[1] ?? ''))) return undefined;
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
  },
};

export const addressRanges: Codec<readonly string[]> = {
  rule: 'comma-separated addresses, ranges, loopback, linklocal or uniquelocal',
  parse: (text) => itemsOf(text, isAddressRange),
};

export const networks: Codec<readonly string[]> = {
  rule: 'comma-separated addresses and ranges, such as 10.0.0.0/8',
  parse: (text) => itemsOf(text, (item) => isIP(item.split('/')[0] ?? '') !== 0 && isAddressRange(item)),
};

export const port: Codec<number> = { ...integer(0, 65_535), rule: 'an integer from 0 to 65535; 0 means any free port' };

export function integer(min: number, max: number): Codec<number> {
  const parse = (text: string): number | undefined => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { rule: `an integer from ${min} to ${max}`, parse, isNumber: true };
}

/** The number of processes that serve. Where there are more cores, `auto` stops at the maximum. */
export const workers: Codec<number> = {
  rule: `an integer from 1 to ${maxWorkers}, or auto for the number of cores`,
  parse: (text) =>
    text === 'auto' ? Math.min(availableParallelism(), maxWorkers) : integer(1, maxWorkers).parse(text),
  isNumber: true,
};

/** A duration in milliseconds, between bounds that are written as the setting is. */
export function duration({ min, max }: { readonly min?: string; readonly max?: string }): Codec<number> {
  const bounds = [min === undefined ? '' : `, at least ${min}`, max === undefined ? '' : `, at most ${max}`];
  const minimum = parseDuration(min ?? '') ?? 0;
  const maximum = parseDuration(max ?? '') ?? Infinity;
  return {
    rule: `a whole number followed by s, m, h or d${bounds.join('')}`,
    parse: (text) => {
      const value = parseDuration(text);
      return value !== null && value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

export function oneOf<const T extends string>(...values: readonly T[]): Codec<T> {
  const rule = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return { rule, parse: (text) => values.find((value) => value === text) };
}

function textThat(rule: string, isValid: (text: string) => boolean): Codec<string> {
  return { rule, parse: (text) => (isValid(text) ? text : undefined) };
}

/** The items of a comma-separated list, or undefined if one of them is not valid. */
function itemsOf(text: string, isValid: (item: string) => boolean): readonly string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  return items.every(isValid) ? items : undefined;
}

function isLink(text: string): boolean {
  return /^\/(?![/\\])\S*$/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text));
}

function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return /^(loopback|linklocal|uniquelocal)$/.test(item);
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
