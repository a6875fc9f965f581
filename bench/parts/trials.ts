import { nodePlatform } from '../../app/service/platform.ts';
import { newCall } from '../../app/service/process.ts';
import { openStore } from '../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { putTier } from '../../core/tier/manage-tiers.ts';
import { termsOf } from '../../core/tier/tier.ts';
import { productId, seedStore } from '../data/seed-store.ts';
import { sendSteadily } from '../load/steady.ts';
import { publicWorkloads, trialWorkload, type Workload } from '../load/workloads.ts';
import { medianOf, roundsOf } from '../measure/figures.ts';
import { measure } from '../measure/rounds.ts';
import { part } from '../report/part.ts';
import { ms, spread, table } from '../report/table.ts';

/** New trials a second: as many as a thousand addresses may start, 20 a minute each. */
const rate = 333;

const signUps = `beside ${rate} sign-ups a second`;
const flood = `beside ${rate} new trials a second`;

/** The aim: beside the flood, the median is at most this many times as long as beside sign-ups, the other write of strangers. */
const aim = 1.3;

/** One client that verifies licenses one after another, alone, beside sign-ups for the waitlist, and beside a flood of trials. */
export const trials = part({
  name: 'trials',
  about: 'milliseconds until the answer',
  async measure(site, { effort }) {
    const url = site.sqlite('trials');
    const data = await seedStore(url, 10_000);
    await offerTrial(url);
    const server = await site.latchkey(url, { flags: ['--trusted-proxies', 'loopback'] });
    const { verification: workload, waitlist } = publicWorkloads(data);
    const contender = { server, workload };
    const beside = (other: Workload): (() => Promise<() => void>) => {
      let number = 0;
      return () => sendSteadily(server.port, rate, () => other.request(number++));
    };
    const contenders = [
      { ...contender, name: 'alone' },
      { ...contender, name: signUps, beside: beside(waitlist) },
      { ...contender, name: flood, beside: beside(trialWorkload) },
    ];
    return { contenders: await measure(contenders, { ...effort, connections: 1 }) };
  },
  table: ({ contenders }) =>
    table(contenders, [
      ['one client', ({ name }) => name],
      ['p50', ({ rounds }) => ms(medianOf(rounds, 'p50'), 2)],
      [
        'p99',
        ({ rounds }) =>
          spread(
            rounds.map(({ p99 }) => p99),
            ' ms',
            2,
          ),
      ],
      [
        'times',
        ({ name, rounds }) =>
          name === flood ? (medianOf(rounds, 'p50') / medianOf(roundsOf(contenders, signUps), 'p50')).toFixed(2) : '',
      ],
      ['aim', ({ name }) => (name === flood ? `≤ ${aim}` : '')],
    ]),
  length: ({ rounds, seconds }) => `; ${rounds} rounds of ${seconds} s`,
});

async function offerTrial(url: string): Promise<void> {
  const call = newCall(new Date(), 60_000, 'command:bench');
  const store = await openStore(url, { create: false }, retentionFor(defaultTtl), call);
  const put = putTier(store.ports.tiers, store.ports.products, nodePlatform.newEventId);
  await put({ productId, id: 'pro' }, termsOf({ trial: 14 * 86_400_000 }), call);
  await store.close();
}
