import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { tokens } from '../../../app/service/tokens.ts';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, anAppKey, noon } from '../builders.ts';
import { ask, askForText, type Asked, type Reply } from './http-client.ts';
import { secretsIn } from '../run/output-search.ts';
import { startService, type Overrides, type TestService } from './service.ts';
import type { StoreAddress, StoreUnderTest } from '../stores/stores.ts';

/** The app key of product `prod_1` with all scopes. */
export const appKey = 'svc_sk_live_of-prod_1-with-every-scope';

export const bearer = (key = appKey): readonly [string, string] => ['Authorization', `Bearer ${key}`];
export const idempotencyKey = (key: string): readonly [string, string] => ['Idempotency-Key', key];
export const json = ['Content-Type', 'application/json'] as const;

/** What differs from the usual. */
export type Given = Overrides & { readonly retention?: Retention };

/** The whole service on a fresh store, with `now` in the hand of the test. */
export class RunningService {
  readonly #clock: { now: Date };
  readonly #service: TestService;
  readonly #address: StoreAddress;

  private constructor(service: TestService, clock: { now: Date }, address: StoreAddress) {
    this.#service = service;
    this.#clock = clock;
    this.#address = address;
  }

  /** Starts a service that knows `appKey` and nothing else. */
  static async start(
    { address }: Pick<StoreUnderTest, 'address'>,
    { retention = retentionFor(defaultTtl), ...overrides }: Given = {},
  ): Promise<RunningService> {
    const fresh = await address();
    const store = await openStore(fresh.url, { create: true }, retention, aCall());
    const clock = { now: noon };
    const service = await startService(store, { clock: () => clock.now, ...overrides });
    const running = new RunningService(service, clock, fresh);
    await running.know({}, appKey);
    return running;
  }

  /** The instant that the service takes for the present. */
  get now(): Date {
    return this.#clock.now;
  }

  set now(now: Date) {
    this.#clock.now = now;
  }

  get url(): string {
    return this.#service.url;
  }

  get container(): TestService['container'] {
    return this.#service.container;
  }

  get logged(): TestService['logged'] {
    return this.#service.logged;
  }

  async stop(): Promise<void> {
    await this.#service.stop();
    await this.#address.remove();
  }

  async grant(...entitlements: readonly Entitlement[]): Promise<void> {
    await this.container.get(tokens.allEntitlements).add(entitlements, aCall());
  }

  /** Adds an app key that is presented as `key`. */
  async know(overrides: Partial<AppKey>, key: string): Promise<void> {
    await this.container.get(tokens.allAppKeys).add(anAppKey({ digest: digest(key), ...overrides }), aCall());
  }

  /** Everything that requests can change, as the store has it. */
  async stored(): Promise<readonly Entitlement[]> {
    return Array.fromAsync(this.container.get(tokens.allEntitlements).list(null, aCall));
  }

  ask(path: string, asked: Asked = {}): Promise<Reply> {
    return ask(this.url + path, asked);
  }

  verify(body: unknown): Promise<Reply> {
    return this.ask('/api/licenses/verify', { method: 'POST', headers: [json], body: JSON.stringify(body) });
  }

  read(id: string): Promise<Reply> {
    return this.ask(`/api/app-entitlements/${id}`, { headers: [bearer()] });
  }

  /** Cancels or resumes: `change('ent_1/cancel', 'key-00000001')`. */
  change(what: string, key: string): Promise<Reply> {
    return this.ask(`/api/app-entitlements/${what}`, { method: 'POST', headers: [bearer(), idempotencyKey(key)] });
  }

  /** The same, with the content as it came, under a correlation id. */
  changeForText(what: string, key: string, correlationId: string): ReturnType<typeof askForText> {
    const headers = [bearer(), idempotencyKey(key), ['X-Request-Id', correlationId]] as const;
    return askForText(`${this.url}/api/app-entitlements/${what}`, { method: 'POST', headers });
  }
}

/** A running service for each test of the suite that calls this, stopped after the test. Whatever the test does, its log must not betray. */
export function freshService(store: StoreUnderTest, given?: Given): () => RunningService {
  let running: RunningService | null = null;
  beforeEach(async () => {
    running = await RunningService.start(store, given);
  });
  afterEach(async () => {
    await running?.stop();
    const lines = running?.logged.map((line) => JSON.stringify(line)) ?? [];
    running = null;
    expect(lines.filter((line) => secretsIn(line).length > 0)).to.deep.equal([]);
  });
  return () => {
    if (running === null) throw new Error('the service runs during a test only');
    return running;
  };
}
