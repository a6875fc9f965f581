import { expect } from 'chai';
import { secretsIn } from '../run/output-search.ts';
import { memory, type StoreUnderTest } from '../stores/stores.ts';
import { appKeys, populate } from './fixtures.ts';
import { TestService } from './test-service.ts';

type Options = Parameters<typeof TestService.at>[1];

/** Starts a service on a fresh store that has one app key, `appKeys.full`, and nothing else. */
export async function startService(
  { emptyAddress }: Pick<StoreUnderTest, 'emptyAddress'>,
  options?: Options,
): Promise<TestService> {
  const service = await TestService.at(await emptyAddress(), options);
  await service.addAppKey(appKeys.full);
  return service;
}

/** Starts a populated service on a fresh store, in memory by default. */
export async function startPopulated(options?: Options, store = memory): Promise<TestService> {
  return TestService.at(await store.emptyAddress(), options, populate);
}

/** When something starts and stops: with each test of a suite, or with the suite, whose tests leave it as it was. */
export interface Span {
  readonly start: (run: () => Promise<void>) => void;
  readonly stop: (run: () => Promise<void>) => void;
}

/* Called late: Mocha defines its hooks when it loads a file. */
export const eachTest: Span = { start: (run) => beforeEach(run), stop: (run) => afterEach(run) };
export const wholeSuite: Span = { start: (run) => before(run), stop: (run) => after(run) };

/** Starts a service before each test of the calling suite and stops it afterwards. Its log must not contain secrets. */
export function freshService(store: StoreUnderTest, options?: Options, span = eachTest): () => TestService {
  let service: TestService | null = null;
  span.start(async () => {
    service = await startService(store, options);
  });
  span.stop(async () => {
    await service?.stop();
    const lines = service?.logged.map((line) => JSON.stringify(line)) ?? [];
    service = null;
    expect(lines.filter((line) => secretsIn(line).length > 0)).to.deep.equal([]);
  });
  return () => {
    if (service === null) throw new Error('the service runs during a test only');
    return service;
  };
}

/** Returns `startPopulated` for the tests of the calling suite; what a test starts is stopped after it. */
export function populatedServices(): typeof startPopulated {
  const started: TestService[] = [];
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
  });
  return async (...parameters) => {
    const service = await startPopulated(...parameters);
    started.push(service);
    return service;
  };
}
