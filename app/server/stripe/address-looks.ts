import type { Logger } from 'pino';
import { LocalLimitCounts } from '../../../adapters/http/limits/limit-counts.ts';
import { refuse } from '../../../adapters/http/refusals.ts';
import { stripeReports } from '../../../adapters/metrics/reports.ts';
import { deadlineIn, type Call } from '../../../core/call.ts';
import type { BuyerAddresses } from '../../../core/mail/buyer-addresses.port.ts';
import { maxAddressLook, type AddressLooks } from '../../../core/purchase/find-by-address.ts';
import { Turns } from './turns.ts';

/** Addresses that an operator key may look for in a minute: a session that is lost must not empty the list of customers. */
const maxAddresses = 30;

/** Looks of a process at the same time. Each is about ten requests at Stripe. */
const maxLooks = 2;

/** Looks for addresses at Stripe for the operators of a process. No line of the log has the text that was typed. */
export function addressLooks({ salesTo }: Pick<BuyerAddresses, 'salesTo'>, log: Logger): AddressLooks {
  const counts = new LocalLimitCounts({ addresses: maxAddresses });
  const turns = new Turns(maxLooks);
  // Who has looked for a buyer is logged at every LOG_LEVEL, as changes are.
  const lines = log.child({}, { level: 'info' });
  return {
    salesTo: async (typed, asked) => {
      const wait = await counts.request('addresses', asked.by);
      if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(asked.now.getTime() + wait) });
      const call: Call = { ...asked, deadline: deadlineIn(maxAddressLook, () => performance.now()) };
      const found = await turns.take(call.deadline, () => salesTo(typed, call));
      return found ?? { kind: 'failed', code: 'no turn', retryAfter: null, sales: [] };
    },
    report: ({ found, failure }, { by, correlationId }) => {
      const outcome = failure !== null ? 'failed' : found > 0 ? 'found' : 'none';
      stripeReports.send({ kind: 'address look', outcome });
      lines.info({ found, ...(failure !== null && { code: failure }), by, correlationId }, 'found by address');
    },
  };
}
