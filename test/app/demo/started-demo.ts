import { demo, type DemoOptions } from '../../../app/demo/demo.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { resolveSettings } from '../../../app/settings/resolve.ts';

export interface StartedDemo extends AsyncDisposable {
  readonly printed: string;
  readonly logged: readonly string[];
}

/** Starts the demo in this process. It stops, and removes its store, at the end of the block or by the hook that disposes of it. */
export async function startDemo(options: Partial<Pick<DemoOptions, 'json' | 'seed'>> = {}): Promise<StartedDemo> {
  const { settings } = resolveSettings({ flags: { port: '0' }, file: null }, {});
  const stop = new AbortController();
  const printing = Promise.withResolvers<string>();
  const logged: string[] = [];
  const log = loggerTo({ write: (line) => void logged.push(line) });
  const parts = { clock: () => new Date(), log, stopping: stop.signal };
  const running = demo(settings, parts, { json: false, seed: null, ...options, print: printing.resolve });
  running.catch(printing.reject);
  return {
    printed: await printing.promise,
    logged,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
