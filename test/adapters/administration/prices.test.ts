import { expect } from 'chai';
import { aCall } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

const sold = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' };
const mapped = { command: 'stripe map add' };

atEachDoor('the commands about prices of Stripe', (door) => {
  const add = (price: string, more: object = {}) => door().run('stripe map add', { price, ...sold, ...more });

  beforeEach(() => door().administration.addProduct('prod_1', 'Sketchpad', aCall()));

  it('map a price, replace it, list it and remove it, and log each change once', async () => {
    const mapping = { price: 'price_1', ...sold, deviceLimit: null, updates: null };
    const decided = { deviceLimit: 3, updates: '365d' };
    expect(await add('price_2', decided)).to.deep.equal({ ...mapping, price: 'price_2', ...decided });
    expect(await add('price_1')).to.deep.equal(mapping);
    const replaced = { ...mapping, tierName: 'Professional' };
    for (const _ of ['once', 'twice']) {
      expect(await add('price_1', { tierName: 'Professional' })).to.deep.equal(replaced);
    }
    for (const _ of ['once', 'twice']) await door().run('stripe map remove', { price: 'price_2' });
    expect(await door().run('stripe map list')).to.deep.equal([replaced]);
    expect(door().changes()).to.deep.equal([
      { ...mapped, price: 'price_2' },
      { ...mapped, price: 'price_1' },
      { ...mapped, price: 'price_1' },
      { command: 'stripe map remove', price: 'price_2' },
    ]);
  });

  it('take a tier that is not declared where others are, and warn of it', async () => {
    await door().administration.putTier(
      { productId: 'prod_1', id: 'solo' },
      { deviceLimit: null, trial: null, features: {} },
      aCall(),
    );
    await add('price_1');
    await add('price_2', { tierId: 'solo' });
    expect(door().changes()).to.deep.equal([
      { ...mapped, price: 'price_1', warning: 'tier_not_declared' },
      { ...mapped, price: 'price_2' },
    ]);
  });

  it('sell only products that exist', async () => {
    const other = { price: 'price_1', ...sold, productId: 'prod_2' };
    expect(await door().refusal('stripe map add', other)).to.equal('product_not_found');
  });
});
