import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WrongArgument } from '../../../adapters/cli/shell/errors.ts';
import { resolveSettings, type ResolvedSettings } from '../../../app/settings/resolve.ts';

interface Sources {
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: string;
}

function resolve({ environment = {}, file }: Sources): ResolvedSettings {
  return resolveSettings({ flags: {}, file: file ?? null }, environment);
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

/** The variables that Kubernetes sets for a Service. */
function links(name: string, port: number): Record<string, string> {
  return {
    [`${name}_SERVICE_HOST`]: '10.96.0.12',
    [`${name}_SERVICE_PORT`]: String(port),
    [`${name}_SERVICE_PORT_HTTP`]: String(port),
    [`${name}_PORT`]: `tcp://10.96.0.12:${port}`,
    [`${name}_PORT_${port}_TCP`]: `tcp://10.96.0.12:${port}`,
    [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_${port}_TCP_PORT`]: String(port),
    [`${name}_PORT_${port}_TCP_ADDR`]: '10.96.0.12',
  };
}

describe('settings that nobody has meant so', () => {
  it('are read from files that Windows has saved, and refuse those in another encoding', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const [file, secret, texts] = ['latchkey.json', 'secret', 'texts.json'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, `\uFEFF{\r\n  "port": 3100, "siteTextsFile": ${JSON.stringify(texts)}\r\n}\r\n`);
    await writeFile(texts, '\uFEFF{"help": "Hilfe"}\r\n');
    await writeFile(secret, '\uFEFFmemory:\r\n');
    const { settings } = resolve({ file, environment: { STORE_URL_FILE: secret } });
    expect([settings.port, settings.siteTexts.help, settings.store]).to.deep.equal([3100, 'Hilfe', 'memory:']);
    const wrongOnes: readonly (readonly [Buffer, string])[] = [
      [Buffer.from('\uFEFF{"port": 1}', 'utf16le'), 'is UTF-16: save it as UTF-8'],
      [Buffer.from('{"port": 1}', 'utf16le'), 'is UTF-16: save it as UTF-8'],
      [Buffer.from('\uFEFF{"port": 1}', 'utf16le').swap16(), 'is UTF-16: save it as UTF-8'],
      [Buffer.from('{"siteName": "Gr\u00fcn"}', 'latin1'), 'is not UTF-8: save it as UTF-8'],
    ];
    for (const [bytes, problem] of wrongOnes) {
      for (const path of [file, secret]) await writeFile(path, bytes);
      expect(mistakesOf({ file, environment: { STORE_URL_FILE: secret } })).to.deep.equal([
        `The file given by --config ${problem}.`,
        `The file given by STORE_URL_FILE ${problem}.`,
      ]);
    }
    await rm(folder, { recursive: true });
  });

  it('ignore what Kubernetes and Docker set for a Service of their name, and of one of a similar name', () => {
    for (const name of ['ADMIN', 'ADMINS', 'MERCHANT', 'MERCHANTS', 'LATCHKEY', 'STORE_URL']) {
      const { settings } = resolve({ environment: links(name, 8080) });
      expect([settings.adminPort, settings.merchantPort], name).to.deep.equal([null, null]);
    }
    const own = { ...links('ADMIN', 8080), ADMIN_PORT: '9100' };
    expect(resolve({ environment: own }).settings.adminPort).to.equal(9100);
    for (const env of ['PORT', 'ADMIN_PORT', 'MERCHANT_PORT']) {
      const [mistake = ''] = mistakesOf({ environment: { [env]: 'tcp://10.96.0.12:8080' } });
      expect(mistake).to.match(
        new RegExp(`\\(${env}\\) must be an integer .* as Kubernetes sets it .*enableServiceLinks`),
      );
    }
  });

  const made: readonly (readonly [url: string, problem: RegExp])[] = [
    ['sqlite:~/latchkey.db', /in place of ~/],
    ['sqlite:~ada/latchkey.db', /in place of ~/],
    ['sqlite:$HOME/latchkey.db', /in place of \$NAME/],
    ['sqlite:/srv/${NAME}/latchkey.db', /in place of \$NAME/],
    ['sqlite:/srv/$(NAME)/latchkey.db', /in place of \$NAME/],
    ['sqlite:%h/latchkey.db', /in place of \$NAME, \$\{NAME\} or %h/],
    ['sqlite:%APPDATA%/latchkey.db', /in place of \$NAME, \$\{NAME\} or %h/],
    ['sqlite:/srv/my%20shop/latchkey.db', /not percent-encoded/],
    ['sqlite:latchkey.db?mode=ro', /must have no parameters/],
    ['sqlite://data/latchkey.db', /must not have two slashes/],
    ['sqlite://./latchkey.db', /must not have two slashes/],
    ['sqlite:file:latchkey.db', /no file: in it/],
    ['sqlite::memory:', /must be memory:/],
    ['sqlite:"shop/latchkey.db"', /white space or quotes/],
    ['sqlite: shop/latchkey.db', /white space or quotes/],
    ['sqlite:shop/latchkey.db\t', /white space or quotes/],
    ['sqlite:/home/<user>/latchkey.db', /a placeholder/],
  ];

  for (const [store, problem] of made) {
    it(`refuse the path of a store that nobody means as it stands: ${store}`, () => {
      const [mistake = '', ...others] = mistakesOf({ environment: { STORE_URL: store } });
      expect([mistake.startsWith('store (STORE_URL) must '), others]).to.deep.equal([true, []]);
      expect(mistake).to.match(problem);
      expect(mistake).to.not.include(store.slice('sqlite:'.length).trim());
    });
  }

  it('take a path that is unusual, and name the home folder where another file cannot be read', () => {
    for (const path of ['./~/a.db', '/srv/a~b/c$.db', 'my shop/a.db', '/srv/100%/a.db', '///srv/a.db', 'a:b@c.db']) {
      expect(resolve({ environment: { STORE_URL: `sqlite:${path}` } }).settings.store).to.equal(`sqlite:${path}`);
    }
    const tilde = 'its path must have the home folder itself in place of ~, which nothing expands here';
    expect(mistakesOf({ file: '~/latchkey.json', environment: { SMTP_URL_FILE: '~/smtp' } })).to.deep.equal([
      `The file given by --config cannot be read: ${tilde}.`,
      `The file given by SMTP_URL_FILE cannot be read: ${tilde}.`,
    ]);
    expect(mistakesOf({ environment: { SITE_TEXTS_FILE: '$HOME/texts.json' } })[0]).to.include('in place of $NAME');
  });

  const copied: readonly (readonly [env: string, values: readonly string[]])[] = [
    [
      'STORE_URL',
      [
        'mongodb+srv://ada:<db_password>@cluster0.ab1cd.mongodb.net/latchkey?appName=Cluster0',
        'mongodb://<username>:s3cret@db.example/latchkey',
        'mongodb://ada:s3cret@<host>/latchkey',
        'mongodb://ada:s3cret@db.example/<database>',
        'mongodb://USER:PASSWORD@db.example/latchkey',
        'mongodb://HOST/DATABASE',
        'mongodb://ada:{{ password }}@db.example/latchkey',
        'mongodb://ada:${DB_PASSWORD}@db.example/latchkey',
        'mongodb://ada:$DB_PASSWORD@db.example/latchkey',
        'mongodb://ada:$(DB_PASSWORD)@db.example/latchkey',
        'mongodb://ada:changeme@db.example/latchkey',
        'mongodb://ada:change-me@db.example/latchkey',
        'mongodb://ada:YOUR_PASSWORD@db.example/latchkey',
        'mongodb://ada:your-password@db.example/latchkey',
        'mongodb://ada:xxxxxxxx@db.example/latchkey',
        'mongodb://ada:***@db.example/latchkey',
      ],
    ],
    [
      'SMTP_URL',
      ['smtps://USER:PASSWORD@HOST:PORT', 'smtps://<user>:a@mail.example', 'smtp://a:changeme@mail.example'],
    ],
    ['PUBLIC_URL', ['https://<host>', 'https://your-domain.example', 'https://{{host}}', 'https://HOST']],
    ['CORS_ORIGINS', ['https://your-shop.example', 'https://shop.example,https://<shop>']],
    ['STRIPE_API_KEY', ['sk_live_YOUR_KEY', 'sk_test_xxxxxxxxxxxx', 'rk_live_...', 'sk_live_changeme', '<sk_live>']],
    ['STRIPE_WEBHOOK_SECRET', ['whsec_...', 'whsec_<secret>', 'whsec_YOUR_SECRET', 'whsec_a,whsec_xxxxxx']],
    ['MAIL_FROM', ['Shop <keys@your-domain.example>', 'keys@{{domain}}']],
    ['SITE_HELP', ['https://your-site.example/help', 'mailto:help@<domain>']],
  ];

  for (const [env, values] of copied) {
    it(`refuse a placeholder that was copied as it stands, without repeating a value: ${env}`, () => {
      for (const value of values) {
        const [mistake = ''] = mistakesOf({ environment: { [env]: value } });
        expect(mistake, value).to.match(
          new RegExp(`\\(${env}\\) must have the value itself in place of a placeholder`),
        );
        expect(mistake).to.not.include(value);
      }
    });
  }

  it('take what only looks like a placeholder, and what is percent-encoded', () => {
    const taken = {
      STORE_URL: [
        'mongodb+srv://ada:%3Csecret%3E@cluster0.ab1cd.mongodb.net/latchkey',
        'mongodb://ada:%63hangeme@db.example/latchkey',
        'mongodb://ada:a<b@db.example/latchkey',
        'mongodb://ada:x$Kd9Q@db.example/latchkey',
        'mongodb://user:password@host:27017/database',
      ],
      PUBLIC_URL: ['https://yours.example', 'https://keys.exchange.example', 'https://app.host.example'],
      STRIPE_API_KEY: ['sk_test_1', 'rk_live_51HxxYourZ'],
      STRIPE_WEBHOOK_SECRET: ['whsec_c2VjcmV0'],
      SITE_HELP: ['https://help.example/your-license', '/help'],
    };
    for (const [env, values] of Object.entries(taken)) {
      for (const value of values) expect(mistakesOf({ environment: { [env]: value } }), value).to.deep.equal([]);
    }
  });
});
