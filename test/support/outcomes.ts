import { Refusal, type RefusalCode, type RefusalDetails } from '../../core/refusal.ts';

/** A whole number for each of `count` members of a race or a list, from 0. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** How often each `kind` occurs. */
export function tally(outcomes: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** What was thrown; fails the test where nothing was. */
export async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** The refusal's code and details; a fault goes through. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: RefusalCode; details: RefusalDetails }> {
  const error = await thrownBy(work);
  if (!(error instanceof Refusal)) throw error;
  return { code: error.code, details: error.details };
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

/** Asks until the answer passes the test; at last returns whatever the answer is. */
export async function eventually<T>(ask: () => Promise<T>, passes: (answer: T) => boolean): Promise<T> {
  const until = performance.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (passes(answer) || performance.now() > until) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How often the event loop comes round while something is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  count();
  await work;
  counting = false;
  return turns;
}
