import { operatorKeys } from '../../../support/http/fixtures.ts';
import { raw, type HeaderLine } from '../../../support/http/requests.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';
import { getPage } from '../../../support/web/page-client.ts';
import { signIn } from './console-visit.ts';

/** As much as fits into the content of a form, of the import, and of a target, with what else they have. */
const formSize = 16_000;
const importSize = 1_040_000;
const targetSize = 8000;

const listingColumns =
  'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount%0A';

/** A session of an operator who may do everything, at a console. */
export interface ConsoleSession {
  readonly url: string;
  readonly cookie: string;
  readonly token: string;
}

type Bytes = (session: ConsoleSession) => string;
type Expensive = readonly (readonly [what: string, bytes: Bytes])[];

/** Begins a session at the console at `url`. */
export async function beginSession(url: string): Promise<ConsoleSession> {
  const headers = await signIn(url, operatorKeys.full);
  const { text } = await getPage(`${url}/console/listings/import`, { headers });
  return { url, cookie: headers.Cookie, token: fieldIn(text, 'token') };
}

const fill = (text: string, size: number): string => text.repeat(Math.floor(size / text.length));

function page(target: string, more: (session: ConsoleSession) => readonly HeaderLine[] = () => []): Bytes {
  return (session) => {
    const { url, cookie } = session;
    return raw(`GET /console${target}`, [
      `Host: ${new URL(url).host}`,
      `Cookie: ${cookie}`,
      'Sec-Fetch-Site: same-origin',
      ...more(session),
    ]);
  };
}

/** A form with the token of the session, as `application/x-www-form-urlencoded`. */
function form(path: string, fields: string): Bytes {
  return ({ url, cookie, token }) => {
    const content = `token=${token}&${fields}`;
    return raw(
      `POST /console${path}`,
      [
        `Host: ${new URL(url).host}`,
        'Sec-Fetch-Site: same-origin',
        `Cookie: ${cookie}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${content.length}`,
      ],
      content,
    );
  };
}

const signIns: Expensive = [
  ...[' ', '-', '%', '%41', '+', 'svc_op_live_', '%F0%9F%98%80'].map(
    (text) => [`signing in with a key of ${text}`, form('/sign-in', `key=${fill(text, formSize)}`)] as const,
  ),
  ...['/', '%2F', '%5C', '%09', '/%2E%2E', '%3C', '%26'].map(
    (text) =>
      [`signing in for a page of ${text}`, form('/sign-in', `key=a&next=/console/${fill(text, formSize)}`)] as const,
  ),
  ...['/', '%2E.', '%5C'].map(
    (text) => [`the sign-in page for a page of ${text}`, page(`/sign-in?next=/${fill(text, targetSize)}`)] as const,
  ),
  ...[';', ' ', '=', 'latchkey_console_', '; latchkey_console_1='].map(
    (text) => [`a cookie of ${JSON.stringify(text)}`, page('', () => [`Cookie: ${fill(text, targetSize)}`])] as const,
  ),
  ...['/', 'http://', '@', '1.', '['].map(
    (text) => [`an Origin of ${text}`, page('', () => [`Origin: http://${fill(text, targetSize)}`])] as const,
  ),
];

const finds: Expensive = ['-', ' ', '@', 'a@a.', 'A', '1', '%EF%B7%BA', '%CC%81', '%F0%9F%98%80'].flatMap((text) => [
  [`finding ${text}`, form('/find', `what=${fill(text, 254)}`)] as const,
  [`finding a long ${text}`, form('/find', `what=${fill(text, formSize)}`)] as const,
]);

const lists: Expensive = [
  'entitlements',
  'events',
  'listings',
  'products',
  'operators',
  'webhooks',
  'waitlist',
].flatMap((list) =>
  ['after=', 'a&', 'product=', 'reference=%3C', 'endsBefore=2026-', '%', '+'].map(
    (text) => [`${list} of ${text}`, page(`/${list}?${fill(text, targetSize)}`)] as const,
  ),
);

