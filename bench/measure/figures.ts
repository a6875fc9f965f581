/** The figures of one contender in one round. */
export interface Round {
  /** Microseconds of CPU of the server process for one request. */
  readonly cpu: number;
  /** The same for the server of the store; 0 if the store has none. */
  readonly storeCpu: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** A contender and its rounds. */
export interface Measured {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/** The contenders of one operation. */
export interface Comparison {
  readonly operation: string;
  readonly contenders: readonly Measured[];
}

/** The median, minimum and maximum of one figure over the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  return { median: quantile(sorted, 0.5), min: quantile(sorted, 0), max: quantile(sorted, 1) };
}

/** The median of one figure of rounds or samples. */
export function medianOf<Figure extends string>(
  rounds: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number {
  return spreadOf(rounds.map((round) => round[figure])).median;
}

/** The median of the ratios of one figure, round by round: of contenders that took turns. */
export function ratioOf<Figure extends string>(
  rounds: readonly Readonly<Record<Figure, number>>[],
  others: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number {
  return spreadOf(rounds.map((round, turn) => round[figure] / (others[turn]?.[figure] ?? Number.NaN))).median;
}

/** The value below which a share of the figures lies; they must be in ascending order. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The rounds of the contender with this name. */
export function roundsOf(contenders: readonly Measured[], name: string): readonly Round[] {
  return contenders.find((contender) => contender.name === name)?.rounds ?? [];
}
