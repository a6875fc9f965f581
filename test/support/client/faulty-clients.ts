import { LatchkeyClient, type ClientOptions } from '../../../client/index.ts';
import { appKeys } from '../http/fixtures.ts';
import { FaultyProxy, type Fault } from './faulty-proxy.ts';

interface FaultyClient {
  readonly client: LatchkeyClient;
  readonly proxy: FaultyProxy;
}

/** Returns a function that makes a client behind a faulty proxy; the proxies are stopped after each test. */
export function faultyClients(): (
  faults: readonly Fault[],
  target?: string,
  options?: Partial<ClientOptions>,
) => Promise<FaultyClient> {
  const proxies: FaultyProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });
  return async (faults, target, options = {}) => {
    const proxy = await FaultyProxy.start(faults, target);
    proxies.push(proxy);
    return { proxy, client: new LatchkeyClient({ baseUrl: proxy.url, appKey: appKeys.full, ...options }) };
  };
}
