// What the files of the three vendors share.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const tiers = new Map(Object.entries(JSON.parse(readFileSync('tiers.json', 'utf8'))));

/** The tier of the first name that has one; null for what you do not license. */
export function tierOf(...names) {
  const tier = names.map((name) => tiers.get(String(name))).find(Boolean);
  if (!tier && !names.some((name) => tiers.has(String(name)))) throw new Error(`tiers.json has no ${names[0]}`);
  return tier ?? null;
}

/** An environment variable. An empty secret would let everybody in. */
export function setting(name, fallback) {
  const value = process.env[name] || fallback;
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const digest = (text) => createHash('sha256').update(text).digest();
export const isSame = (a, b) => timingSafeEqual(digest(a), digest(b));
export const sign = (text, secret) => createHmac('sha256', secret).update(text).digest('hex');

/** What the vendor's API has now. */
export async function read(url, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.json();
}

/** Such a part of an amount of money, rounded down. */
export const portion = (amount, part, whole) =>
  whole > 0 ? Number((BigInt(amount) * BigInt(part)) / BigInt(whole)) : 0;

/** An event for `handle`. */
export const event = (type, subscription) => ({ type, subscription });
