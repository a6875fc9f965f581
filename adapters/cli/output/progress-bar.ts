import type { Shell } from '../shell/shell.ts';

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** Starts a progress bar on standard error. Returns null if that is not a terminal. */
export async function startProgressBar({ stderr }: Shell, total: number): Promise<ProgressBar | null> {
  if (stderr.isTTY !== true) return null;
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({ stream: stderr, format: '{bar} {percentage} %, {eta_formatted} left', hideCursor: true });
  bar.start(total, 0);
  return {
    update: (done, all) => {
      bar.setTotal(all);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
