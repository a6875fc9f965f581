import type { NewCall } from '../call.ts';
import type { Finding } from '../maintenance/maintenance.port.ts';
import { everyProduct } from '../product/list-products.ts';
import type { PublicPartOf } from '../receipt/signing-key.ts';
import type { Digest } from '../secret.ts';
import type { StorePorts } from '../store/store.port.ts';
import { checkPromotions, checkSellers, checkStorefronts } from './check-affiliates.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkDevices } from './check-devices.ts';
import { checkProduct } from './check-product.ts';
import { checkSigningKeys } from './check-signing-keys.ts';
import { checkStatements } from './check-statements.ts';
import { EventFaults, EventIds } from './event-faults.ts';

/**
 * Checks the store as `Maintenance.check` does, then every event, the state of every delivery and the signing keys,
 * each slice with a call of its own. Requests and deliveries may go on meanwhile. A fault of the store is a finding.
 */
export type CheckStore = (newCall: NewCall) => Promise<readonly Finding[]>;

type Ports = Pick<
  StorePorts,
  | 'affiliates'
  | 'allEntitlements'
  | 'allListings'
  | 'deliveryStreams'
  | 'devices'
  | 'events'
  | 'maintenance'
  | 'products'
  | 'promotions'
  | 'signingKeys'
  | 'sales'
  | 'statements'
  | 'tiers'
  | 'webhookEndpoints'
>;

/** The maximum time that an event may wait for its position, in milliseconds. A serving process moves it within a second. */
const maxWait = 60_000;

export function checkStore(ports: Ports, digest: Digest, publicPartOf: PublicPartOf): CheckStore {
  return async (newCall) => [
    ...(await ports.maintenance.check(newCall())),
    ...(await checkEvents(ports, newCall)),
    ...(await checkSeats(ports, newCall)),
    ...(await checkSelling(ports, newCall)),
    ...(await checkWebhooks(ports, newCall)),
    ...(await checkKeys(ports, digest, publicPartOf, newCall)),
  ];
}

async function checkEvents(ports: Ports, newCall: NewCall): Promise<readonly Finding[]> {
  const { products } = ports;
  const faults = new EventFaults('events');
  const parts = { ...ports, faults, ids: new EventIds() };
  let count = 0;
  await reading(faults, 'The events', async () => {
    for await (const { id } of everyProduct(products)(newCall)) {
      await reading(faults, `The events of product ${id}`, async () => {
        count += await checkProduct(parts, id, newCall);
      });
    }
    await checkWaiting(ports, faults, newCall);
  });
  return faults.findings(`All ${count} events are complete and in order.`);
}

async function checkWaiting({ maintenance }: Ports, faults: EventFaults, newCall: NewCall): Promise<void> {
  const call = newCall();
  const oldest = await maintenance.oldestWaitingEvent(call);
  if (oldest === null || call.now.getTime() - oldest.getTime() <= maxWait) return;
  const since = oldest.toISOString();
  faults.add(
    `Events have been waiting for their positions since ${since}: start a server, which moves them to the feed.`,
  );
}

async function checkWebhooks(ports: Ports, newCall: NewCall): Promise<readonly Finding[]> {
  const faults = new EventFaults('webhooks');
  await reading(faults, 'The deliveries', () => checkDeliveries(ports, faults, newCall));
  return faults.findings('The deliveries to every webhook endpoint are within the events that are kept.');
}

async function checkSeats(ports: Ports, newCall: NewCall): Promise<readonly Finding[]> {
  const faults = new EventFaults('devices');
  let count = 0;
  await reading(faults, 'The devices', async () => {
    count = await checkDevices(ports, faults, newCall);
  });
  return faults.findings(`All ${count} devices are counted in their entitlements.`);
}

async function checkSelling(ports: Ports, newCall: NewCall): Promise<readonly Finding[]> {
  const sellers = new EventFaults('affiliates');
  const counts = new EventFaults('storefronts');
  await reading(sellers, 'The promotions', () => checkPromotions(ports, sellers, newCall));
  await reading(sellers, 'The sales', () => checkSellers(ports, sellers, newCall));
  const stated = new EventFaults('statements');
  let count = 0;
  await reading(stated, 'The statements', async () => {
    count = await checkStatements(ports, stated, newCall);
  });
  await reading(counts, 'The storefronts', () => checkStorefronts(ports, counts, newCall));
  return [
    ...sellers.findings(
      'Each promotion that goes on is of an affiliate who has not ended, and each sale of a promotion.',
    ),
    ...counts.findings('Each listing counts the storefronts that it has.'),
    ...stated.findings(`All ${count} statements add up, and each sale says what they say of it.`),
  ];
}

async function checkKeys(
  { signingKeys }: Ports,
  digest: Digest,
  publicPartOf: PublicPartOf,
  newCall: NewCall,
): Promise<readonly Finding[]> {
  const faults = new EventFaults('signing-keys');
  let count = 0;
  await reading(faults, 'The signing keys', async () => {
    count = await checkSigningKeys(signingKeys, digest, publicPartOf, faults, newCall);
  });
  return faults.findings(
    count === 0
      ? 'There are no signing keys yet: a server makes them at its start.'
      : `All ${count} signing keys are whole.`,
  );
}

/** Runs work that reads the store. A failure is a fault, without its cause, because the cause can quote stored data. */
async function reading(faults: EventFaults, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    faults.add(`${what} could not be read.`);
  }
}
