import { vocabulary } from '../data/catalog.ts';
import type { Data } from '../data/seed-store.ts';

/** One kind of request under load. */
export interface Workload {
  readonly name: string;
  /** The share of the ceiling that is aimed at on SQLite: its CPU per request divided by Latchkey's. */
  readonly target: number | null;
  /** The status of every answer: 200 unless given. */
  readonly status?: number;
  /** The request with this number; the same number is the same request. */
  request(number: number): string;
}

/** The number of entitlements that are canceled and resumed in turn. */
export const changedEntitlements = 20_000;

/** The step through the data, prime to its size, so that consecutive requests are far apart. */
export const stride = 7919;

export function entitlementWorkloads({
  appKey,
  entitlementIds,
  licenseKeys,
}: Data): readonly [Workload, ...Workload[]] {
  const authorization = `Authorization: Bearer ${appKey}\r\n`;
  const idOf = (number: number): string => entitlementIds[(number * stride) % entitlementIds.length] ?? '';
  const change = (number: number): string => {
    const turn = Math.floor(number / changedEntitlements);
    const operation = turn % 2 === 0 ? 'cancel' : 'resume';
    const target = `/api/app-entitlements/${idOf(number % changedEntitlements)}/${operation}`;
    return post(target, `${authorization}Idempotency-Key: ${keyOf(number)}\r\n`, '');
  };
  return [
    {
      name: 'verification',
      target: 0.55,
      request: (number) => {
        const licenseKey = licenseKeys[(number * stride) % licenseKeys.length];
        return post('/api/licenses/verify', 'Content-Type: application/json\r\n', JSON.stringify({ licenseKey }));
      },
    },
    {
      name: 'entitlement read',
      target: 0.5,
      request: (number) => get(`/api/app-entitlements/${idOf(number)}`, authorization),
    },
    { name: 'durable cancel', target: 0.2, request: change },
    { name: 'replay of a cancel', target: null, request: (number) => change(number % 1000) },
  ];
}

export function catalogWorkloads({ slugs }: Data): readonly Workload[] {
  const listings = '/api/marketplace/listings';
  return [
    {
      name: 'slug',
      target: 0.75,
      request: (number) => get(`${listings}/${slugs[(number * stride) % slugs.length]}`, ''),
    },
    { name: 'first page', target: 0.75, request: () => get(listings, '') },
    {
      name: 'search, one of 1,000',
      target: 0.22,
      request: (number) => get(`${listings}?q=${word(number % 1000)}`, ''),
    },
    {
      name: 'search, a new one each time',
      target: 0.28,
      request: (number) => get(`${listings}?q=${beginning(number)}+${beginning(Math.floor(number / 400))}`, ''),
    },
    {
      name: 'waitlist',
      target: 0.42,
      request: (number) => {
        const email = `${keyOf(number)}@example.com`;
        return post('/api/waitlist', 'Content-Type: application/json\r\n', JSON.stringify({ email }));
      },
    },
  ];
}

/** What browsers ask for. */
export function pageWorkloads({ slugs }: Data): readonly Workload[] {
  const accept = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n';
  return [
    { name: 'marketplace', target: 0.35, request: () => get('/', accept) },
    { name: 'listing', target: 0.35, request: () => get(`/listings/${slugs[0]}`, accept) },
    {
      name: 'listing, one of 10,000',
      target: null,
      request: (number) => get(`/listings/${slugs[(number * stride) % slugs.length]}`, accept),
    },
  ];
}

function word(number: number): string {
  return vocabulary[(number * stride) % vocabulary.length] ?? '';
}

/** One of the 400 ways in which the words of the vocabulary begin. */
function beginning(number: number): string {
  return vocabulary[number % 400]?.slice(0, 4) ?? '';
}

/** Spread like the UUIDs that clients send, so that no store gains from keys in order. */
export function keyOf(number: number): string {
  return `${(Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-bench-${number}`;
}

export function get(target: string, headers: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
}

export function post(target: string, headers: string, body: string): string {
  return withContent('POST', target, headers, body);
}

export function put(target: string, headers: string, body: string): string {
  return withContent('PUT', target, headers, body);
}

function withContent(method: string, target: string, headers: string, body: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}
