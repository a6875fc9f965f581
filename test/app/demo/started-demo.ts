import { demo, type DemoOptions } from '../../../app/demo/demo.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { resolveSettings } from '../../../app/settings/resolve.ts';

export interface StartedDemo extends AsyncDisposable {
  readonly printed: string;
}

/** Starts the demo in this process. It stops, and removes its store, where it is disposed of. */
export async function startDemo(onLog?: (line: string) => void): Promise<StartedDemo> {
  const stop = new AbortController();
  const printing = Promise.withResolvers<string>();
  const running = runDemo({ json: false, seed: null, print: printing.resolve }, stop.signal, onLog);
  running.catch(printing.reject);
  return {
    printed: await printing.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Runs the demo in this process until it is to stop, with these settings beside its port. */
export function runDemo(
  options: DemoOptions,
  stopping: AbortSignal,
  onLog: (line: string) => void = () => undefined,
  flags: object = {},
): Promise<void> {
  const { settings } = resolveSettings({ flags: { port: '0', ...flags }, file: null }, {});
  return demo(settings, { clock: () => new Date(), log: loggerTo({ write: onLog }), stopping }, options);
}

/** Does something while temporary files of this process belong into another folder. */
export async function withTemporaryFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = path;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
