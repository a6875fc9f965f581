import { Container } from 'inversify';
import { CatalogIndex } from '../../adapters/catalog-index/catalog-index.ts';
import { weakEtag } from '../../adapters/http/etag.ts';
import { catalogRenderer } from '../../adapters/http/operations/listing-views.ts';
import type { Platform } from '../../core/administration/use-cases/platform.ts';
import { ClockTrust } from '../../core/clock/clock-trust.ts';
import type { Devices } from '../../core/device/devices.port.ts';
import { deactivateDevice, listLicenseDevices, releaseSeat } from '../../core/device/license-devices.ts';
import { defaultSeats, type SeatSettings } from '../../core/device/seats.ts';
import { takeSeat, type SeatParts } from '../../core/device/take-seat.ts';
import { recordClockEvents } from '../../core/entitlement/event/record-clock-events.ts';
import { verifyLicense } from '../../core/entitlement/license/verify-license.ts';
import { changeCancellation } from '../../core/entitlement/merchant/change-cancellation.ts';
import { readEntitlement } from '../../core/entitlement/merchant/read-entitlement.ts';
import { FeedFollower, type FollowerParts } from '../../core/feed/feed-follower.ts';
import { pruneEvents } from '../../core/feed/prune-events.ts';
import { awaitFeed, readFeed } from '../../core/feed/read-feed.ts';
import { appKeyKind } from '../../core/key/app/app-key.ts';
import { authenticateKey, authorizeKey } from '../../core/key/check-key.ts';
import { operatorKeyKind } from '../../core/key/operator/operator-key.ts';
import { defaultConsoleIdle } from '../../core/operator-session/operator-session.ts';
import { findOperatorSession, signIn, signOut } from '../../core/operator-session/operator-sessions.ts';
import { activateDevice } from '../../core/receipt/activate-device.ts';
import { issueReceipt, signReceipt } from '../../core/receipt/issue-receipt.ts';
import { KeptSigningKeys } from '../../core/receipt/kept-signing-keys.ts';
import { readPublishedKeys } from '../../core/receipt/list-signing-keys.ts';
import { makeSigningKeys } from '../../core/receipt/make-signing-keys.ts';
import { defaultReceiptTtl, writeReceipt } from '../../core/receipt/receipt.ts';
import { newSigningKey } from '../../core/receipt/signing-key.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import { KeptTiers } from '../../core/tier/kept-tiers.ts';
import { convertTrial } from '../../core/trial/convert-trial.ts';
import { startTrial } from '../../core/trial/start-trial.ts';
import { joinWaitlist } from '../../core/waitlist/waitlist-entries.ts';
import { readDeliveryBacklog } from '../../core/webhook/delivery-backlog.ts';
import { nodePlatform } from './platform.ts';
import { newCall } from './process.ts';
import { portTokens, tokens as t } from './tokens.ts';

/** The ports of the store that a container was built over, as everything in it sees them. */
export function portsIn(container: Container): StorePorts {
  const ports = Object.entries(portTokens).map(([name, token]) => [name, container.get<unknown>(token)]);
  return Object.fromEntries(ports) as StorePorts;
}

/** The settings of the use cases behind HTTP. */
export interface ContainerSettings {
  /** Milliseconds for which an online receipt holds at most. */
  readonly receiptTtl: number;
  /** Milliseconds without use after which a session of the console ends. */
  readonly consoleIdle: number;
  /** Milliseconds before an end of access at which its event is due; 0 for none. */
  readonly endingSoon: number;
  /** Milliseconds without use after which a device makes room for another. */
  readonly deviceIdle: number;
  /** The number of times in 30 days that apps may release each seat. */
  readonly deviceReleases: number;
  readonly receipts: 'on' | 'off';
}

