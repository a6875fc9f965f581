import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { createStripe } from '../../../../adapters/stripe/client/create-stripe.ts';
import { inspect } from '../../../../adapters/stripe/commands/inspect.ts';
import { aOneTimeGrant, day } from '../../../support/builders.ts';
import { freshStore, memory, type OpenedStore } from '../../../support/stores/stores.ts';
import { LookedAtShop } from '../../../support/stripe/looked-at-shop.ts';

// The data of Stripe alone decides, so the memory store is enough.
describe('a sale of several products', () => {
  const store = freshStore(memory.open);
  let ports: OpenedStore;
  let at: LookedAtShop;

  beforeEach(async () => {
    ports = store();
    at = await LookedAtShop.open(ports);
    at.shop.addPrice({ id: 'price_beat' });
    at.shop.addPrice({ id: 'price_song', interval: null });
    at.shop.addPrice({ id: 'price_shipping', interval: null });
    await at.map('price_beat', 'beat', 'metronome');
    await at.map('price_song', 'song', 'metronome');
  });
  afterEach(() => at.shop.stop());

  const cases = async (id: string): Promise<object> =>
    Object.fromEntries((await ports.stripeCases.find(id, at.call())).map(({ kind, detail }) => [kind, detail]));
  const warnings = (): readonly object[] => at.reports.filter(({ kind }) => kind === 'several products');

  async function difference(id: string): Promise<string | null> {
    const { administration } = at;
    const stripe = await createStripe({ apiKey: at.shop.apiKey, apiBase: at.shop.url });
    const { affiliates, priceMap: prices, promotions, sales, stripeCases } = ports;
    const parts = {
      stripe,
      administration,
      prices,
      affiliates,
      promotions,
      sales,
      digest,
      cases: stripeCases,
      readPending,
      readEffect: readPending,
      unpaidAccess: 21 * day,
    };
    return (await inspect(parts, id, at.call())).kind;
  }

  async function grantBeat(reference: string): Promise<void> {
    const grant = aOneTimeGrant({ productId: 'metronome', tierId: 'beat', tierName: 'BEAT', reference });
    await at.administration.grantEntitlement({ grant, id: null, licenseKey: null }, at.call());
  }

  it('grants the first of a subscription, and the other is a case, a warning and a difference until it is granted', async () => {
    const { subscription: id, session } = await at.shop.subscribe({ price: ['price_pro', 'price_beat'] });
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ productId: 'sketchpad', status: 'active' });
    expect(await cases(id)).to.deep.equal({ several_products: 'price_beat' });
    expect(warnings()).to.deep.equal([{ kind: 'several products', id, prices: ['price_beat'] }]);
    expect(await difference(id)).to.equal('several_products');
    await grantBeat(session ?? '');
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({});
    expect(warnings()).to.have.length(1);
    expect(await difference(id)).to.equal(null);
  });

  it('grants the first of a checkout, which the log names without its session', async () => {
    const id = await at.purchase({ price: ['price_shipping', 'price_once', 'price_song'] });
    expect(await at.show(id)).to.include({ productId: 'sketchpad', status: 'active' });
    expect(await cases(id)).to.deep.equal({ several_products: 'price_song' });
    expect(warnings()).to.deep.equal([{ kind: 'several products', id: null, prices: ['price_song'] }]);
    await grantBeat(id);
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({});
  });

  it('needs nobody for a subscription that is granted with its id as the reference', async () => {
    const id = await at.subscribe({ price: ['price_pro', 'price_beat'], checkout: false });
    await grantBeat(id);
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({});
  });

  it('is found where the list of a checkout goes on, and after a later mapping', async () => {
    const others = Array.from({ length: 12 }, () => at.shop.addPrice({ interval: null }));
    const id = await at.purchase({ price: ['price_once', ...others] });
    expect(await cases(id)).to.deep.equal({});
    await at.map(others[11] ?? '', 'song', 'metronome');
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({ several_products: others[11] });
  });

  it('needs nobody any more when it has ended, was refunded, or was never paid', async () => {
    const id = await at.subscribe({ price: ['price_pro', 'price_beat'] });
    await at.shop.end(id);
    const bought = await at.purchase({ price: ['price_once', 'price_song'] });
    await at.shop.refund(bought);
    const waiting = await at.purchase({ price: ['price_once', 'price_song'], payment: 'delayed' });
    for (const sale of [id, bought, waiting]) {
      await at.lookAt(sale);
      expect(await cases(sale)).to.deep.equal({});
    }
  });

  it('keeps its product, whichever price is mapped first', async () => {
    const id = await at.subscribe({ price: ['price_beat', 'price_unmapped'] });
    expect(await at.show(id)).to.include({ productId: 'metronome', tierId: 'beat' });
    await at.map('price_unmapped', 'pro');
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({ several_products: 'price_unmapped' });
    const other = await at.subscribe({ price: ['price_pro', 'price_beat'] });
    await at.shop.changePrice(other, 'price_unmapped');
    await at.map('price_unmapped', 'beat', 'metronome');
    await at.map('price_beat', 'pro');
    await at.lookAt(other);
    expect(await at.show(other)).to.include({ productId: 'sketchpad', tierId: 'pro' });
    expect(await cases(other)).to.deep.equal({ several_products: 'price_unmapped' });
  });

  it('is none where the only price of a purchase is mapped to another product later', async () => {
    const id = await at.purchase();
    await at.map('price_once', 'song', 'metronome');
    await at.lookAt(id);
    expect(await cases(id)).to.deep.equal({});
  });

  it('adds up the devices of one product, of a subscription and a checkout', async () => {
    await at.map('price_pro', 'pro', 'sketchpad', 3);
    at.shop.addPrice({ id: 'price_seats' });
    await at.map('price_seats', 'pro', 'sketchpad', 1);
    const id = await at.subscribe({ price: ['price_pro', 'price_unmapped', 'price_seats'], quantity: 5 });
    expect(await at.show(id)).to.include({ deviceLimit: 20 });
    expect(await cases(id)).to.deep.equal({});
    await at.map('price_once', 'once', 'sketchpad', 2);
    await at.map('price_song', 'once', 'sketchpad');
    expect(await at.show(await at.purchase({ price: ['price_song', 'price_once', 'price_once'] }))).to.include({
      deviceLimit: 4,
    });
    await at.map('price_seats', 'pro', 'sketchpad', 9999);
    await at.lookAt(id);
    expect(await at.show(id)).to.include({ deviceLimit: 10_000 });
  });
});

async function readPending(): Promise<null> {
  return null;
}
