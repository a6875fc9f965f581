import type { StoreUnderTest } from '../stores/stores.ts';
import { WorkersProcess, type StartOptions } from './workers-process.ts';

export interface WorkersOptions extends StartOptions {
  /** Called with the URL of the store before the server starts. */
  readonly fill?: (storeUrl: string) => Promise<void>;
}

/** Starts a server. */
type Start = (options?: WorkersOptions) => Promise<WorkersProcess>;

/**
 * Returns a function that starts a server with a number of workers on a store of its own. After each test of the
 * calling suite, the server is killed and the store removed.
 */
export function startsWorkers(under: StoreUnderTest, workers: number): Start {
  return starter(afterEach, under, workers);
}

/**
 * Starts a server with a number of workers on a store of its own before each test of the calling suite, and removes
 * both after it.
 */
export function freshWorkers(
  under: StoreUnderTest,
  workers: number,
  options: WorkersOptions = {},
): () => WorkersProcess {
  return begun(beforeEach, starter(afterEach, under, workers), options);
}

/** Starts one server with a number of workers, on a store of its own, for all tests of the calling suite. */
export function sharedWorkers(
  under: StoreUnderTest,
  workers: number,
  options: WorkersOptions = {},
): () => WorkersProcess {
  return begun(before, starter(after, under, workers), options);
}

type Hook = (work: () => Promise<void>) => void;

function starter(end: Hook, under: StoreUnderTest, workers: number): Start {
  const started: (() => Promise<void>)[] = [];
  end(async () => {
    for (const remove of started.splice(0).toReversed()) await remove();
  });
  return async ({ fill, ...options } = {}) => {
    const store = await under.address();
    started.push(() => store.remove());
    await fill?.(store.url);
    const server = await WorkersProcess.start(store.url, workers, options);
    started.push(() => server.kill());
    return server;
  };
}

function begun(begin: Hook, start: Start, options: WorkersOptions): () => WorkersProcess {
  let server: WorkersProcess | null = null;
  begin(async () => {
    server = await start(options);
  });
  return () => {
    if (server === null) throw new Error('the server runs during a test only');
    return server;
  };
}
