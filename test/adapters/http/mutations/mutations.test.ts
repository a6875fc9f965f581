import { expect } from 'chai';
import { heapInUse } from '../../../support/heap.ts';
import { licenseKeys } from '../../../support/http/fixtures.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { memory, stores, type StoreUnderTest } from '../../../support/stores/stores.ts';
import { corpus, mutantsOf } from './mutated-requests.ts';

/** The time for which mutated requests are sent to each store, in seconds. If it is 0, a fixed number is sent. */
const seconds = Number(process.env['MUTATION_SECONDS'] ?? 0);
const seed = Number(process.env['MUTATION_SEED'] ?? 20_260_718);
const round = 100;
const atOnce = 50;

const mutantsOn = ({ name }: StoreUnderTest): number =>
  name === memory.name ? rounds(5000, 20_000) : rounds(300, 2000);

for (const store of stores) {
  const mutated = seconds > 0 ? `mutated requests for ${seconds} s` : `${mutantsOn(store)} mutated requests`;

  describe(`the corpus and ${mutated} on ${store.name}`, function () {
    this.timeout(1_200_000 + seconds * 1000);
    const start = populatedServices();

    it('get an answer of ours or none at all, and leave nothing behind', async () => {
      const service = await start({}, store);
      const counts = new Map<number, number>();
      await sendAll(service, corpus, counts);
      const nextMutant = mutantsOf(seed);
      const progress = progressTo(mutantsOn(store));
      let sent = 0;
      let early = 0;
      for (; progress(sent) < 1; sent += round) {
        if (early === 0 && progress(sent) >= 1 / 5) early = heapInUse();
        await sendAll(service, Array.from({ length: round }, nextMutant), counts);
      }
      const growth = heapInUse() / early - 1;
      if (seconds > 0) console.log(summaryOf(store, { sent, growth }, counts));
      // In a longer run the store grows with the changes and sign-ups that it is sent.
      else if (store === memory) expect(growth, 'growth of the heap over the last four fifths').to.be.below(0.05);
      expect([counts.get(500), counts.get(503)], 'faults').to.deep.equal([undefined, undefined]);
      const { body } = await service.verify({ licenseKey: licenseKeys.active });
      expect(body, 'a license check afterwards').to.have.property('valid', true);
    });
  });
}

/** The share that is done: of the seconds that were asked for or, without them, of the number of requests. */
function progressTo(count: number): (sent: number) => number {
  const begin = performance.now();
  return (sent) => (seconds > 0 ? (performance.now() - begin) / 1000 / seconds : sent / count);
}

/** Sends the requests, fifty at once, and counts the statuses of the answers. */
async function sendAll(service: TestService, requests: readonly string[], counts: Map<number, number>): Promise<void> {
  const waiting = requests.values();
  const sendNext = async (): Promise<void> => {
    for (const bytes of waiting) {
      for (const status of await answersTo(service.url, bytes)) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  expect(service.faults).to.deep.equal([]);
  service.logged.length = 0;
}

/** Sends the bytes, ends, and expects that all that comes back was stamped by the service and that the connection ends. */
async function answersTo(url: string, bytes: string): Promise<readonly number[]> {
  const client = new RawClient(url);
  client.send(bytes);
  client.socket.end();
  const closed = await client.closed();
  const received = client.rest;
  client.socket.resetAndDestroy();
  expect(closed, `ends after ${JSON.stringify(bytes)}`).to.equal(true);
  const responses = [...received.matchAll(/(?<=^|[\n}])HTTP\/1\.1 (?!100 )(\d{3}) /g)];
  const stamps = received.match(/\r\nAPI-Version: 2026-07-18\r\n/g) ?? [];
  expect(stamps.length, `stamps after ${JSON.stringify(bytes)}`).to.equal(responses.length);
  if (bytes.trim() !== '') expect(responses.length, `answers to ${JSON.stringify(bytes)}`).to.be.above(0);
  return responses.map(([, status]) => Number(status));
}

/** One line for the report of a long run. */
function summaryOf(
  { name }: StoreUnderTest,
  { sent, growth }: { readonly sent: number; readonly growth: number },
  counts: ReadonlyMap<number, number>,
): string {
  const byStatus = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  const heap = `heap ${(growth * 100).toFixed(1)} %`;
  return `${name}: ${corpus.length} requests and ${sent} mutants of seed ${seed}; answers ${byStatus.join(', ')}; ${heap}`;
}
