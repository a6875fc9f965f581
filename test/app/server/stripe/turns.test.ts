import { expect } from 'chai';
import { Turns } from '../../../../app/server/stripe/turns.ts';

const patient = { remaining: () => 60_000 };

describe('turns of two', () => {
  it('let two work at the same time and the others after them, in their order', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [1, 2, 3, 4].map((name) =>
      turns.take(patient, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    expect(begun).to.deep.equal([1, 2]);
    for (const count of [3, 4]) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun).to.have.length(count);
    }
    for (const end of ends) end();
    await Promise.all(works);
    expect(await turns.take(patient, async () => 'free again')).to.equal('free again');
  });

  it('end the wait of those whose deadline comes first, and the turn of work that fails', async () => {
    const turns = new Turns(1);
    const held = Promise.withResolvers<string>();
    const first = turns.take(patient, () => held.promise);
    expect(await turns.take({ remaining: () => 0 }, async () => 'late')).to.equal(null);
    const next = turns.take(patient, async () => 'next');
    held.reject(new Error('failed'));
    expect(await first.catch(({ message }: Error) => message)).to.equal('failed');
    expect(await next).to.equal('next');
  });
});
