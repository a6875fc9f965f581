import { isIP } from 'node:net';
import { defaultRateLimits, type RateLimits } from '../../adapters/http/exchange/rate-limiter.ts';
import { parseDuration } from '../../adapters/cli/input/duration.ts';
import { storeKindOf } from '../stores/store-kind.ts';

/** What the formats of the settings mean. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['duration', (text) => parseDuration(text) !== null],
  ['host', (text) => /^[A-Za-z0-9.:_%-]+$/.test(text)],
  ['store-url', (text) => storeKindOf(text) !== null],
  ['http-url', (text) => isHttpUrl(text)],
  ['origins', (text) => text === '*' || text.split(',').every((part) => isOrigin(part.trim()))],
  ['rate-limits', (text) => parseRateLimits(text) !== undefined],
  ['addresses', (text) => text.split(',').every((part) => isAddressRange(part.trim()))],
]);

/** Milliseconds of the value of a setting that is a duration; 0 for any other. */
export function millisecondsOf(value: unknown): number {
  return parseDuration(String(value)) ?? 0;
}

/** The limits that a text names: null for none at all, undefined for a text that names none. */
export function parseRateLimits(text: string): RateLimits | null | undefined {
  if (text === 'off') return null;
  if (text === 'on') return defaultRateLimits;
  const pairs = text.split(',').map((pair) => /^ *([A-Za-z]+)=([1-9]\d{0,8}) *$/.exec(pair));
  if (!pairs.every((pair) => Object.hasOwn(defaultRateLimits, pair?.[1] ?? ''))) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text && text !== 'null';
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return /^(loopback|linklocal|uniquelocal)$/.test(text);
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
