import { http, json } from '../../../support/http/requests.ts';
import { refused, row, type ConformanceCase } from './conformance-case.ts';

const listings = '/api/marketplace/listings';
const list = (query = '', headers: readonly string[] = []): string => http(`GET ${listings}${query}`, headers);
const detail = (slug: string, headers: readonly string[] = []): string => http(`GET ${listings}/${slug}`, headers);
const waitlist = '/api/waitlist';
const join = (body: unknown, headers: readonly string[] = [json]): string =>
  http(`POST ${waitlist}`, headers, typeof body === 'string' ? body : JSON.stringify(body));
const email = 'visitor@example.com';
const local = (length: number): string => join({ email: `${'l'.repeat(length)}@example.com` });

const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': /Error-Code/ };
const cached = {
  'cache-control': 'public, max-age=5, stale-while-revalidate=30',
  etag: /^W\/"[\w-]{22}"$/,
  vary: 'API-Version',
  ...anyOrigin,
};
const ok = { status: 200, shape: 'success', headers: cached } as const;
const unchanged = { status: 304, shape: 'none', headers: { ...cached, 'content-type': null } } as const;
const noListing = refused(404, 'listing_not_found', { headers: { etag: null, vary: null, ...anyOrigin } });

/** A page with this `meta`, of the one listing that there is or of none. */
function page(total: 0 | 1, offset: number, limit: number): Omit<ConformanceCase, 'rule' | 'bytes'> {
  const meta = `"meta":{"total":${total},"offset":${offset},"limit":${limit},"hasMore":false}`;
  const data = total === 0 || offset > 0 ? '"data":\\[\\]' : '"data":\\[{"id":"lst_1",[^\\]]*}\\]';
  return { ...ok, content: new RegExp(`^{"success":true,${data},${meta},"categories":\\["Productivity"\\],`) };
}

const all = page(1, 0, 24);
const none = page(0, 0, 24);

const joined = {
  status: 200,
  shape: 'success',
  headers: { 'cache-control': 'no-store', etag: null, location: null, ...anyOrigin },
  content: /^{"success":true,"correlationId":"[\w-]+"}$/,
} as const;
const badEmail = refused(400, 'invalid_email', { headers: anyOrigin });
const badBody = refused(400, 'invalid_body', { headers: anyOrigin });

