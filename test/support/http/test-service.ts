import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { startServer, type ServerParts, type ServerSettings } from '../../../app/server/server.ts';
import { createService, type Service } from '../../../app/server/serving-process.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { aCall, anAppKey, anOperatorKey, granted, noon } from '../builders.ts';
import { outputs } from '../run/output-search.ts';
import type { StoreAddress } from '../stores/stores.ts';
import { entitlementsIn } from '../stores/whole-lists.ts';
import { send, sendForText, type Reply, type RequestOptions } from './http-client.ts';
import { bearer, idempotencyKey, json } from './requests.ts';

type Container = Service['container'];

export type ServiceOptions = Partial<ServerSettings> &
  Partial<Pick<ServerParts, 'clock' | 'editions'>> & {
    /** Replaces the store's own answer to whether it is ready. */
    readonly ready?: Store['ready'];
    /** Replaces bindings before anything is taken from the container. */
    readonly rebind?: (container: Container) => void;
    /** Called with each line of the log, instead of the search for secrets in the output of the run. */
    readonly onLogLine?: (line: string) => void;
  };

const searchForSecrets = (line: string): void => outputs.log('the log of a service', line);

/** The timeouts of a service for its store and for its clients, on the slowest machine. */
const patience = { storeDeadline: 90_000, headersTimeout: 120_000, requestTimeout: 120_000 } as const;

/** The whole service over a store, on a free port. Its clock stands at `noon` until a test moves it. */
export class TestService {
  now = noon;
  readonly container: Container;
  /** The parsed lines of the log. */
  readonly logged: Record<string, unknown>[] = [];
  readonly #store: Store;
  #server: Awaited<ReturnType<typeof startServer>> | null = null;

  private constructor(store: Store, container: Container) {
    this.#store = store;
    this.container = container;
  }

  /** Starts a service over an open store, which it closes when it stops. */
  static async start(opened: Store, options: ServiceOptions = {}): Promise<TestService> {
    const { clock, editions, ready, rebind, onLogLine = searchForSecrets, ...settings } = options;
    const all = { ...defaultSettings, ...patience, port: 0, ...settings };
    const { container, metrics } = await createService(opened.ports, all);
    const service = new TestService(ready === undefined ? opened : { ...opened, ready }, container);
    const write = (line: string): void => {
      service.logged.push(JSON.parse(line));
      onLogLine(line);
    };
    const log = loggerTo({ write }, settings.logLevel);
    rebind?.(container);
    const parts = { container, metrics, store: service.#store, clock: clock ?? (() => service.now), log };
    service.#server = await startServer({ ...parts, ...(editions ? { editions } : {}) }, all);
    await service.#server.loaded;
    for (const task of opened.background) task.start((err) => log.error({ err }, 'the store failed'));
    return service;
  }

  /** Starts a service at the address of a store, which it removes when it stops. `fill` puts data into the store first. */
  static async at(
    address: StoreAddress,
    { retention = retentionFor(defaultTtl), ...options }: ServiceOptions & { readonly retention?: Retention } = {},
    fill: (ports: Store['ports']) => Promise<void> = async () => {},
  ): Promise<TestService> {
    const store = await openStore(address.url, { create: true }, retention, aCall());
    await fill(store.ports);
    const close = async (): Promise<void> => {
      await store.close();
      await address.remove();
    };
    return TestService.start({ ...store, close }, options);
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Null without the setting `adminPort`. */
  get adminUrl(): string | null {
    return this.#server?.adminUrl ?? null;
  }

  /** Null without the setting `merchantPort`. */
  get merchantUrl(): string | null {
    return this.#server?.merchantUrl ?? null;
  }

  /** The lines of the log that are errors. */
  get faults(): readonly unknown[] {
    return this.logged.filter(({ level }) => level === 'error' || level === 'fatal');
  }

  async stop(): Promise<void> {
    await this.#server?.stop(1000);
    for (const task of this.#store.background) await task.stop();
    await this.#store.close();
  }

  async grant(...entitlements: readonly Entitlement[]): Promise<void> {
    await this.container.get(tokens.allEntitlements).add(granted(entitlements), aCall());
  }

  /** Adds an app key that requests present as `key`. */
  async addAppKey(key: string, overrides: Partial<AppKey> = {}): Promise<void> {
    await this.container.get(tokens.allAppKeys).add(anAppKey({ digest: digest(key), ...overrides }), aCall());
  }

  /** Adds an operator key that requests present as `key`. */
  async addOperatorKey(key: string, overrides: Partial<OperatorKey> = {}): Promise<void> {
    await this.container.get(tokens.allOperatorKeys).add(anOperatorKey({ digest: digest(key), ...overrides }), aCall());
  }

  /** The entitlements in the store: everything that requests can change. */
  stored(): Promise<readonly Entitlement[]> {
    return entitlementsIn({ allEntitlements: this.container.get(tokens.allEntitlements) });
  }

  send(path: string, request?: RequestOptions): Promise<Reply> {
    return send(this.url + path, request);
  }

  verify(body: unknown): Promise<Reply> {
    return this.send('/api/licenses/verify', { method: 'POST', headers: [json], body: JSON.stringify(body) });
  }

  /** Asks for a receipt. */
  receipt(body: unknown, headers: readonly string[] = [json]): Promise<Reply> {
    return this.send('/api/licenses/receipt', { method: 'POST', headers, body: JSON.stringify(body) });
  }

  read(id: string): Promise<Reply> {
    return this.send(`/api/app-entitlements/${id}`, { headers: [bearer()] });
  }

  /** Cancels or resumes: `change('ent_1/cancel', 'key-00000001')`. */
  change(path: string, key: string): Promise<Reply> {
    return this.send(`/api/app-entitlements/${path}`, { method: 'POST', headers: [bearer(), idempotencyKey(key)] });
  }

  /** Cancels or resumes under a correlation id, and returns the content as text. */
  changeForText(path: string, key: string, correlationId: string): ReturnType<typeof sendForText> {
    const headers = [bearer(), idempotencyKey(key), `X-Request-Id: ${correlationId}`];
    return sendForText(`${this.url}/api/app-entitlements/${path}`, { method: 'POST', headers });
  }
}
