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

/** The value below which a share of the figures lies; they must be in ascending order. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}
