/** Something that many can wait for until the test releases it. */
export interface Latch {
  readonly released: Promise<boolean>;
  readonly release: () => void;
}

export function aLatch(): Latch {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { released: promise, release: () => resolve(true) };
}
