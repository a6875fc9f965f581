import { makeLicenseSecret } from '../billing/derive-license-key.ts';
import { listCases } from '../billing/list-cases.ts';
import { everyPrice, listPrices, mapPrice, unmapPrice } from '../billing/map-prices.ts';
import { readStripes } from '../billing/sold-by-stripe.ts';
import { createLink, pruneBuyerLinks } from '../buyer/manage-links.ts';
import { createSupportLink } from '../buyer/support-link.ts';
import { pauseListing, publishListing } from '../catalog/administration/change-listing-state.ts';
import { dryRunOfListings, importListings } from '../catalog/administration/import-listings.ts';
import { everyListing, listCategories, listListings } from '../catalog/administration/list-listings.ts';
import { deleteListing, putListing, saveListing } from '../catalog/administration/put-listing.ts';
import { checkStore } from '../check/check-store.ts';
import { acceptClock, checkClock } from '../clock/check-clock.ts';
import { comparesClock, type TrustsClock } from '../clock/clock-trust.ts';
import { clearDevices, findDevice, listDevices, releaseDevice } from '../device/manage-devices.ts';
import { defaultSeats, type SeatSettings } from '../device/seats.ts';
import { takeSeat } from '../device/take-seat.ts';
import { alignEntitlement, runSeenCommand } from '../entitlement/administration/align-entitlement.ts';
import { applyDecision, applyToSeen, runEntitlementCommand } from '../entitlement/administration/apply-decision.ts';
import { grantEntitlement } from '../entitlement/administration/grant-entitlement.ts';
import { dryRunOfEntitlements, importEntitlements } from '../entitlement/administration/import-entitlements.ts';
import { everyEntitlement, listEntitlements } from '../entitlement/administration/list-entitlements.ts';
import { makeAddition } from '../entitlement/administration/make-addition.ts';
import { putEntitlement } from '../entitlement/administration/put-entitlement.ts';
import { showEntitlement, showHistory } from '../entitlement/administration/show-entitlement.ts';
import { addWithLicense } from '../entitlement/license/add-with-license.ts';
import { revokeLicense, rotateLicense } from '../entitlement/license/change-license.ts';
import { findByLicenseKey } from '../entitlement/license/find-by-license-key.ts';
import { moveLicense } from '../entitlement/license/move-license.ts';
import { findEvents } from '../feed/find-events.ts';
import { pruneEvents } from '../feed/prune-events.ts';
import { readFeed } from '../feed/read-feed.ts';
import { appKeyKind } from '../key/app/app-key.ts';
import { everyAppKey, issueAppKey, listAppKeys, rotateAppKey } from '../key/app/app-keys.ts';
import { revokeKey } from '../key/change-keys.ts';
import { newKey } from '../key/key-kind.ts';
import { operatorKeyKind } from '../key/operator/operator-key.ts';
import {
  everyOperatorKey,
  issueOperatorKey,
  listOperatorKeys,
  rotateOperatorKey,
} from '../key/operator/operator-keys.ts';
import { makeLicense } from '../license/license.ts';
import { mailLicense, testMail } from '../mail/mail-license.ts';
import type { LoadMail } from '../mail/mail.ts';
import { retryMails } from '../mail/retry-mails.ts';
import { skipMails } from '../mail/skip-mails.ts';
import { backUpStore, pruneStore } from '../maintenance/maintain-store.ts';
import { pruneOperatorSessions } from '../operator-session/operator-sessions.ts';
import { showOverview } from '../overview/show-overview.ts';
import { findTroubledEndpoints } from '../overview/troubled-endpoints.ts';
import { everyProduct, listProducts } from '../product/list-products.ts';
import { addProduct, changeProduct, putProduct } from '../product/put-product.ts';
import { changeSeen } from '../purchase/change-seen.ts';
import { findPurchase } from '../purchase/find-purchase.ts';
import { showPurchase } from '../purchase/show-purchase.ts';
import { showStripeSale, withoutKey, type ReadAtStripe } from '../purchase/stripe-sale.ts';
import { revokeSigningKey, rotateSigningKeys } from '../receipt/change-signing-keys.ts';
import { issueOfflineReceipt, type OfflineReceiptParts } from '../receipt/issue-offline-receipt.ts';
import { exportSigningKeys, listSigningKeys } from '../receipt/list-signing-keys.ts';
import { makeSigningKeys } from '../receipt/make-signing-keys.ts';
import { writeReceipt } from '../receipt/receipt.ts';
import { newSigningKey } from '../receipt/signing-key.ts';
import { parkOld } from '../receiver/park-old.ts';
import type { StorePorts } from '../store/store.port.ts';
import { readTiers, type KnownTiers } from '../tier/allowance.ts';
import { deleteTier, everyTier, listTiers, putTier, saveTier, showTier } from '../tier/manage-tiers.ts';
import { everySignUp, listWaitlist } from '../waitlist/waitlist-entries.ts';
import { addWebhook, deleteWebhook } from '../webhook/add-webhook.ts';
import { disableWebhook, enableWebhook } from '../webhook/enable-webhook.ts';
import { replayWebhook, retryWebhook, skipWebhookEvents } from '../webhook/redeliver-events.ts';
import { rotateWebhookSecret } from '../webhook/rotate-webhook-secret.ts';
import { testWebhook } from '../webhook/send-delivery.ts';
import { findLastAttempts, listWebhookBacklogs, showWebhookBacklog } from '../webhook/show-webhook-backlog.ts';
import { everyWebhook, listWebhooks, showWebhook } from '../webhook/show-webhooks.ts';
import { ownReceivers } from './own-receivers.ts';
import type { Platform } from './platform.ts';