/** The catalog and the waitlist: queries, slugs, caches, sign-ups. */
export const publicCases: readonly ConformanceCase[] = [
  row('4.1: no parameters', list(), all),
  row('4.1: every parameter', list('?q=desk&sort=new&compensation=commission&category=Productivity&limit=5'), {
    ...page(1, 0, 5),
  }),
  row('4.1: a limit of 0 is 1', list('?limit=0'), page(1, 0, 1)),
  row('4.1: a limit of 49 is 48', list('?limit=49'), page(1, 0, 48)),
  row('decisions: a limit with a sign is an integer', list('?limit=-7'), page(1, 0, 1)),
  row('decisions: a limit beyond all numbers', list(`?limit=${'9'.repeat(400)}`), page(1, 0, 48)),
  row('decisions: a limit that is no integer', list('?limit=1e1'), all),
  row('decisions: a limit with a space is no integer', list('?limit=%201'), all),
  row('decisions: a limit of digits beyond ASCII is no integer', list('?limit=%D9%A1'), all),
  row('4.1: an offset beyond the end', list('?offset=1'), page(1, 1, 24)),
  row('decisions: a negative offset is 0', list('?offset=-1'), all),
  row('decisions: an offset that is not an integer', list('?offset=one'), all),
  row('decisions: the maximum offset', list('?offset=2147483648'), page(1, 2_147_483_647, 24)),
  row('4.1: a commission that is honoured', list('?minCommission=50'), none),
  row('4.1: a commission that is not', list('?minCommission=40'), all),
  row('decisions: a listed commission in another spelling', list('?minCommission=050'), all),
  row('4.1: storefronts that are honoured', list('?minStorefronts=10'), all),
  row('decisions: a compensation is compared as it is', list('?compensation=upfront'), none),
  row('decisions: an unknown compensation', list('?compensation=Upfront'), all),
  row('decisions: an unknown sort', list('?sort=__proto__'), all),
  row('decisions: a category in another case', list('?category=pRODUCTIVITY'), all),
  row('decisions: an empty category', list('?category='), none),
  row('4.1: a search', list('?q=TIDY+d%C3%A9sk'), all),
  row('decisions: a blank search', list('?q=%20%E3%80%80'), all),
  row('decisions: a malformed escape is searched for as it is', list('?q=%zz'), none),
  row('decisions: bytes that are no UTF-8 are searched for', list('?q=%ff'), none),
  row('decisions: a search has no wildcards', list('?q=t%25'), none),
  row('decisions: 200 characters of a search', list(`?q=tidy${'+'.repeat(196)}zzz`), all),
  row('decisions: the first of a repeated parameter', list('?limit=1&limit=2'), page(1, 0, 1)),
  row('decisions: parameters are no arrays', list('?limit[]=1&limit%5B%5D=1'), all),
  row('decisions: names are compared as they are', list('?Limit=1'), all),
  row('3986 §3.4: a question mark in a query', list('?q=a?b&limit=2'), page(0, 0, 2)),
  row('9112 §3.2.2: the query of an absolute target', http(`GET http://a.test${listings}?limit=2`), page(1, 0, 2)),
  row('5.1: the catalog ignores a bad credential', list('', ['Authorization: Bearer nonsense']), all),
  row('9110 §9.3.2: HEAD of the catalog', http(`HEAD ${listings}`), {
    status: 200,
    shape: 'none',
    headers: { ...cached, 'content-length': /^\d{3}$/, 'content-type': 'application/json' },
  }),
  row('9110 §13.1.2: a page has not changed', list('', ['If-None-Match: *']), unchanged),
  row('9110 §13.1.2: nor has it for HEAD', http(`HEAD ${listings}`, ['If-None-Match: *']), unchanged),
  row('9110 §13.1.2: an asterisk among others is no validator', list('', ['If-None-Match: "a", *']), all),
  row(
    '9110 §13.1.3: no dates, so no condition by date',
    list('', ['If-Modified-Since: Sat, 18 Jul 2026 12:00:00 GMT']),
    {
      ...all,
    },
  ),
  row('9110 §14.2: ranges are not offered', list('', ['Range: bytes=0-1']), {
    ...all,
    headers: { ...cached, 'content-range': null },
  }),
  row('9110 §15.5.6: the catalog is read only', http(`POST ${listings}`, [json], '{}'), {
    ...refused(405, 'method_not_allowed', { headers: { allow: 'GET, HEAD, OPTIONS', ...anyOrigin } }),
  }),
  row('4.2: a live listing', detail('tidy'), {
    ...ok,
    content: /^{"success":true,"data":{"id":"lst_1","slug":"tidy",/,
  }),
  row('raw-path routing: a slug is decoded', detail('%74idy'), ok),
  row('4.2: an unknown slug', detail('unknown'), noListing),
  row('decisions: a draft is unknown', detail('draft'), noListing),
  row('decisions: slugs are compared as they are', detail('Tidy'), noListing),
  row('raw-path routing: %2F in a slug', detail('tidy%2F'), noListing),
  row('raw-path routing: nothing after a slug', detail('tidy/'), refused(404, 'not_found')),
  row('raw-path routing: an empty slug', detail(''), refused(404, 'not_found')),
  row('9110 §13.1.2: a listing has not changed', detail('tidy', ['If-None-Match: *']), unchanged),
  row('9110 §13.2.1: no condition hides an unknown slug', detail('unknown', ['If-None-Match: *']), noListing),
  row('decisions: an unknown date of the catalog', list('', ['API-Version: 2025-01-01']), {
    ...refused(400, 'unsupported_api_version', { headers: { etag: null, ...anyOrigin } }),
  }),
  row(
    'Fetch: a preflight of the catalog',
    http(`OPTIONS ${listings}/tidy`, [
      'Origin: https://shop.test',
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: api-version',
    ]),
    {
      status: 204,
      shape: 'none',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': '*',
      },
    },
  ),
  row('4.3: a new address', join({ email, name: 'Visitor', role: 'brand' }), joined),
  row('decisions: a known address is answered alike', join({ email: email.toUpperCase(), role: 'creator' }), joined),
  row('4.3: no address', join({}), badEmail),
  row('decisions: an address that is no text', join({ email: [email] }), badEmail),
  row('decisions: an address that is null', join({ email: null }), badEmail),
  row('decisions: white space around an address', join({ email: ` ${email}` }), badEmail),
  row('decisions: a name and an address', join({ email: `Visitor <${email}>` }), badEmail),
  row('decisions: one label', join({ email: 'visitor@localhost' }), badEmail),
  row('decisions: a numeric last label', join({ email: 'visitor@192.0.2.1' }), badEmail),
  row('decisions: an address literal', join({ email: 'visitor@[192.0.2.1]' }), badEmail),
  row('decisions: a quoted local part', join({ email: '"visitor"@example.com' }), badEmail),
  row('decisions: a domain beyond ASCII', join('{"email":"visitor@b\xc3\xbccher.example"}'), badEmail),
  row('decisions: the same domain in ASCII', join({ email: 'visitor@xn--bcher-kva.example' }), joined),
  row('5321 §4.5.3.1.1: a local part of 64', local(64), joined),
  row('5321 §4.5.3.1.1: a local part of 65', local(65), badEmail),
  row('4.3: an unknown role', join({ email, role: 'Brand' }), badBody),
  row('decisions: members that are null', join({ email, name: null, handle: null, role: null }), joined),
  row('decisions: a name of 200 characters', join({ email, name: 'n'.repeat(200) }), joined),
  row('decisions: a name of 201', join({ email, name: 'n'.repeat(201) }), badBody),
  row('decisions: a control character in a handle', join({ email, handle: 'a\u0000b' }), badBody),
  row('decisions: unknown members of a sign-up', join({ email, id: 1, position: 1 }), joined),
  row('decisions: an array is no sign-up', join([{ email }]), badBody),
  row('8259 §2: a sign-up that is not JSON', join(`email=${email}`), badBody),
  row('prototype poisoning: __proto__ brings no address', join(`{"__proto__":{"email":"${email}"}}`), badEmail),
  row('9110 §8.3: a sign-up by a form', join(`email=${email}`, ['Content-Type: application/x-www-form-urlencoded']), {
    ...refused(415, 'unsupported_media_type', { headers: { accept: 'application/json', ...anyOrigin } }),
  }),
  row('9110 §15.5.6: the waitlist cannot be read', http(`GET ${waitlist}?email=${email}`), {
    ...refused(405, 'method_not_allowed', { headers: { allow: 'POST, OPTIONS', ...anyOrigin } }),
  }),
  row('9110 §13.1.2: a condition on a sign-up is ignored', join({ email }, [json, 'If-None-Match: *']), joined),
  row('5.1: the waitlist ignores a bad credential', join({ email }, [json, 'Authorization: Bearer nonsense']), joined),
];
