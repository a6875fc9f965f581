/** The median of one figure over the rounds, and its least and greatest value. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  return { median: quantile(sorted, 0.5), least: quantile(sorted, 0), greatest: quantile(sorted, 1) };
}

/** The value below which a share of the figures lies; they must be in ascending order. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}
