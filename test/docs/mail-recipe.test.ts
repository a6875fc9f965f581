import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { fakeStripe, type FakeStripe } from '../../testing/index.ts';
import { TestService } from '../support/http/test-service.ts';
import { memory } from '../support/stores/stores.ts';
import { openShop, sellAtStripe } from '../support/stripe/stripe-sales.ts';

interface Recipe {
  readonly keyOf: (sessionId: string, service: string) => Promise<string | null>;
}

/** The program of the document for sellers without mail settings. */
async function recipe(): Promise<Recipe> {
  const text = await readFile(new URL('../../docs/buyers.md', import.meta.url), 'utf8');
  const [, program = ''] = /### Without mail settings[^]*?```js\n([^]*?)```/.exec(text) ?? [];
  return (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as Recipe;
}

describe('the recipe for sellers without mail settings', () => {
  let shop: FakeStripe;
  let service: TestService;

  beforeEach(async () => {
    shop = await fakeStripe();
    const settings = { stripeApiKey: shop.apiKey, stripeApiBase: shop.url };
    service = await TestService.at(await memory.address(), settings, sellAtStripe);
    openShop(shop, service);
  });
  afterEach(async () => {
    await service.stop();
    await shop.stop();
  });

  it('finds the key of a session that is paid, and none of one that is not', async () => {
    const { keyOf } = await recipe();
    const paid = await shop.purchase({ price: 'price_once' });
    const key = await keyOf(paid, service.url);
    expect(key).to.match(/^LK(-[0-9A-Z]{5}){6}$/);
    expect(await keyOf(paid, service.url)).to.equal(key);
    expect(await keyOf(await shop.purchase({ price: 'price_once', payment: 'delayed' }), service.url)).to.equal(null);
  });

  it('throws for a session that nobody knows', async () => {
    const { keyOf } = await recipe();
    let message = '';
    await keyOf('cs_test_unknown', service.url).catch((error: unknown) => (message = String(error)));
    expect(message).to.include('404');
  });
});
