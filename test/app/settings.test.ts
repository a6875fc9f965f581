import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WrongArgument } from '../../adapters/cli/shell/errors.ts';
import { defaultRateLimits } from '../../adapters/http/limits/rate-limits.ts';
import { describeSettings } from '../../app/settings/describe.ts';
import { defaultSettings, resolveSettings } from '../../app/settings/resolve.ts';
import { allSettings, type SettingName } from '../../app/settings/settings.ts';
import { defaultReceiptTtl } from '../../core/receipt/receipt.ts';
import { maxReceiptTtl } from '../../core/receipt/signing-key.ts';

interface Sources {
  readonly flags?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: string;
}

function resolve({ flags = {}, environment = {}, file }: Sources): ReturnType<typeof resolveSettings> {
  return resolveSettings({ flags, file: file ?? null }, environment);
}

function mistakesOf(sources: Sources): readonly string[] {
  try {
    resolve(sources);
    return [];
  } catch (error) {
    if (error instanceof WrongArgument) return error.message.split('\n');
    throw error;
  }
}

/** Values that break the rule of each setting. */
const wrong: readonly (readonly [SettingName, readonly string[]])[] = [
  ['store', ['', 'sqlite:', 'postgres://h/d', 'memory', 'data.db']],
  ['host', ['', ' ', 'a b', 'http://h', '[::1]']],
  ['port', ['', '-1', '65536', '3000.5', '0x10', 'http', '1e3', ' 80']],
  ['workers', ['', '0', '-1', '1.5', '129', 'all', 'AUTO']],
  ['adminPort', ['', '-1', '65536']],
  ['shutdownNotice', ['', '5', '-1s', '25h', '25d']],
  ['publicUrl', ['', 'example.com', 'ftp://h/', 'http://h/?q=1', 'http://h/#f', 'http://u@h/', '//h/']],
  ['corsOrigins', ['', 'a', 'https://a/', 'https://a/b', 'null', '*,https://a', 'https://a,,https://b']],
  ['storeDeadline', ['', '0s', '5', '5 s', '-5s', '5.5s', '5ms', 's', '999ms', '5S', '25h', '30d']],
  ['idempotencyTtl', ['', '23h', '1439m', '0d', '72', '3 d', '-72h', '72H']],
  ['endingSoon', ['', '3', '-1s', '1w', '3 d']],
  ['receipts', ['', 'ON', 'true', '1']],
  ['console', ['', 'ON', 'true', 'auto']],
  ['consoleIdle', ['', '0s', '59s', '721m', '13h', '1d', '60', '1 h']],
  ['receiptTtl', ['', '0s', '59m', '3599s', '91d', '2161h', '14', '14 d']],
  ['receiptMaxAge', ['', '0d', '23h', '400', '1w']],
  ['catalogMaxAge', ['', '5', '-1s', '1w', 'five', '5seconds']],
  ['pages', ['', 'ON', 'true', '1']],
  ['siteName', ['', ' ', 'two\nlines', 'x'.repeat(61)]],
  ['siteHeading', ['', ' ', 'two\nlines', 'x'.repeat(121)]],
  ['siteTagline', ['', ' ', 'two\nlines', 'two\u2028lines', 'x'.repeat(301)]],
  [
    'siteImageHosts',
    [
      '',
      '*',
      '*.example',
      'https://cdn.example',
      'cdn.example/a',
      'u@cdn.example',
      'cdn.example:443',
      "a;script-src 'self'",
      'a,',
    ],
  ],
  ['siteLogo', ['', 'logo.svg', '//h/logo.svg', 'javascript:alert(1)', 'data:image/png,', 'https://', '/\\h/logo.svg']],
  ['siteAccent', ['', 'teal', '#fff', '0f766e', '#0f766g', '#0f766e;}']],
  ['siteOwner', ['', ' ', 'a\nb', 'x'.repeat(201)]],
  ['sitePrivacy', ['', 'privacy', '//a.example', 'javascript:alert(1)', 'mailto:nobody', '/a b']],
  ['siteHelp', ['', 'help', 'ftp://a.example', 'mailto:a@b c']],
  ['siteLanguage', ['', 'english', 'de_DE', 'x', 'de-', 'tlh', '*', 'de,en']],
  ['siteTextsFile', ['', ' ', 'texts.json ', 'a\nb']],
  ['siteLinks', ['', 'Terms', '=/terms', 'Terms=', 'Terms=javascript:alert(1)', 'Terms=/a,', 'Mail=mailto:nobody']],
  ['shutdownDeadline', ['', '10', '1w', '-1s', '10 s', '1441m']],
  ['maxConnections', ['', '0', '-1', '1.5', 'many', '1000000001']],
  ['headersTimeout', ['', '0s', '10', '2d']],
  ['requestTimeout', ['', '0s', '30', '2d']],
  ['keepAliveTimeout', ['', '0s', '65', '86401s']],
  ['rateLimits', ['', 'yes', 'verifyLicense', 'verifyLicense=0', 'verifyLicense=1.5', 'verify=5', 'verifyLicense=5,']],
  ['trustedProxies', ['', 'proxy', '10.0.0.0/33', '1.2.3', '10.0.0.1,', '::1/129']],
  ['stripeApiKey', ['', 'pk_test_1', 'sk_', 'sk_test 1', 'sk_live_1\n']],
  ['stripeWebhookSecret', ['', 'secret', 'whsec_', 'whsec_a,', 'whsec_a,b', 'whsec_a,whsec_b,whsec_c']],
  ['stripeUnpaidAccess', ['', '21', '-1d', '91d', '2161h', '3w']],
  [
    'smtpUrl',
    [
      '',
      'mail.example',
      'https://mail.example',
      'smtp://',
      'smtps://mail.example/box',
      'smtps://mail.example?tls=no',
      'smtps://mail.example#a',
      'smtps://user@mail.example',
      'smtps://:password@mail.example',
      'smtps://u:%zz@mail.example',
      'smtps://u:a%0d%0ab@mail.example',
      'smtps://mail.example:0',
      'smtps://mail.example:99999',
      'smtps://mail example',
    ],
  ],
  [
    'mailFrom',
    [
      '',
      'keys',
      'keys@',
      'keys@localhost',
      'keys@192.0.2.1',
      'a b@sketchpad.example',
      '<keys@sketchpad.example>',
      'Sketchpad keys@sketchpad.example',
      'A <a@a.example>, B <b@b.example>',
      'Sketchpad <keys@sketchpad.example>\r\nBcc: a@b.example',
      'Sketch\npad <keys@sketchpad.example>',
      'Sketch"pad <keys@sketchpad.example>',
    ],
  ],
  ['mailReplyTo', ['', 'help', 'Help <help>']],
  [
    'stripeApiBase',
    [
      '',
      'api.stripe.com',
      'http://api.stripe.com',
      'https://h/v1',
      'https://h?',
      'https://u@h',
      'http://127.0.0.1.nip.io',
    ],
  ],
  ['logFormat', ['', 'JSON', 'text', 'logfmt']],
  ['logLevel', ['', 'INFO', 'warning', 'silent', '30']],
];

