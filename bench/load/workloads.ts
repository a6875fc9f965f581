import { cursorAt, type ListName } from '../../core/paging/cursor.ts';
import { vocabulary } from '../data/catalog.ts';
import { productId, type Data } from '../data/seed-store.ts';

/** One kind of request under load. */
export interface Workload {
  /** The request with this number; the same number is the same request. */
  request(number: number): string;
  /** The status of every answer: 200 unless given. */
  readonly status?: number;
  /** Whether it goes to the admin port. */
  readonly isAdmin?: boolean;
}

/** The number of entitlements that are canceled and resumed in turn, and of others that are renewed. */
const changedEntitlements = 20_000;

/** The number of licenses whose device comes again, and of others whose devices are new. */
const devicesAgain = 1000;
const devicesNew = 20_000;

/** The step through the data, prime to its size, so that consecutive requests are far apart. */
const stride = 7919;

const day = 86_400_000;

/** The end of the first period that a renewal adds, after that of every seeded entitlement. */
const firstRenewalEnd = Date.UTC(2100, 0, 1);

/** The list that the pages of an operator belong to: every entitlement. */
const everyEntitlement: ListName = ['entitlements', null, null, null, null];

/** Requests of each kind in a hundred of mixed traffic. A durable cancel is a cancel or a resume. */
const shares = {
  verification: 40,
  'entitlement read': 16,
  slug: 16,
  'first page': 9,
  'search, one of 1,000': 9,
  'durable cancel': 6,
  waitlist: 4,
} as const;

/** Prime to a hundred, so that the kinds are spread evenly. */
const step = 37;

/** The public operations, by name. */
export function publicWorkloads({ appKey, entitlementIds, licenseKeys, slugs }: Data) {
  const listings = '/api/marketplace/listings';
  const key = bearer(appKey);
  const change = (number: number): string => {
    const operation = Math.floor(number / changedEntitlements) % 2 === 0 ? 'cancel' : 'resume';
    const target = `/api/app-entitlements/${at(entitlementIds, number % changedEntitlements)}/${operation}`;
    return http('POST', target, `${key}Idempotency-Key: ${keyOf(number)}\r\n`);
  };
  return {
    verification: named((number) => {
      return http('POST', '/api/licenses/verify', '', { licenseKey: at(licenseKeys, number) });
    }),
    'entitlement read': named((number) => http('GET', `/api/app-entitlements/${at(entitlementIds, number)}`, key)),
    'durable cancel': named(change),
    'replay of a cancel': named((number) => change(number % 1000)),
    slug: named((number) => http('GET', `${listings}/${at(slugs, number)}`)),
    'first page': named(() => http('GET', listings)),
    'search, one of 1,000': named((number) => http('GET', `${listings}?q=${at(vocabulary, number % 1000)}`)),
    'search, a new one each time': named((number) => {
      return http('GET', `${listings}?q=${beginning(number)}+${beginning(Math.floor(number / 400))}`);
    }),
    waitlist: named((number) => http('POST', '/api/waitlist', '', { email: `${keyOf(number)}@example.com` })),
  };
}

/** Requests for receipts, which no peer of the comparisons answers. */
export function receiptWorkload({ licenseKeys }: Data): Workload {
  return named((number) => http('POST', '/api/licenses/receipt', '', { licenseKey: at(licenseKeys, number) }));
}

/** Activations of devices. A license has one device for *activate again*, and gets one after the other for *activate new*. */
export function deviceWorkloads({ licenseKeys }: Data) {
  return {
    'activate again': named((number) => activate(at(licenseKeys, number % devicesAgain), 'the-device-of-a-buyer')),
    'activate new': named((number) => activate(at(licenseKeys, devicesAgain + (number % devicesNew)), keyOf(number))),
  };
}

function activate(licenseKey: string, deviceId: string): string {
  return http('POST', '/api/licenses/activate', '', { licenseKey, deviceId });
}

/** Starts of the trials of devices, each of another device. A thousand addresses that a proxy names take turns. */
export const trialWorkload = named((number) => {
  const address = `X-Forwarded-For: 198.51.${100 + (number % 4)}.${Math.floor(number / 4) % 250}\r\n`;
  return http('POST', '/api/licenses/trial', address, { productId, deviceId: keyOf(number) });
});

/** The pages that browsers ask for. */
export function pageWorkloads({ slugs }: Data) {
  const accept = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n';
  return {
    marketplace: named(() => http('GET', '/', accept)),
    listing: named(() => http('GET', `/listings/${at(slugs, 0)}`, accept)),
    'listing, one of 10,000': named((number) => http('GET', `/listings/${at(slugs, number)}`, accept)),
  };
}

/** The requests of an operator. None of them changes an entitlement that `durable cancel` changes. */
export function adminWorkloads({ operatorKey, entitlementIds }: Data) {
  const key = bearer(operatorKey);
  const path = '/admin/entitlements';
  const terms = { productId, tierId: 'pro', tierName: 'Professional', billingInterval: 'month' };
  return {
    grant: admin((number) => http('PUT', `${path}/${keyOf(number)}`, key, terms), 201),
    renew: admin((number) => {
      const turn = Math.floor(number / changedEntitlements);
      const currentPeriodEnd = new Date(firstRenewalEnd + turn * day).toISOString();
      const id = at(entitlementIds, changedEntitlements + (number % changedEntitlements));
      return http('POST', `${path}/${id}/renew`, key, { currentPeriodEnd });
    }),
    show: admin((number) => http('GET', `${path}/${at(entitlementIds, number)}`, key)),
    page: admin((number) => {
      const after = cursorAt(everyEntitlement, [at(entitlementIds, number)]);
      return http('GET', `${path}?limit=50&after=${after}`, key);
    }),
  };
}

/** Mixed traffic of merchants, buyers and affiliates: creates one request after another. */
export function mixedRequests(data: Data): () => string {
  const workloads = publicWorkloads(data);
  const kinds = Object.entries(shares).flatMap(([name, share]) => {
    const next = inOrder(workloads[name as keyof typeof shares]);
    return Array.from({ length: share }, () => next);
  });
  let number = 0;
  return () => kinds[(++number * step) % kinds.length]?.() ?? '';
}

/** The requests of a workload, one after another. */
export function inOrder(workload: Workload, first = 0): () => string {
  let number = first;
  return () => workload.request(number++);
}

function named(request: Workload['request']): Workload {
  return { request };
}

function admin(request: Workload['request'], status = 200): Workload {
  return { request, status, isAdmin: true };
}

function at(items: readonly string[], number: number): string {
  return items[(number * stride) % items.length] ?? '';
}

/** One of the 400 ways in which the words of the vocabulary begin. */
function beginning(number: number): string {
  return vocabulary[number % 400]?.slice(0, 4) ?? '';
}

/** Spread like the UUIDs that clients send, so that no store gains from keys in order. */
function keyOf(number: number): string {
  return `${(Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-bench-${number}`;
}

function bearer(key: string): string {
  return `Authorization: Bearer ${key}\r\n`;
}

function http(method: 'GET' | 'POST' | 'PUT', target: string, headers = '', body: object | null = null): string {
  const content = body === null ? '' : JSON.stringify(body);
  const type = body === null ? '' : 'Content-Type: application/json\r\n';
  const length = method === 'GET' ? '' : `Content-Length: ${content.length}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${type}${length}\r\n${content}`;
}