/** Builds the use cases behind HTTP over the ports of an open store, each once. */
export function createContainer(
  ports: StorePorts,
  settings: Partial<ContainerSettings> = {},
  platform = nodePlatform,
): Container {
  const { receiptTtl = defaultReceiptTtl, consoleIdle = defaultConsoleIdle, endingSoon = 0 } = settings;
  const container = new Container({ defaultScope: 'Singleton' });
  const names = Object.keys(portTokens) as readonly (keyof StorePorts)[];
  for (const name of names) container.bind<StorePorts[typeof name]>(portTokens[name]).toConstantValue(ports[name]);
  container.bind(t.platform).toConstantValue(platform);
  const { crc32, digest, newEventId } = platform;
  container
    .bind(t.authenticate)
    .toResolvedValue((appKeys) => authenticateKey(appKeyKind, appKeys, digest, crc32), [t.appKeys]);
  container.bind(t.authorize).toResolvedValue((keys) => authorizeKey(keys), [t.appKeys]);
  container
    .bind(t.authenticateOperator)
    .toResolvedValue((keys) => authenticateKey(operatorKeyKind, keys, digest, crc32), [t.operatorKeys]);
  container.bind(t.authorizeOperator).toResolvedValue((keys) => authorizeKey(keys), [t.operatorKeys]);
  container
    .bind(t.catalogIndex)
    .toResolvedValue((listings) => new CatalogIndex(listings, catalogRenderer, weakEtag), [t.listings]);
  container
    .bind(t.changeCancellation)
    .toResolvedValue(
      (entitlements, records, { known: knownTiers }) =>
        changeCancellation(entitlements, records, newEventId, endingSoon, { knownTiers }),
      [t.entitlements, t.idempotencyRecords, t.keptTiers],
    );
  container
    .bind(t.deliveryBacklog)
    .toResolvedValue(
      (endpoints, streams, events) => readDeliveryBacklog({ endpoints, streams, events }),
      [t.webhookEndpoints, t.deliveryStreams, t.events],
    );
  container.bind(t.joinWaitlist).toResolvedValue(joinWaitlist, [t.waitlist]);
  container.bind(t.pruneEvents).toResolvedValue(pruneEvents, [t.events, t.products]);
  container.bind(t.keptTiers).toResolvedValue((tiers) => new KeptTiers(tiers, () => performance.now()), [t.tiers]);
  container
    .bind(t.readEntitlement)
    .toResolvedValue(
      (entitlements, { known }) => readEntitlement(entitlements, { knownTiers: known }),
      [t.entitlements, t.keptTiers],
    );
  container.bind(t.readFeed).toResolvedValue(readFeed, [t.events]);
  container.bind(t.feedFollower).toResolvedValue((events) => new FeedFollower(followerParts(events)), [t.events]);
  container.bind(t.awaitFeed).toResolvedValue(awaitFeed, [t.readFeed, t.feedFollower]);
  container
    .bind(t.recordClockEvents)
    .toResolvedValue((due) => recordClockEvents(due, newEventId, endingSoon), [t.dueEntitlements]);
  bindReceipts(container, platform, receiptTtl);
  bindDevices(container, platform, settings);
  bindSessions(container, platform, consoleIdle);
  container.bind(t.verifyLicense).toResolvedValue((licenses) => verifyLicense(licenses, digest), [t.licenses]);
  return container;
}

/** The maximum number of requests that a process holds at once. Each has a connection of its own. */
const maxHeld = 1000;
const maxHeldOfProduct = 250;

/** Milliseconds that one look for new events may take. */
const lookDeadline = 1000;

/** The parts by which a process follows the feed. */
export function followerParts(events: FollowerParts['events']): FollowerParts {
  return {
    events,
    clock: () => performance.now(),
    newCall: () => newCall(new Date(), lookDeadline, 'clock'),
    setTimer: (milliseconds, action) => void setTimeout(action, milliseconds).unref(),
    maxHeld,
    maxHeldOfProduct,
  };
}

function bindSessions(container: Container, { digest, newSessionToken }: Platform, idle: number): void {
  container
    .bind(t.signIn)
    .toResolvedValue(
      (sessions, authenticate) => signIn(sessions, authenticate, newSessionToken, digest),
      [t.operatorSessions, t.authenticateOperator],
    );
  container
    .bind(t.findOperatorSession)
    .toResolvedValue(
      (sessions, keys) => findOperatorSession(sessions, keys, digest, idle),
      [t.operatorSessions, t.allOperatorKeys],
    );
  container.bind(t.signOut).toResolvedValue((sessions) => signOut(sessions, digest), [t.operatorSessions]);
}

