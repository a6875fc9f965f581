import { expect } from 'chai';
import { range } from '../../support/range.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';
import { OutShop } from '../../support/stripe/out-shop.ts';

/** So fast that a second between two writes of a stream is not waited for. */
const speed = 20;

describe('cancellations that Stripe does not take', () => {
  let out: OutShop;
  freshShop(OutShop, (opened) => (out = opened));
  beforeEach(async () => {
    await out.start(speed);
  });

  it('keep their schedule and are parked, however many fail, and are sent by stripe reconcile --fix', async () => {
    const ids: string[] = [];
    for (const _ of range(6)) ids.push(await out.at.subscribe());
    out.at.shop.expireKey();
    for (const id of ids) await out.ask(id, 'cancel');
    for (const attempt of range(10).slice(1)) {
      for (const id of ids) await out.fails(id, attempt);
      const { pending } = (await out.stream()) ?? {};
      out.at.now = new Date(Math.max(...ids.map((id) => pending?.get(id)?.at?.getTime() ?? 0)));
    }
    for (const id of ids) await out.fails(id, 10);
    expect(await Promise.all(ids.map((id) => out.isParked(id)))).to.deep.equal(ids.map(() => true));
    const errors = out.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(errors).to.deep.equal([
      'Stripe takes no changes; it is tried again later',
      ...ids.map(() => 'a change was not sent to Stripe: run stripe reconcile --fix'),
    ]);
    out.at.shop.restoreKey();
    expect(await out.reconcile()).to.deep.equal({ compared: 6, fixed: 6, differences: [] });
    await out.settle();
  });
});
