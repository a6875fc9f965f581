// Makes events for the handler of the notifications of Paddle Billing.
import { event, isSame, read, setting, sign, tierOf } from './vendor.mjs';

const [secret, key] = [setting('PADDLE_SECRET'), setting('PADDLE_KEY')];
const api = setting('PADDLE_API', 'https://api.paddle.com');
const notTaken = ['pending_approval', 'rejected', 'reversed']; // statuses of adjustments that take no money
const harmless = ['part', 'credit', 'credit_reverse', 'chargeback_reverse', 'chargeback_warning_reverse'];

export async function eventsOf({ headers, body }) {
  const parts = (headers['paddle-signature'] ?? '').split(';').map((part) => part.split('='));
  const valuesOf = (name) => parts.filter(([first]) => first === name).map(([, value]) => value ?? '');
  const [time] = valuesOf('ts');
  const isRecent = Math.abs(Date.now() / 1000 - time) < 60;
  const expected = sign(`${time}:${body}`, secret);
  if (!isRecent || !valuesOf('h1').some((signature) => isSame(signature, expected))) return null;
  const { event_type: type, data } = JSON.parse(body);
  if (type.startsWith('subscription.')) return ofSubscription(type, data.id);
  if (type === 'transaction.completed') return ofSale(data.id, true);
  return type.startsWith('adjustment.') ? ofSale(data.transaction_id, false, data.action) : [];
}

const namesOf = ({ items }) => items.flatMap(({ price }) => [price.id, price.product_id]);

async function ofSubscription(type, subscriptionId) {
  const { data: state } = await read(`${api}/subscriptions/${subscriptionId}`, key);
  const tier = tierOf(...namesOf(state));
  if (!tier) return [];
  const { productId, ...terms } = tier;
  const { interval: billingInterval, frequency: billingIntervalCount } = state.billing_cycle;
  const id = `paddle_${subscriptionId}`;
  const currentPeriodEnd = state.current_billing_period?.ends_at ?? undefined;
  const updated = event('updated', { ...terms, id, billingInterval, billingIntervalCount, currentPeriodEnd });
  const cancellation = event(state.scheduled_change?.action === 'cancel' ? 'canceled' : 'resumed', { id });
  const paid = event('paid', { id, currentPeriodEnd, grace: tier.grace });
  const isEnding = cancellation.type === 'canceled'; // a period cannot be renewed once its cancellation is scheduled
  const around = (...events) => (isEnding ? [...events, cancellation] : [cancellation, ...events]);
  const changes = {
    trialing: around(updated),
    active: [...around(paid, updated), ...(type === 'subscription.resumed' ? [event('reinstated', { id })] : [])],
    past_due: [event('payment_failed', { id })],
    canceled: [event('deleted', { id })],
  }[state.status] ?? [event('suspended', { id })]; // paused, and what Paddle may add
  if (type !== 'subscription.created') return changes;
  if (state.status === 'canceled') return [];
  const { email } = (await read(`${api}/customers/${state.customer_id}`, key)).data;
  const status = ['trialing', 'past_due'].find((standing) => standing === state.status);
  return [event('created', { ...updated.subscription, productId, email, status }), ...changes];
}

const isPart = ({ action, type }) => action === 'refund' && ['partial', 'tax', 'proration'].includes(type);

async function ofSale(saleId, isNew, action) {
  const { data: sale } = await read(`${api}/transactions/${saleId}?include=customer,adjustments`, key);
  const tier = tierOf(...namesOf(sale));
  if (!tier) return [];
  const id = `paddle_${sale.subscription_id ?? saleId}`;
  const taken = (sale.adjustments ?? []).filter(({ status }) => !notTaken.includes(status));
  const fates = taken.map((adjustment) => (isPart(adjustment) ? 'part' : adjustment.action));
  const isTaken = fates.some((fate) => !harmless.includes(fate));
  if (isNew) {
    const isPaid = ['paid', 'completed'].includes(sale.status) && !sale.subscription_id && !isTaken;
    const terms = { ...tier, billingInterval: 'one_time', grace: undefined }; // a purchase has no grace
    return isPaid ? [event('created', { ...terms, id, email: sale.customer.email })] : [];
  }
  if (isTaken) return [event(fates.includes('refund') && !sale.subscription_id ? 'deleted' : 'suspended', { id })];
  return action.startsWith('chargeback') && action.endsWith('_reverse') ? [event('reinstated', { id })] : [];
}