/** Every use case of the administrator. */
export type UseCases = ReturnType<typeof useCasesOf>;

/** What the administration depends on besides the store and the platform. */
export interface AdministrationSettings {
  /** Milliseconds before an end of access at which its event is due; 0, the default, for none. */
  readonly endingSoon?: number;
  /** A process that watches its clock says whether it trusts it; any other compares it with the store. */
  readonly trustsClock?: TrustsClock;
  readonly seats?: SeatSettings;
  /** Default: that of a process without a key of Stripe. */
  readonly readAtStripe?: ReadAtStripe;
  /** The absolute URL of the service, with which links begin. Default: they are paths. */
  readonly baseUrl?: () => string;
  /** Default: that of a process that sends no mail. */
  readonly loadMail?: LoadMail;
  /** Default: those of the store at each call. */
  readonly knownTiers?: KnownTiers;
}

/** Builds the use cases over ports. Those without a rule of their own are the port's methods. */
export function useCasesOf(ports: StorePorts, platform: Platform, settings: AdministrationSettings = {}) {
  const { endingSoon = 0, trustsClock = comparesClock(ports.clockMarks), seats = defaultSeats } = settings;
  const { readAtStripe = withoutKey, baseUrl = () => '', loadMail = async () => null } = settings;
  const {
    allAppKeys,
    allEntitlements,
    allListings,
    allOperatorKeys,
    entitlementHistory,
    licenseMoves,
    listings,
    maintenance,
    priceMap,
    products,
    tiers,
    waitlist,
  } = ports;
  const { addInterval, crc32, digest, randomBytes, newEntitlementId, newEventId, newListingId } = platform;
  const makeAppKey = newKey(appKeyKind, platform.newAppKeyId, randomBytes, crc32, digest);
  const makeOperatorKey = newKey(operatorKeyKind, platform.newOperatorKeyId, randomBytes, crc32, digest);
  const { knownTiers = readTiers(tiers) } = settings;
  const allowances = { tiers, knownTiers };
  const seating = { devices: ports.devices, entitlements: allEntitlements, newEventId, endingSoon, knownTiers };
  const license = makeLicense(randomBytes, digest);
  const addition = makeAddition(addInterval, newEventId);
  const apply = applyDecision(allEntitlements, newEventId, endingSoon, allowances);
  const stripes = readStripes(priceMap);
  const moving = {
    entitlements: allEntitlements,
    entitlementHistory,
    moves: licenseMoves,
    newEventId,
    endingSoon,
    knownTiers,
  };
  const move = moveLicense(moving);
  const add = addWithLicense(moving);
  const applySeen = applyToSeen(allEntitlements, newEventId, endingSoon, allowances);
  const newLink = createLink(ports.buyerLinks, platform.newSessionToken, digest);
  const supportLink = createSupportLink(newLink, allEntitlements, baseUrl);
  return {
    addProduct: addProduct(products),
    putTier: putTier(tiers, products, newEventId),
    saveTier: saveTier(tiers, products, newEventId),
    deleteTier: deleteTier(tiers, newEventId),
    showTier: showTier(tiers),
    listTiers: listTiers(tiers, products),
    everyTier: everyTier(tiers, products),
    allTiers: tiers.all.bind(tiers),
    putProduct: putProduct(products),
    changeProduct: changeProduct(products),
    findProduct: products.find.bind(products),
    listProducts: listProducts(products),
    everyProduct: everyProduct(products),
    mapPrice: mapPrice(priceMap, products, makeLicenseSecret(ports.licenseSecrets, randomBytes), allowances),
    unmapPrice: unmapPrice(priceMap),
    listPrices: listPrices(priceMap),
    everyPrice: everyPrice(priceMap),
    listStripeCases: listCases(ports.stripeCases),
    countStripeCases: ports.stripeCases.count.bind(ports.stripeCases),
    showStripeSale: showStripeSale(ports, readAtStripe),
    issueAppKey: issueAppKey(products, allAppKeys, makeAppKey),
    listAppKeys: listAppKeys(products, allAppKeys),
    findAppKey: allAppKeys.find.bind(allAppKeys),
    everyAppKey: everyAppKey(allAppKeys),
    revokeAppKey: revokeKey(appKeyKind, allAppKeys),
    rotateAppKey: rotateAppKey(allAppKeys, makeAppKey),
    issueOperatorKey: issueOperatorKey(products, allOperatorKeys, makeOperatorKey),
    listOperatorKeys: listOperatorKeys(allOperatorKeys),
    findOperatorKey: allOperatorKeys.find.bind(allOperatorKeys),
    everyOperatorKey: everyOperatorKey(allOperatorKeys),
    revokeOperatorKey: revokeKey(operatorKeyKind, allOperatorKeys),
    rotateOperatorKey: rotateOperatorKey(allOperatorKeys, makeOperatorKey),
    grantEntitlement: grantEntitlement(products, add, newEntitlementId, license, addition, allowances),
    importEntitlements: importEntitlements(products, allEntitlements, license, addition, allowances),
    dryRunOfEntitlements: dryRunOfEntitlements(products, allEntitlements, license, addition, allowances),
    showEntitlement: showEntitlement(allEntitlements, allowances),
    putEntitlement: putEntitlement(products, allEntitlements, add, license, addition, allowances),
    showHistory: showHistory(allEntitlements, entitlementHistory),
    listEntitlements: listEntitlements(allEntitlements, allowances),
    everyEntitlement: everyEntitlement(allEntitlements, allowances),
    runEntitlementCommand: runEntitlementCommand(apply, addInterval, stripes, allowances),
    findEntitlement: allEntitlements.find.bind(allEntitlements),
    alignEntitlement: alignEntitlement(applySeen, allowances),
    runSeenCommand: runSeenCommand(applySeen),
    changeSeen: changeSeen(apply, move, allEntitlements, license, addInterval, stripes, allowances),
    showPurchase: showPurchase(ports, addInterval, allowances),
    rotateLicense: rotateLicense(apply, allEntitlements, license),
    revokeLicense: revokeLicense(apply),
    moveLicense: move,
    findByLicenseKey: findByLicenseKey(allEntitlements, digest, allowances),
    importListings: importListings(listings, allListings, products, newListingId),
    dryRunOfListings: dryRunOfListings(listings, allListings, products, newListingId),
    putListing: putListing(listings, allListings, products, newListingId),
    saveListing: saveListing(listings, products, newListingId),
    listListings: listListings(allListings),
    everyListing: everyListing(allListings),
    listCategories: listCategories(allListings),
    countList: ports.listSizes.count.bind(ports.listSizes),
    findListing: allListings.find.bind(allListings),
    deleteListing: deleteListing(allListings),
    pauseListing: pauseListing(listings),
    publishListing: publishListing(listings),
    findPurchase: findPurchase(ports, digest),
    showOverview: showOverview(ports),
    findTroubledEndpoints: findTroubledEndpoints.bind(null, ports),
    listWaitlist: listWaitlist(waitlist),
    everySignUp: everySignUp(waitlist),
    eraseFromWaitlist: waitlist.erase.bind(waitlist),
    acceptClock: acceptClock(ports.clockMarks, parkOld(ownReceivers, ports)),
    checkClock: checkClock(ports.clockMarks),
    checkStore: checkStore(ports, digest, platform.publicPartOf),
    backUpStore: backUpStore(maintenance),
    pruneStore: pruneStore(maintenance),
    findEvents: findEvents(ports.events, products),
    pruneEvents: pruneEvents(ports.events, products),
    createSupportLink: supportLink,
    mailLicense: mailLicense({
      entitlements: allEntitlements,
      products,
      createLink: supportLink,
      loadMail,
      digest,
      randomBytes,
    }),
    testMail: testMail({ loadMail, randomBytes }),
    pruneBuyerLinks: pruneBuyerLinks(ports.buyerLinks),
    retryMails: retryMails(ports.deliveryStreams),
    skipMails: skipMails(ports.deliveryStreams),
    pruneOperatorSessions: pruneOperatorSessions(ports.operatorSessions),
    ...receiptsOf(ports, platform, {
      trustsClock,
      knownTiers,
      takeSeat: takeSeat({ ...seating, digest, trustsClock, settings: seats }),
    }),
    listDevices: listDevices(seating),
    findDevice: findDevice(seating),
    releaseDevice: releaseDevice(seating),
    clearDevices: clearDevices(seating),
    ...webhooksOf(ports, platform),
  };
}

