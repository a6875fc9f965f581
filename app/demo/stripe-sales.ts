import type { PriceMapping } from '../../core/billing/price-map.port.ts';
import { day } from '../../core/parsing/duration.ts';
import type { FakeStripe } from '../../testing/stripe/fake-stripe.ts';
import { cleo, cleosCode } from './affiliate-history.ts';
import { unknownHost } from './outside/mailbox.ts';
import type { DemoShop } from './outside/outside.ts';

const offers = [
  { price: 'price_sketchpad_pro', slug: 'sketchpad', name: 'Sketchpad', label: 'Pro, $19 a month', interval: 'month' },
  { price: 'price_sketchpad_team', slug: 'sketchpad', name: 'Sketchpad', label: 'Team, $290 a year', interval: 'year' },
  { price: 'price_quiet_editor', slug: 'quiet-editor', name: 'Quiet Editor', label: '$39, once', interval: null },
  { price: 'price_metronome', slug: 'metronome', name: 'Metronome', label: '$49, once', interval: null },
] as const;

const amounts = {
  price_sketchpad_pro: 1900,
  price_sketchpad_team: 29_000,
  price_quiet_editor: 3900,
  price_metronome: 4900,
} as const;

/** A price that nobody has mapped yet. */
const unmappedPrice = 'price_sketchpad_studio';

const mapped = { deviceLimit: null, updates: null };

/** The tiers that the prices sell. */
export const priceMappings: readonly PriceMapping[] = [
  { ...mapped, price: 'price_sketchpad_pro', productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' },
  { ...mapped, price: 'price_sketchpad_team', productId: 'sketchpad', tierId: 'team', tierName: 'Team' },
  { ...mapped, price: 'price_quiet_editor', productId: 'quiet-editor', tierId: 'full', tierName: 'Full' },
  { ...mapped, price: 'price_metronome', productId: 'metronome', tierId: 'full', tierName: 'Full', updates: 365 * day },
];

/** Offers the products at Stripe. */
export function openShop(stripe: FakeStripe): DemoShop {
  for (const { price, interval } of offers) stripe.addPrice({ id: price, interval, amount: amounts[price] });
  stripe.addPrice({ id: unmappedPrice, interval: 'month', amount: 3900 });
  stripe.addPromotionCode({ code: cleosCode });
  return { stripe, offers };
}

/**
 * Has people buy, and some of them ask for their money back. Returns the checkout session of one whose key is shown.
 */
export async function sellAtStripe(stripe: FakeStripe): Promise<string> {
  const [pro, team, , metronome] = offers.map(({ price }) => price);
  const reference = `via_${cleo.handle}_sketchpad`;
  await subscribeBefore(stripe, { price: pro, reference, email: 'emil@example.com' });
  await stripe.subscribe({ price: team, email: 'farah@example.com', trialDays: 14 });
  const refunded = await stripe.subscribe({ price: pro, promotionCode: cleosCode, email: 'goro@example.com' });
  await stripe.refund(refunded.subscription);
  const disputed = await stripe.purchase({ price: metronome, email: 'hana@example.com' });
  await stripe.dispute(disputed);
  await stripe.purchase({ price: metronome, email: `ivo@${unknownHost}` });
  await stripe.subscribe({ price: unmappedPrice, email: 'june@example.com' });
  const { session } = await stripe.subscribe({ price: pro, reference, email: 'kim@example.com' });
  return session ?? '';
}

/** Has somebody subscribe 70 days ago and pay three times by now. */
async function subscribeBefore(stripe: FakeStripe, sale: Parameters<FakeStripe['subscribe']>[0]): Promise<void> {
  const startedAt = Date.now();
  const goBack = (days: number): void => stripe.follow({ now: () => new Date(startedAt - days * day) });
  stripe.pauseDeliveries();
  goBack(70);
  const { subscription } = await stripe.subscribe(sale);
  for (const days of [39, 9]) {
    goBack(days);
    await stripe.renew(subscription);
  }
  stripe.follow({ now: () => new Date() });
  stripe.resumeDeliveries();
  await stripe.deliver();
}
