import { operatorKeys } from '../http/fixtures.ts';
import { eachTest, freshService, wholeSuite } from '../http/service-hooks.ts';
import type { ServiceOptions, TestService } from '../http/test-service.ts';
import type { StoreUnderTest } from '../stores/stores.ts';
import { getPage, type ReceivedPage } from './page-client.ts';

type Fields = Readonly<Record<string, string>>;

/** The header fields that browsers send with an address that was typed, and with a form of the console. */
export const typed = { 'Sec-Fetch-Site': 'none' };
const ownForm = { 'Sec-Fetch-Site': 'same-origin' };

/** Uses the console of a service as a browser does. Redirects are not followed. */
export class ConsoleClient<Served extends Pick<TestService, 'adminUrl' | 'merchantUrl'> = TestService> {
  readonly service: Served;
  readonly #port: 'admin' | 'merchants';
  /** The value of `Cookie`; empty before the first session. */
  cookie = '';

  constructor(service: Served, port: 'admin' | 'merchants' = 'admin') {
    this.service = service;
    this.#port = port;
  }

  get url(): string {
    return (this.#port === 'admin' ? this.service.adminUrl : this.service.merchantUrl) ?? '';
  }

  /** Signs in, and keeps the cookie. */
  async signIn(key: string = operatorKeys.full, fields: Fields = {}): Promise<ReceivedPage> {
    const page = await this.post('/console/sign-in', { key, ...fields });
    const [pair = ''] = (page.headers['set-cookie'] ?? '').split(';');
    if (pair !== '') this.cookie = pair;
    return page;
  }

  get(path: string, headers: Fields = {}): Promise<ReceivedPage> {
    return this.send('GET', path, headers);
  }

  send(method: string, path: string, headers: Fields = {}): Promise<ReceivedPage> {
    return getPage(this.url + path, { method, headers: { ...typed, ...this.#session(), ...headers } });
  }

  /** Sends a form as it is. */
  post(path: string, form: Fields, headers: Fields = ownForm): Promise<ReceivedPage> {
    return getPage(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...this.#session(), ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  /** Sends a form with the token of the session. */
  async submit(path: string, form: Fields = {}, headers: Fields = ownForm): Promise<ReceivedPage> {
    return this.post(path, { token: await this.token(), ...form }, headers);
  }

  /** The token of the session's forms. */
  async token(): Promise<string> {
    const { text } = await this.get('/console/no-such-page');
    return /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  #session(): Fields {
    return this.cookie === '' ? {} : { Cookie: this.cookie };
  }
}

/** Starts a service with an operator key of every scope before each test of the calling suite, and stops it afterwards. */
export function freshConsole(
  store: StoreUnderTest,
  options: ServiceOptions = {},
  span = eachTest,
): () => ConsoleClient {
  const service = freshService(store, { adminPort: 0, ...options }, span);
  let client: ConsoleClient | null = null;
  span.start(async () => {
    await service().addOperatorKey(operatorKeys.full);
    client = new ConsoleClient(service());
  });
  return () => {
    if (client === null) throw new Error('the console runs during a test only');
    return client;
  };
}

/** The same for a suite whose tests leave the state as it was: one service for all of them. */
export function sharedConsole(store: StoreUnderTest, options: ServiceOptions = {}): () => ConsoleClient {
  return freshConsole(store, options, wholeSuite);
}

/** The status of a page, its error code and where it leads. */
export function outcomeOf({ status, headers }: ReceivedPage): readonly (number | string | undefined)[] {
  return [status, headers['error-code'] ?? headers['location']];
}
