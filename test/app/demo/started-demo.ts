import { demo, type DemoOptions } from '../../../app/demo/demo.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { resolveSettings } from '../../../app/settings/resolve.ts';

export interface StartedDemo extends AsyncDisposable {
  readonly printed: string;
}

/** Starts the demo in this process. It stops, and removes its store, where it is disposed of. */
export async function startDemo(options: Partial<Pick<DemoOptions, 'json' | 'seed'>> = {}): Promise<StartedDemo> {
  const stop = new AbortController();
  const printing = Promise.withResolvers<string>();
  const running = runDemo({ json: false, seed: null, ...options, print: printing.resolve }, stop.signal);
  running.catch(printing.reject);
  return {
    printed: await printing.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Runs the demo in this process until it is to stop. */
export function runDemo(
  options: DemoOptions,
  stopping: AbortSignal,
  onLog: (line: string) => void = () => undefined,
): Promise<void> {
  const { settings } = resolveSettings({ flags: { port: '0' }, file: null }, {});
  return demo(settings, { clock: () => new Date(), log: loggerTo({ write: onLog }), stopping }, options);
}