function bindDevices(container: Container, platform: Platform, settings: Partial<ContainerSettings>): void {
  const { digest, newEventId } = platform;
  const { endingSoon = 0, receipts = 'on' } = settings;
  const seats = seatsIn(settings);
  const partsOf = (devices: Devices, { trusts: trustsClock }: ClockTrust, { known }: KeptTiers): SeatParts => ({
    knownTiers: known,
    devices,
    digest,
    trustsClock,
    newEventId,
    settings: seats,
    endingSoon,
  });
  container.bind(t.activateDevice).toResolvedValue(
    (licenses, devices, trust, tiers, sign, convert) => {
      const parts = partsOf(devices, trust, tiers);
      return activateDevice(licenses, digest, takeSeat(parts), receipts === 'on' ? sign : null, convert);
    },
    [t.licenses, t.devices, t.clockTrust, t.keptTiers, t.signReceipt, t.convertTrial],
  );
  container
    .bind(t.deactivateDevice)
    .toResolvedValue(
      (licenses, devices, trust, tiers) => deactivateDevice(licenses, partsOf(devices, trust, tiers)),
      [t.licenses, t.devices, t.clockTrust, t.keptTiers],
    );
  container
    .bind(t.releaseSeat)
    .toResolvedValue(
      (devices, trust, tiers) => releaseSeat(partsOf(devices, trust, tiers)),
      [t.devices, t.clockTrust, t.keptTiers],
    );
  container
    .bind(t.listLicenseDevices)
    .toResolvedValue(
      (licenses, devices, { known }) => listLicenseDevices(licenses, { devices, digest, knownTiers: known }),
      [t.licenses, t.devices, t.keptTiers],
    );
}

/** The settings by which seats are released. */
export function seatsIn({
  deviceIdle = defaultSeats.idle,
  deviceReleases = defaultSeats.releases,
}: Partial<Pick<ContainerSettings, 'deviceIdle' | 'deviceReleases'>>): SeatSettings {
  return { idle: deviceIdle, releases: deviceReleases };
}

function bindReceipts(container: Container, platform: Platform, ttl: number): void {
  const { digest, encodeText, newKeyPair, newReceiptId, signText } = platform;
  const write = writeReceipt(newReceiptId, encodeText, signText);
  container.bind(t.clockTrust).toConstantValue(new ClockTrust());
  container
    .bind(t.keptSigningKeys)
    .toResolvedValue((keys) => new KeptSigningKeys(keys, () => performance.now()), [t.signingKeys]);
  container
    .bind(t.signReceipt)
    .toResolvedValue(
      (keys, { trusts }, { known }) => signReceipt({ keys, trustsClock: trusts, write, ttl, knownTiers: known }),
      [t.keptSigningKeys, t.clockTrust, t.keptTiers],
    );
  container
    .bind(t.issueReceipt)
    .toResolvedValue((licenses, sign) => issueReceipt(licenses, digest, sign), [t.licenses, t.signReceipt]);
  container
    .bind(t.makeSigningKeys)
    .toResolvedValue((keys) => makeSigningKeys(keys, newSigningKey(newKeyPair, digest)), [t.keptSigningKeys]);
  container.bind(t.convertTrial).toResolvedValue((trials) => convertTrial(trials, digest), [t.trials]);
  container
    .bind(t.startTrial)
    .toResolvedValue(
      (trials, keys, { trusts }, { known }) =>
        startTrial(trials, digest, { keys, trustsClock: trusts, write, ttl, knownTiers: known }),
      [t.trials, t.keptSigningKeys, t.clockTrust, t.keptTiers],
    );
  container.bind(t.readPublishedKeys).toResolvedValue(readPublishedKeys, [t.keptSigningKeys]);
}
