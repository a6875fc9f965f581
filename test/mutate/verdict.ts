import type { Mutant } from './mutant.ts';

/** A change that no test can notice, or that something else than these tests prevents, and why. */
export interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly was: string;
  readonly became: string;
  readonly why: string;
}

export interface Verdict {
  readonly tried: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly alive: readonly Mutant[];
  /** Entries of the list whose change was killed, or is not possible any more. */
  readonly stale: readonly Equivalent[];
  /** The share of the mutants that are killed, without the equivalent ones, in percent. */
  readonly percent: number;
}

/**
 * Compares what was tried with the list of equivalent mutants. Entries of other files are left alone, unless `isGone` says
 * that there is no such file.
 */
export function judge(
  mutants: readonly Mutant[],
  equivalents: readonly Equivalent[],
  isGone: (file: string) => boolean,
): Verdict {
  const files = new Set(mutants.map(({ file }) => file));
  const valid = mutants.filter(({ status }) => !['Ignored', 'RuntimeError', 'CompileError'].includes(status));
  const living = valid.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const listed = new Set(equivalents.map(keyOf));
  const alive = living.filter((mutant) => !listed.has(keyOf(mutant)));
  const found = new Set(living.map(keyOf));
  const stale = equivalents.filter(
    (entry) => (files.has(entry.file) || isGone(entry.file)) && !found.has(keyOf(entry)),
  );
  const killed = valid.length - living.length;
  const percent = killed + alive.length === 0 ? 100 : (100 * killed) / (killed + alive.length);
  return { tried: valid.length, killed, equivalent: living.length - alive.length, alive, stale, percent };
}

function keyOf({ file, line, was, became }: Omit<Equivalent, 'why'>): string {
  return JSON.stringify([file, line, was, became]);
}
