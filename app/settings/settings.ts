import type { BuyerTexts } from '../../adapters/web/markup/buyer-texts.ts';
import { defaultEndingSoon } from '../../core/entitlement/event/ending-soon.ts';
import { defaultTtl, minTtl } from '../../core/entitlement/idempotency/retention.ts';
import { defaultConsoleIdle, maxSessionAge } from '../../core/operator-session/operator-session.ts';
import { day, hour } from '../../core/parsing/duration.ts';
import type { ValueRule } from '../../core/parsing/value-rule.ts';
import * as rules from './rules.ts';

/** The declaration of a setting. Its flag, variable, help, row in the README and type follow from it. */
interface Declaration<T> {
  readonly description: string;
  readonly rule: ValueRule<T>;
  /** As it would be written. Null for a setting without a default, whose value is null until it is set. */
  readonly default: string | null;
  /** Environment variable, if it does not follow from the name. */
  readonly env?: string;
  /**
   * Holds a credential, in a part of a URL or as the whole value: can be read from the file named by `<env>_FILE`, and the
   * credential is never printed.
   */
  readonly secret?: 'in a URL' | 'whole';
}

function setting<T>(
  description: string,
  rule: ValueRule<T>,
  defaultText: string,
  more: Pick<Declaration<T>, 'env' | 'secret'> = {},
): Declaration<T> {
  return { description, rule, default: defaultText, ...more };
}

function optional<T>(
  description: string,
  rule: ValueRule<T>,
  more: Pick<Declaration<T>, 'secret'> = {},
): Declaration<T | null> {
  return { description, rule, default: null, ...more };
}

const hours = (milliseconds: number): string => `${milliseconds / hour}h`;
const days = (milliseconds: number): string => `${milliseconds / day}d`;

/** Bound of durations that become timers: a timer of more than 2^31 - 1 milliseconds would fire at once. */
const max = '24h';
const timeout = rules.duration({ min: '1s', max });

