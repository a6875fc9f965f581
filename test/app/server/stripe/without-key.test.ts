import { expect } from 'chai';
import { pricesAlone, secretAlone, warnWithoutKey } from '../../../../app/server/stripe/without-key.ts';
import { loggerTo } from '../../../../app/service/logger.ts';
import type { PriceMap } from '../../../../core/billing/price-map.port.ts';
import { aCall } from '../../../support/builders.ts';
import { failing, InjectedFault } from '../../../support/failing.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { aMapping } from '../../../support/stripe/states.ts';
import { thrownBy } from '../../../support/thrown.ts';

const stripeWebhookSecret = ['whsec_1'];

describe('the warnings of a server without a key of Stripe', () => {
  const store = freshStore(memory.open);
  let prices: PriceMap;
  let logged: { readonly level: string; readonly message: string }[];
  const log = loggerTo({ write: (line) => logged.push(JSON.parse(line)) });
  beforeEach(async () => {
    logged = [];
    prices = store().priceMap;
  });

  for (const [what, isMapped, settings, expected] of [
    ['nothing of Stripe', false, { stripeApiKey: null, stripeWebhookSecret: null }, []],
    ['mapped prices', true, { stripeApiKey: null, stripeWebhookSecret: null }, [pricesAlone]],
    ['a signing secret', false, { stripeApiKey: null, stripeWebhookSecret }, [secretAlone]],
    ['both', true, { stripeApiKey: null, stripeWebhookSecret }, [pricesAlone, secretAlone]],
    ['both and a key', true, { stripeApiKey: 'rk_test_1', stripeWebhookSecret }, []],
  ] as const) {
    it(`are given once, with ${what}`, async () => {
      if (isMapped) await prices.put(aMapping(), aCall());
      const warn = warnWithoutKey(log, prices, settings);
      await warn(aCall);
      await warn(aCall);
      expect(logged.map(({ level, message }) => [level, message])).to.deep.equal(
        expected.map((message) => ['warn', message]),
      );
    });
  }

  it('are given as soon as the store answers', async () => {
    await prices.put(aMapping(), aCall());
    const failingOnce = failing(prices, { method: 'page', nth: 1, when: 'before' });
    const warn = warnWithoutKey(log, failingOnce, { stripeApiKey: null, stripeWebhookSecret: null });
    expect(await thrownBy(warn(aCall))).to.be.instanceOf(InjectedFault);
    await warn(aCall);
    expect(logged.map(({ message }) => message)).to.deep.equal([pricesAlone]);
  });
});