function limitsOf(text: string): unknown {
  return resolve({ environment: { RATE_LIMITS: text } }).settings.rateLimits;
}

describe('settings', () => {
  it('come from flags, environment, file and defaults, in this order, and each names its source', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const file = join(folder, 'latchkey.json');
    await writeFile(file, JSON.stringify({ port: 1, host: 'from-file', storeDeadline: '7s' }));
    const { written, settings } = resolve({ flags: { port: '3' }, environment: { PORT: '2', HOST: 'from-env' }, file });
    expect(written.port).to.deep.equal({ value: 3, source: '--port' });
    expect(written.host).to.deep.equal({ value: 'from-env', source: 'HOST' });
    expect(written.storeDeadline).to.deep.equal({ value: '7s', source: file });
    expect(written.logFormat).to.deep.equal({ value: 'auto', source: 'default' });
    expect(settings).to.deep.equal({ ...defaultSettings, port: 3, host: 'from-env', storeDeadline: 7000 });
    await rm(folder, { recursive: true });
  });

  it('are read into the values that the program uses', () => {
    const environment = { CORS_ORIGINS: 'https://a.example, https://b.example', PUBLIC_URL: 'https://h.example/x/' };
    const { settings } = resolve({ environment });
    expect(settings.corsOrigins).to.deep.equal(['https://a.example', 'https://b.example']);
    expect(settings.publicUrl).to.equal('https://h.example/x');
    expect(settings.storeDeadline).to.equal(5000);
    expect(settings.rateLimits).to.equal('off');
    expect(settings.trustedProxies).to.equal(null);
    expect(settings.idempotencyTtl).to.equal(72 * 3_600_000);
  });

  it('refuse to remember idempotency keys for less than a day', () => {
    expect(resolve({ flags: { idempotencyTtl: '24h' } }).settings.idempotencyTtl).to.equal(24 * 3_600_000);
    expect(mistakesOf({ flags: { idempotencyTtl: '1439m' } })).to.have.length(1);
  });

  it('announce ends three days before them, or at any other time, or never', () => {
    expect(resolve({}).settings.endingSoon).to.equal(3 * 86_400_000);
    expect(resolve({ flags: { endingSoon: '0s' } }).settings.endingSoon).to.equal(0);
    expect(resolve({ environment: { ENDING_SOON: '400d' } }).settings.endingSoon).to.equal(400 * 86_400_000);
  });

  it('keep access to what is unpaid at Stripe for up to 90 days', () => {
    expect(resolve({}).settings.stripeUnpaidAccess).to.equal(21 * 86_400_000);
    for (const [text, days] of [
      ['0s', 0],
      ['0d', 0],
      ['90d', 90],
    ] as const) {
      const { settings } = resolve({ environment: { STRIPE_UNPAID_ACCESS: text } });
      expect(settings.stripeUnpaidAccess).to.equal(days * 86_400_000);
    }
  });

  it('let receipts hold for at most as long as retired keys are published for them', () => {
    const { settings } = resolve({});
    expect(settings).to.include({ receipts: 'on', receiptTtl: defaultReceiptTtl, receiptMaxAge: 400 * 86_400_000 });
    expect(resolve({ flags: { receiptTtl: '90d' } }).settings.receiptTtl).to.equal(maxReceiptTtl);
    expect(mistakesOf({ flags: { receiptTtl: '1h', receiptMaxAge: '36500d' } })).to.deep.equal([]);
  });

  it('turn on all rate limits, or some', () => {
    expect(limitsOf('on')).to.equal(defaultRateLimits);
    expect(limitsOf('verifyLicense=5, joinWaitlist=1')).to.deep.equal({ verifyLicense: 5, joinWaitlist: 1 });
  });

  for (const [name, values] of wrong) {
    const { flag = '', env = '', rule = null } = allSettings.find((setting) => setting.name === name) ?? {};
    for (const value of values) {
      it(`refuse ${JSON.stringify(value)} as ${name}, from a flag and, unless it is empty, from the environment`, () => {
        expect(mistakesOf({ flags: { [name]: value } })).to.deep.equal([`${name} (${flag}) ${rule?.rule}.`]);
        const fromVariable = value === '' ? [] : [`${name} (${env}) ${rule?.rule}.`];
        expect(mistakesOf({ environment: { [env]: value } })).to.deep.equal(fromVariable);
      });
    }
  }

  it('may be durations of a day, and longer if they do not become timers', () => {
    const day = { storeDeadline: '24h', shutdownNotice: '1d', shutdownDeadline: '1440m', keepAliveTimeout: '86400s' };
    expect(mistakesOf({ flags: { ...day, idempotencyTtl: '400d', catalogMaxAge: '400d' } })).to.deep.equal([]);
  });

  it('that contradict each other are refused with the source of each', () => {
    expect(mistakesOf({ environment: { REQUEST_TIMEOUT: '5s' } })).to.deep.equal([
      'headersTimeout (10s, default) must not be longer than requestTimeout (5s, REQUEST_TIMEOUT).',
    ]);
    expect(mistakesOf({ flags: { headersTimeout: '31s', adminPort: '3000' } })).to.deep.equal([
      'headersTimeout (31s, --headers-timeout) must not be longer than requestTimeout (30s, default).',
      'adminPort (3000, --admin-port) must not be the same as port (3000, default).',
    ]);
    expect(mistakesOf({ flags: { headersTimeout: '1m', requestTimeout: '60s' } })).to.deep.equal([]);
    expect(mistakesOf({ flags: { port: '0', adminPort: '0' } })).to.deep.equal([]);
  });

  it('run one process, so many as they say, or one for each core', () => {
    const workersOf = (text: string): readonly unknown[] => {
      const { settings, written } = resolve({ environment: { WORKERS: text } });
      return [settings.workers, written.workers.value];
    };
    expect([defaultSettings.workers, resolve({}).written.workers.value]).to.deep.equal([1, 1]);
    expect([workersOf('4'), workersOf('128')]).to.deep.equal([
      [4, 4],
      [128, 128],
    ]);
    expect(workersOf('auto')).to.deep.equal([Math.min(availableParallelism(), 128), 'auto']);
  });

  it('refuse several processes over a store in memory', () => {
    const flags = { workers: '2', store: 'memory:' };
    expect(mistakesOf({ flags })).to.deep.equal([
      'workers (2, --workers) must be 1 with a store in memory, which belongs to one process.',
    ]);
    expect(mistakesOf({ flags: { ...flags, workers: '1' } })).to.deep.equal([]);
    expect(mistakesOf({ flags: { ...flags, store: 'sqlite:a' } })).to.deep.equal([]);
  });

  it('count as not set where their variables, or their members of a file, are empty', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const [file, secret] = [join(folder, 'latchkey.json'), join(folder, 'store-url')];
    await writeFile(secret, 'memory:\n');
    const variables = allSettings.flatMap(({ env, secret: kind }) =>
      kind === undefined ? [env] : [env, `${env}_FILE`],
    );
    const empty = Object.fromEntries([...variables, 'STORE_DEADLIN', 'STORE_URL_FILES'].map((name) => [name, '']));
    expect(resolve({ environment: empty }).settings).to.deep.equal(defaultSettings);
    for (const value of ['', null]) {
      await writeFile(file, JSON.stringify(Object.fromEntries(allSettings.map(({ name }) => [name, value]))));
      expect(resolve({ environment: empty, file }).settings).to.deep.equal(defaultSettings);
    }
    const fromFile = resolve({ environment: { ...empty, STORE_URL_FILE: secret } });
    expect(fromFile.written.store).to.deep.equal({ value: 'memory:', source: 'STORE_URL_FILE' });
    await writeFile(secret, '');
    expect(mistakesOf({ environment: { STORE_URL_FILE: secret } })).to.have.length(1);
    await rm(folder, { recursive: true });
  });

  it('report all mistakes at once', () => {
    const flags = Object.fromEntries(wrong.map(([name, [value = '']]) => [name, value]));
    expect(mistakesOf({ flags })).to.have.length(wrong.length);
  });

  it('of the wrong type in a file are refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const file = join(folder, 'latchkey.json');
    await writeFile(file, JSON.stringify({ host: 5, port: true, storeDeadlin: '7s' }));
    expect(mistakesOf({ file })).to.deep.equal([
      `storeDeadlin (${file}) is not a setting; did you mean storeDeadline?`,
      `host (${file}) must be a host name or IP address.`,
      `port (${file}) must be an integer from 0 to 65535; 0 means any free port.`,
    ]);
    await rm(folder, { recursive: true });
  });

  it('are refused if their file is missing or does not contain an object', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const file = join(folder, 'latchkey.json');
    expect(mistakesOf({ file })).to.deep.equal(['The file given by --config cannot be read.']);
    for (const text of ['', '[]', 'null', '{"port":', '3']) {
      await writeFile(file, text);
      expect(mistakesOf({ file })).to.deep.equal([`${file} must contain one JSON object.`]);
    }
    await rm(folder, { recursive: true });
  });

  it('refuse variables that look like a misspelling, with the nearest name, and ignore all others', () => {
    const environment = { STORE_DEADLIN: '5s', IDEMPOTENCY_TTLS: '72h', STORE_SERVICE_HOST: '10.0.0.1', POST: '1' };
    expect(mistakesOf({ environment })).to.deep.equal([
      'STORE_DEADLIN (environment) is not a setting; did you mean STORE_DEADLINE?',
      'IDEMPOTENCY_TTLS (environment) is not a setting; did you mean IDEMPOTENCY_TTL?',
    ]);
  });

  it('with a credential can be read from a file, but not also from the variable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const secret = join(folder, 'store-url');
    await writeFile(secret, 'memory:\n');
    const environment = { STORE_URL_FILE: secret };
    expect(resolve({ environment }).written.store).to.deep.equal({
      value: 'memory:',
      source: 'STORE_URL_FILE',
    });
    expect(mistakesOf({ environment: { ...environment, STORE_URL: 'memory:' } })).to.deep.equal([
      'STORE_URL and STORE_URL_FILE cannot both be set.',
    ]);
    expect(mistakesOf({ environment: { STORE_URL_FILE: join(folder, 'none') } })).to.deep.equal([
      'The file given by STORE_URL_FILE cannot be read.',
    ]);
    await rm(folder, { recursive: true });
  });

  it('of Stripe come from files too, and no part of a key or secret is printed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const [key, secrets] = [join(folder, 'key'), join(folder, 'secrets')];
    await writeFile(key, 'rk_test_s3cret\n');
    await writeFile(secrets, 'whsec_s3cret, whsec_older\n');
    const resolved = resolve({ environment: { STRIPE_API_KEY_FILE: key, STRIPE_WEBHOOK_SECRET_FILE: secrets } });
    expect(resolved.settings.stripeApiKey).to.equal('rk_test_s3cret');
    expect(resolved.settings.stripeWebhookSecret).to.deep.equal(['whsec_s3cret', 'whsec_older']);
    const printed = describeSettings(resolved).filter(({ name }) => name.startsWith('stripe'));
    expect(printed).to.deep.equal([
      { name: 'stripeApiKey', value: '***', source: 'STRIPE_API_KEY_FILE' },
      { name: 'stripeWebhookSecret', value: '***', source: 'STRIPE_WEBHOOK_SECRET_FILE' },
      { name: 'stripeUnpaidAccess', value: '21d', source: 'default' },
      { name: 'stripeApiBase', value: 'https://api.stripe.com', source: 'default' },
    ]);
    expect(describeSettings(resolve({})).find(({ name }) => name === 'stripeApiKey')?.value).to.equal(null);
    await rm(folder, { recursive: true });
  });

  it('of mail are read with their parts, and no user and no password of them is printed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const file = join(folder, 'smtp-url');
    await writeFile(file, 'smtps://key-s3cret:s%403cret@Mail.example\n');
    const environment = { SMTP_URL_FILE: file, MAIL_FROM: 'Sketchpad, Inc. <keys@sketchpad.example>' };
    const resolved = resolve({ environment: { ...environment, MAIL_REPLY_TO: 'help@sketchpad.example' } });
    expect(resolved.settings.smtpUrl).to.deep.equal({
      host: 'mail.example',
      port: 465,
      security: 'tls',
      credentials: { user: 'key-s3cret', password: 's@3cret' },
    });
    expect(resolved.settings.mailFrom).to.deep.equal({ name: 'Sketchpad, Inc.', address: 'keys@sketchpad.example' });
    expect(resolved.settings.mailReplyTo).to.deep.equal({ name: null, address: 'help@sketchpad.example' });
    const printed = describeSettings(resolved).find(({ name }) => name === 'smtpUrl');
    expect(printed?.value).to.equal('smtps://***@Mail.example');
    await rm(folder, { recursive: true });
  });

  for (const [url, security, port] of [
    ['smtp://mail.example', 'starttls', 587],
    ['smtp://mail.example:25/', 'starttls', 25],
    ['smtps://[2001:db8::1]:2465', 'tls', 2465],
    ['smtp://localhost:1025', 'plain', 1025],
    ['smtp://127.0.0.1', 'plain', 587],
    ['smtp://[::1]:25', 'plain', 25],
    ['smtps://localhost', 'tls', 465],
    ['smtp://127.0.0.1.mail.example', 'starttls', 587],
    ['smtp://localhost.mail.example', 'starttls', 587],
  ] as const) {
    it(`send mail to ${url} by ${security}`, () => {
      const { settings } = resolve({ environment: { SMTP_URL: url, MAIL_FROM: 'a@b.example' } });
      expect([settings.smtpUrl?.security, settings.smtpUrl?.port]).to.deep.equal([security, port]);
    });
  }

  it('of mail are refused where one is missing, without a word of the credentials', () => {
    expect(mistakesOf({ environment: { SMTP_URL: 'smtps://u:s3cret@mail.example' } })).to.deep.equal([
      'smtpUrl (SMTP_URL) needs MAIL_FROM.',
    ]);
    const [MAIL_FROM, MAIL_REPLY_TO] = ['a@b.example', 'Help <c@b.example>'];
    expect(mistakesOf({ environment: { MAIL_FROM, MAIL_REPLY_TO } })).to.deep.equal([
      'mailFrom (a@b.example, MAIL_FROM) needs SMTP_URL.',
      'mailReplyTo (Help <c@b.example>, MAIL_REPLY_TO) needs SMTP_URL.',
    ]);
    expect(mistakesOf({ environment: { SMTP_URL: 'smtp://u:s3cret@b.example/x', MAIL_FROM } }).join()).to.not.include(
      's3cret',
    );
  });

  for (const url of ['http://localhost:12111', 'http://127.0.0.1:12111/', 'http://[::1]:1', 'https://stripe.example']) {
    it(`accept ${url} as the address of Stripe`, () => {
      const { settings } = resolve({ environment: { STRIPE_API_BASE: url } });
      expect(settings.stripeApiBase).to.equal(url.replace(/\/$/, ''));
    });
  }

  for (const [url, shown] of [
    ['mongodb://latchkey:s3cret@db.example/latchkey', 'mongodb://latchkey:***@db.example/latchkey'],
    ['mongodb://u:s3cret/s3cret@h:1,i:2/d', 'mongodb://u:***@h:1,i:2/d'],
    ['mongodb://u:s3cret@s3cret:s3cret@h/d', 'mongodb://u:***@h/d'],
    ['mongodb+srv://u:s3cret@h/d?proxyPassword=s3cret', 'mongodb+srv://u:***@h/d?***'],
    ['mongodb://h/d?replicaSet=rs0&tlsCertificateKeyFilePassword=s3cret', 'mongodb://h/d?***'],
    ['mongodb://h/d?authMechanismProperties=AWS_SESSION_TOKEN:s3cret', 'mongodb://h/d?***'],
    ['mongodb://u:s3cret?s3cret@h/d', 'mongodb://***'],
    ['mongodb://u:s3cret@h/d?proxyPassword=s3@cret', 'mongodb://***'],
    ['mongodb://u@h/d', 'mongodb://u@h/d'],
    ['sqlite:a:b@c?d', 'sqlite:a:b@c?d'],
  ] as const) {
    it(`are printed without the secrets in them: ${shown}`, () => {
      const store = { value: url, source: 'STORE_URL' };
      const printed = describeSettings({ written: { ...resolve({}).written, store } });
      expect(printed.map(({ name }) => name)).to.deep.equal(allSettings.map(({ name }) => name));
      expect(printed[0]).to.deep.equal({ ...store, name: 'store', value: shown });
    });
  }
});
