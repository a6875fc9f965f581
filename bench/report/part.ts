import type { Chart } from '../charts/chart.ts';
import type { Effort } from '../measure/rounds.ts';
import type { Site } from '../servers/site.ts';

/** The options of a run. */
export interface Options {
  readonly effort: Effort;
  readonly licenses: number;
  readonly soakSeconds: number;
  /** A part of the names of the operations to compare. */
  readonly only: string;
}

/** A part of the benchmarks: what it measures, and how its figures are shown. */
export interface Part<Figures extends object = object> {
  /** The name for `--only`, the results file and the markers in the README. */
  readonly name: string;
  /** A description of its figures, for the terminal. */
  readonly about: string;
  /** Whether it runs only when it is named. */
  readonly isLong?: boolean;
  /** Measures. Null if this machine lacks what that needs. */
  measure(site: Site, options: Options): Promise<Figures | null>;
  table(figures: Figures): string;
  chart?(figures: Figures): Chart;
  /** The length of the measurement, for the caption. */
  length?(effort: Effort, figures: Figures): string;
}

/** Declares a part, whose figures are what its `measure` returns. */
export function part<Figures extends object>(declared: Part<Figures>): Part<Figures> {
  return declared;
}

export const cpuOfRequests = 'microseconds of CPU for one request, median (min–max)';

/** The length of rounds with as many connections as the effort says. */
export function rounds({ rounds: count, seconds, connections }: Effort): string {
  return `; ${count} rounds of ${seconds} s, ${connections} connections`;
}