/** Every setting of the service. Adding one takes a line here and nothing else. */
const declarations = {
  store: setting('URL of the store', rules.storeUrl, 'sqlite:data/latchkey.db', {
    env: 'STORE_URL',
    secret: 'in a URL',
  }),
  host: setting('address to listen on', rules.hostName, '127.0.0.1'),
  port: setting('port to listen on', rules.port, '3000'),
  workers: setting('number of processes that serve the port', rules.workers, '1'),
  publicUrl: optional(
    'base URL in the RFC 9728 metadata and on the pages; unset means the listening address',
    rules.httpUrl,
  ),
  corsOrigins: setting('origins whose pages may send POST requests to public operations', rules.origins, '*'),
  storeDeadline: setting('maximum time that a request waits for the store', timeout, '5s'),
  idempotencyTtl: setting(
    'how long an idempotency key is remembered',
    rules.duration({ min: hours(minTtl) }),
    hours(defaultTtl),
  ),
  endingSoon: setting(
    'how long before access ends the event entitlement.ending_soon is due; 0s means no such events',
    rules.duration({}),
    days(defaultEndingSoon),
  ),
  eventRetention: setting('how long events are kept', rules.duration({ min: '7d' }), '90d'),
  trialRetention: setting(
    'how long trials are kept after their end, so that their devices get no other',
    rules.duration({ min: '30d', max: '3650d' }),
    '730d',
  ),
  receipts: setting('whether to issue receipts, by which apps verify licenses offline', rules.oneOf('on', 'off'), 'on'),
  receiptTtl: setting('how long an online receipt holds at most', rules.duration({ min: '1h', max: '90d' }), '14d'),
  receiptMaxAge: setting('how long an offline receipt may hold at most', rules.duration({ min: '1d' }), '400d'),
  deviceIdle: setting(
    'time without use after which a device makes room for another; not shorter than RECEIPT_TTL',
    rules.duration({ min: '1h' }),
    '90d',
  ),
  deviceReleases: setting(
    'how many times in 30 days apps may release each seat of a license',
    rules.integer(0, 1000),
    '4',
  ),
  acceptClock: setting(
    'whether to trust the clock of this machine although it is far ahead of the time at which the store was last served',
    rules.oneOf('off', 'on'),
    'off',
  ),
  catalogMaxAge: setting('how long caches may keep catalog responses', rules.duration({}), '5s'),
  pages: setting(
    'pages for browsers; buyers leaves out the marketplace, the waitlist and the API reference',
    rules.oneOf('on', 'buyers', 'off'),
    'on',
  ),
  buyerPages: setting(
    'whether buyers have a page of their license at /license; needs PAGES',
    rules.oneOf('on', 'off'),
    'on',
  ),
  buyerReceiptTtl: optional(
    'how long a receipt holds at most that the page of a license hands out; off means none, unset means RECEIPT_TTL',
    rules.durationOrOff({ min: '1h' }),
  ),
  siteName: setting('name of the marketplace on its pages', rules.oneLine(60), 'Latchkey'),
  siteHeading: setting('heading of the marketplace', rules.oneLine(120), 'Software worth recommending'),
  siteTagline: setting(
    'line below the heading of the marketplace, and its description for search engines',
    rules.oneLine(300),
    'Find products for your storefront, and see what each maker pays for a customer.',
  ),
  siteLogo: optional('logo on the pages', rules.linkUrl),
  siteAccent: setting('color of buttons and marks on the pages', rules.color, '#0f766e'),
  siteImageHosts: optional('hosts from which pages and mails show images; unset means none', rules.hosts),
  siteLinks: optional('links in the footer of the pages', rules.links),
  siteOwner: optional('who runs the marketplace, on one line, at the foot of its pages', rules.oneLine(200)),
  sitePrivacy: optional('where the privacy notice of the marketplace is', rules.siteUrl),
  siteHelp: optional('where those who use the marketplace find help', rules.siteUrl),
  siteLanguage: setting(
    'language of the pages and mails for buyers, in which their dates are written; their texts are English unless SITE_TEXTS_FILE replaces them',
    rules.language,
    'en',
  ),
  siteTextsFile: optional('JSON file with the texts for buyers that differ; texts print prints all', rules.filePath),
  adminPort: optional('port for the administration, /metrics and the probes; unset disables them', rules.port),
  merchantPort: optional(
    'port for keys that are limited to products, with /admin and /console alone; needs the admin port; unset disables it',
    rules.port,
  ),
  merchantUrl: optional(
    'base URL of the merchant port as merchants reach it, with which the links of invitations begin; unset means that they are paths',
    rules.httpsOrigin,
  ),
  console: setting('whether to serve the pages for operators on the admin port', rules.oneOf('on', 'off'), 'on'),
  consoleIdle: setting(
    'time without use after which a session of the console ends',
    rules.duration({ min: '1m', max: hours(maxSessionAge) }),
    hours(defaultConsoleIdle),
  ),
  shutdownNotice: setting(
    'how long a stopping server still accepts requests while /readyz answers 503',
    rules.duration({ max }),
    '0s',
  ),
  shutdownDeadline: setting(
    'maximum time that a stopping server waits for requests in flight',
    rules.duration({ max }),
    '10s',
  ),
  maxConnections: setting(
    'maximum number of open connections, of which one address has at most a quarter',
    rules.integer(1, 1_000_000_000),
    '10000',
  ),
  headersTimeout: setting('maximum time for a client to send its header section', timeout, '10s'),
  requestTimeout: setting('maximum time for a client to send its whole request, or to take the answer', timeout, '30s'),
  // Longer than the idle timeout of common proxies, so that the proxy closes first.
  keepAliveTimeout: setting('how long an idle connection stays open', timeout, '65s'),
  rateLimits: setting('maximum requests a minute for each client address or product', rules.rateLimits, 'off'),
  trustedProxies: optional(
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, and whose connections have no limit of their own; unset means none',
    rules.addressRanges,
  ),
  webhooks: setting('whether this process delivers events to webhook endpoints', rules.oneOf('on', 'off'), 'on'),
  webhookAllowNetworks: optional(
    'private networks that webhook endpoints may be in, over http too; unset means none',
    rules.networks,
  ),
  stripeApiKey: optional('secret or restricted key of Stripe; unset means without Stripe', rules.stripeKey, {
    secret: 'whole',
  }),
  stripeWebhookSecret: optional(
    'signing secrets of the endpoint of Stripe that sends to /hooks/stripe; two while the secret is rolled',
    rules.stripeSecrets,
    { secret: 'whole' },
  ),
  stripeUnpaidAccess: setting(
    'how long access lasts from the start of the first unpaid period, while Stripe tries again',
    rules.duration({ max: '90d' }),
    '21d',
  ),
  stripeApiBase: setting('address of the API of Stripe', rules.stripeBase, 'https://api.stripe.com'),
  smtpUrl: optional('server that sends the mails; unset means no mail; needs MAIL_FROM', rules.smtpUrl, {
    secret: 'in a URL',
  }),
  mailFrom: optional('sender of the mails; needs SMTP_URL', rules.mailbox),
  mailReplyTo: optional('where answers to the mails go; unset means MAIL_FROM', rules.mailbox),
  logFormat: setting(
    'log format; auto means pretty on a terminal, json elsewhere',
    rules.oneOf('auto', 'json', 'pretty'),
    'auto',
  ),
  logLevel: setting(
    'minimum level of the lines in the log, except for changes by administrators; requests have info',
    rules.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
    'info',
  ),
} as const;

export type SettingName = keyof typeof declarations;

/** The values of all settings, and the contents of their files. Durations are in milliseconds. */
export type Settings = {
  readonly [Name in SettingName]: (typeof declarations)[Name] extends Declaration<infer T> ? T : never;
} & {
  /** The texts for buyers: those of the file, and English ones. */
  readonly siteTexts: BuyerTexts;
};

/** A declaration with the names that the setting has inside and outside of the program. */
export interface Setting extends Declaration<unknown> {
  readonly name: SettingName;
  readonly env: string;
  /** Such as `--admin-port`. */
  readonly flag: string;
  /** The setting and its values, for the help and the documents. */
  readonly help: string;
}

/** All settings, in the order of the help. */
export const allSettings = Object.entries(declarations).map(([name, declaration]): Setting => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = words.replaceAll('-', '_').toUpperCase();
  const help = `${declaration.description}: ${declaration.rule.rule.replace('must be ', '')}`;
  return { env, ...declaration, name: name as SettingName, flag: `--${words}`, help };
});
