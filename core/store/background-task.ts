/** Work of a serving process beside its requests. */
export interface BackgroundTask {
  /** Begins the work. `report` is called for the first failure of a series; the work goes on. */
  start(report: (error: unknown) => void): void;

  /** Resolves once the work in progress has ended. */
  stop(): Promise<void>;
}