function receiptsOf(
  ports: StorePorts,
  platform: Platform,
  parts: Pick<OfflineReceiptParts, 'trustsClock' | 'knownTiers' | 'takeSeat'>,
) {
  const { allEntitlements: entitlements, signingKeys: keys } = ports;
  const newSigner = newSigningKey(platform.newKeyPair, platform.digest);
  const makeKeys = makeSigningKeys(keys, newSigner);
  const write = writeReceipt(platform.newReceiptId, platform.encodeText, platform.signText);
  return {
    issueOfflineReceipt: issueOfflineReceipt({ entitlements, keys, makeKeys, write, ...parts }),
    makeSigningKeys: makeKeys,
    listSigningKeys: listSigningKeys(keys),
    exportSigningKeys: exportSigningKeys(makeKeys),
    rotateSigningKeys: rotateSigningKeys(keys, makeKeys, newSigner),
    revokeSigningKey: revokeSigningKey(keys, newSigner),
  };
}

function webhooksOf(ports: StorePorts, { newEventId, newWebhookId, newWebhookSecret, sendDelivery }: Platform) {
  const { deliveryStreams: streams, events, products, webhookEndpoints: endpoints } = ports;
  return {
    addWebhook: addWebhook({ endpoints, streams, events, products }, newWebhookId, newWebhookSecret),
    listWebhooks: listWebhooks(endpoints),
    everyWebhook: everyWebhook(endpoints),
    showWebhook: showWebhook(endpoints, streams),
    listWebhookBacklogs: listWebhookBacklogs(listWebhooks(endpoints), streams, events),
    showWebhookBacklog: showWebhookBacklog(showWebhook(endpoints, streams), events),
    findLastAttempts: findLastAttempts(events),
    rotateWebhookSecret: rotateWebhookSecret(endpoints, newWebhookSecret),
    testWebhook: testWebhook(endpoints, newEventId, sendDelivery),
    enableWebhook: enableWebhook(endpoints, streams),
    disableWebhook: disableWebhook(endpoints),
    retryWebhook: retryWebhook(endpoints, streams),
    replayWebhook: replayWebhook(endpoints, streams, readFeed(events)),
    skipWebhookEvents: skipWebhookEvents(endpoints, streams, readFeed(events)),
    deleteWebhook: deleteWebhook(endpoints, streams),
  };
}
