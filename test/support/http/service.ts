import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { startServer, type ServerParts, type ServerSettings } from '../../../app/service/server.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { noon } from '../builders.ts';
import { outputs } from '../run/output-search.ts';

export interface TestService {
  readonly url: string;
  /** Of the admin port, where one was asked for. */
  readonly adminUrl: string | null;
  readonly container: ReturnType<typeof createContainer>;
  /** What was logged, as parsed lines. */
  readonly logged: readonly Record<string, unknown>[];
  forgetLog(): void;
  stop(): Promise<void>;
}

export type Overrides = Partial<ServerSettings> &
  Partial<Pick<ServerParts, 'clock' | 'editions'>> & {
    /** Puts something else in the place of what the container has bound, before anybody asks for it. */
    readonly rebind?: (container: TestService['container']) => void;
    /** Is shown each line of the log, instead of the search of the whole run. */
    readonly search?: (line: string) => void;
  };

const searchLog = (line: string): void => outputs.log('the log of a service', line);

/** The whole service over an open store, on a free port, at `noon` unless a clock is given. */
export async function startService(store: Store, overrides: Overrides = {}): Promise<TestService> {
  const container = createContainer(store.ports);
  const logged: Record<string, unknown>[] = [];
  const { clock = () => noon, editions, rebind, search = searchLog, ...settings } = overrides;
  const log = loggerTo({
    write: (line) => {
      logged.push(JSON.parse(line));
      search(line);
    },
  });
  rebind?.(container);
  const server = await startServer(
    { container, store, clock, log, ...(editions ? { editions } : {}) },
    { ...defaultSettings, port: 0, ...settings },
  );
  return {
    url: server.url,
    adminUrl: server.adminUrl,
    container,
    logged,
    forgetLog: () => logged.splice(0),
    stop: async () => {
      await server.stop(1000);
      await store.close();
    },
  };
}