const listingTexts = ['%3C', '%22', '%0D%0A', '+', 'a', '%E3%80%80', '%F0%9F%98%80', 'https%3A%2F%2Fa.'];
const listings: Expensive = [
  'slug',
  'name',
  'blurb',
  'commissionPercent',
  'upfrontCents',
  'url',
  'imageUrl',
  'description',
  'contactUrl',
  'pictureUrl',
].flatMap((name) =>
  listingTexts.flatMap((text) =>
    ['preview', 'review'].map(
      (step) =>
        [
          `the ${step} of a listing whose ${name} is of ${text}`,
          form('/listings/add', `step=${step}&${name}=${fill(text, formSize)}`),
        ] as const,
    ),
  ),
);

const changes: Expensive = [
  ...['%5B', '%7B%22a%22%3A', '%22a%22%2C', '1'].map(
    (text) =>
      [`a version of ${text}`, form('/products/prod_1/rename', `name=a&version=${fill(text, formSize)}`)] as const,
  ),
  ...['2026-', '0', ':00', '%20'].map(
    (text) =>
      [
        `a period end of ${text}`,
        form('/entitlements/ent_2/extend', `version=1&by=until&until=2026-${fill(text, formSize)}`),
      ] as const,
  ),
  ...['a%3D1%0A', '%0A', 'a%3D%22', 'a%3D%5B', '%3D'].map(
    (text) =>
      [`features of ${text}`, form('/products/prod_1/tiers/add', `id=pro&features=${fill(text, formSize)}`)] as const,
  ),
  ['a form of many fields', form('/products/add', fill('a=b&', 3900))],
  ['a form of too many fields', form('/products/add', fill('a&', formSize))],
  ['an unknown page of segments', page(`/${fill('@/', targetSize)}`)],
];

const pasted = (step: string, csv: string): Bytes => form('/listings/import', `step=${step}&csv=${csv}`);

/** Names of as many columns as a first line has space for. */
const columnNames = Array.from({ length: 12_000 }, (_, index) => index.toString(36).padStart(4, 'a')).join(',');
/** As many names as are compared with those of every row, each a slip away from a column. */
const misspellings = Array.from({ length: 990 }, (_, index) => `slug${String.fromCharCode(0xb0 + (index % 64))}`);

const imports: Expensive = [
  ...['<', '%3C', '"', "'", '%26', '%0D%0A', '%0A', '%E2%82%AC', '%22%22%2C', '%22', 'a,', ',', '-', '+'].flatMap(
    (text) =>
      ['check', 'edit'].map(
        (step) => [`an import, to ${step}, of ${text}`, pasted(step, fill(text, importSize))] as const,
      ),
  ),
  // Of every line the first one is the most expensive, and the others are alike.
  ...['x%0A', 'a,%0A', '%0D%0A%3C', 'slug%0A', "'='%0A"].map(
    (text) => [`an import of lines of ${text}`, pasted('check', fill(text, importSize / 10))] as const,
  ),
  ...['x%0A', ',,,,,,,%0A', '-,-,-,-,-,-,-,-%0A', 'a,a,,a,1,both,a,1%0A'].map(
    (text) => [`an import of rows of ${text}`, pasted('check', listingColumns + fill(text, importSize / 10))] as const,
  ),
  ...['a,', '%22%22,', '%22%22', 'slug,', '%F0%9F%98%80'].map(
    (text) =>
      [
        `an import of a first line of ${text}`,
        pasted('check', `%22${fill(text, 60_000)}%0A`.replace('%22', '')),
      ] as const,
  ),
  ['an import of a quoted cell', pasted('check', `%22${fill('%22%22', 190_000)}%22%0A`)],
  ['an import of many columns', pasted('check', `${columnNames}%0A`)],
  ['an import of misspelt columns', pasted('check', `${encodeURIComponent(misspellings.join(','))}%0A`)],
  ['an import that never closes a quote', pasted('check', `${listingColumns}%22${fill('a%0A', importSize - 200)}`)],
];

/** One for each place where the console looks at bytes of a client, filled to its limit. */
export const expensiveConsoleRequests: Expensive = [
  ...signIns,
  ...finds,
  ...lists,
  ...listings,
  ...changes,
  ...imports,
];
