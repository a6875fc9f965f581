import { defaultTtl, minTtl } from '../../core/entitlement/idempotency/retention.ts';

/** One setting: JSON Schema, and where it is read from. The source of defaults, environment, flags, help and the README's table. */
export interface SettingSchema {
  readonly type: 'string' | 'integer';
  readonly description: string;
  /** Absent where leaving it out means something of its own, which the description says. */
  readonly default?: string | number;
  readonly enum?: readonly string[];
  readonly format?: 'duration' | 'host' | 'store-url' | 'http-url' | 'origins' | 'addresses' | 'rate-limits';
  readonly minimum?: number;
  readonly maximum?: number;
  /** The shortest duration that is allowed. */
  readonly minDuration?: string;
  /** The longest duration that is allowed. */
  readonly maxDurationSetting?: string;
  /** What a value may be, for the sentence about one that is not. */
  readonly allowed: string;
  readonly env: string;
  readonly flag: string;
  /** May hold a credential: can be read from the file named by `<env>_FILE`, and is never printed whole. */
  readonly secret?: true;
}

/** A duration by its default and its bounds. */
function duration(
  usual: string,
  bounds: Pick<SettingSchema, 'minDuration' | 'maxDurationSetting'> = {},
): Pick<SettingSchema, 'type' | 'format' | 'default' | 'allowed' | 'minDuration' | 'maxDurationSetting'> {
  const { minDuration: least, maxDurationSetting: most } = bounds;
  const said = [least === undefined ? '' : `at least ${least}`, most === undefined ? '' : `at most ${most}`];
  const allowed = ['a whole number with s, m, h or d', ...said].filter((part) => part !== '').join(', ');
  return { type: 'string', format: 'duration', default: usual, allowed, ...bounds };
}

/** Of what a timer waits for: one of more than 2^31 - 1 milliseconds would end at once. */
const maxWait = '24h';

/** A duration in milliseconds as a setting says it. */
const inHours = (milliseconds: number): string => `${milliseconds / 3_600_000}h`;

const billion = 1_000_000_000;

const setting = <const T extends Record<string, SettingSchema>>(all: T): T => all;

/** Every setting of the service. */
export const settingSchemas = setting({
  store: {
    type: 'string',
    format: 'store-url',
    default: 'sqlite:data/latchkey.db',
    allowed: 'memory:, sqlite:PATH or mongodb://HOST/DATABASE',
    description: 'where everything is kept',
    env: 'STORE_URL',
    flag: '--store',
    secret: true,
  },
  host: {
    type: 'string',
    format: 'host',
    default: '127.0.0.1',
    allowed: 'a host name or address',
    description: 'the address to listen on',
    env: 'HOST',
    flag: '--host',
  },
  port: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    allowed: 'a whole number from 0 to 65535; 0 takes a free port',
    description: 'the port to listen on',
    env: 'PORT',
    flag: '--port',
  },
  publicUrl: {
    type: 'string',
    format: 'http-url',
    allowed: 'an http or https URL without query and fragment',
    description: 'the address that clients use, for the RFC 9728 metadata only; without it the listening address',
    env: 'PUBLIC_URL',
    flag: '--public-url',
  },
  corsOrigins: {
    type: 'string',
    format: 'origins',
    default: '*',
    allowed: '* or origins between commas, such as https://shop.example',
    description: 'the origins whose pages may post to public operations',
    env: 'CORS_ORIGINS',
    flag: '--cors-origins',
  },
  storeDeadline: {
    ...duration('5s', { minDuration: '1s', maxDurationSetting: maxWait }),
    description: 'how long a request may wait for the store',
    env: 'STORE_DEADLINE',
    flag: '--store-deadline',
  },
  idempotencyTtl: {
    ...duration(inHours(defaultTtl), { minDuration: inHours(minTtl) }),
    description: 'how long an idempotency key is remembered',
    env: 'IDEMPOTENCY_TTL',
    flag: '--idempotency-ttl',
  },
  catalogMaxAge: {
    ...duration('5s'),
    description: 'how long caches may keep catalog answers',
    env: 'CATALOG_MAX_AGE',
    flag: '--catalog-max-age',
  },
  adminPort: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    allowed: 'a whole number from 0 to 65535; 0 takes a free port',
    description: 'the port of /metrics and of the probes besides; without it nothing is measured',
    env: 'ADMIN_PORT',
    flag: '--admin-port',
  },
  shutdownNotice: {
    ...duration('0s', { maxDurationSetting: maxWait }),
    description: 'how long a stopping server still takes requests, so that load balancers see /readyz fail',
    env: 'SHUTDOWN_NOTICE',
    flag: '--shutdown-notice',
  },
  shutdownDeadline: {
    ...duration('10s', { maxDurationSetting: maxWait }),
    description: 'how long a stopping server finishes what is in flight',
    env: 'SHUTDOWN_DEADLINE',
    flag: '--shutdown-deadline',
  },
  maxConnections: {
    type: 'integer',
    minimum: 1,
    maximum: billion,
    default: 10_000,
    allowed: 'a whole number from 1 to 1000000000',
    description: 'how many connections are kept at once',
    env: 'MAX_CONNECTIONS',
    flag: '--max-connections',
  },
  headersTimeout: {
    ...duration('10s', { minDuration: '1s', maxDurationSetting: maxWait }),
    description: 'how long a client may take to send its header fields',
    env: 'HEADERS_TIMEOUT',
    flag: '--headers-timeout',
  },
  requestTimeout: {
    ...duration('30s', { minDuration: '1s', maxDurationSetting: maxWait }),
    description: 'how long a client may take to send its request',
    env: 'REQUEST_TIMEOUT',
    flag: '--request-timeout',
  },
  keepAliveTimeout: {
    ...duration('65s', { minDuration: '1s', maxDurationSetting: maxWait }),
    description: 'how long an idle connection is kept',
    env: 'KEEP_ALIVE_TIMEOUT',
    flag: '--keep-alive-timeout',
  },
  rateLimits: {
    type: 'string',
    format: 'rate-limits',
    default: 'off',
    allowed: 'off, on, or OPERATION=REQUESTS between commas, such as verifyLicense=60',
    description: 'how many requests a minute each client address or product may send',
    env: 'RATE_LIMITS',
    flag: '--rate-limits',
  },
  trustedProxies: {
    type: 'string',
    format: 'addresses',
    allowed: 'addresses, ranges, loopback, linklocal or uniquelocal between commas',
    description: 'the proxies whose X-Forwarded-For is believed',
    env: 'TRUSTED_PROXIES',
    flag: '--trusted-proxies',
  },
  logFormat: {
    type: 'string',
    enum: ['auto', 'json', 'pretty'],
    default: 'auto',
    allowed: 'auto, json or pretty',
    description: 'JSON lines, or lines for people; auto: for people on a terminal',
    env: 'LOG_FORMAT',
    flag: '--log-format',
  },
});

export type SettingName = keyof typeof settingSchemas;

export const settingNames = Object.keys(settingSchemas) as readonly SettingName[];
