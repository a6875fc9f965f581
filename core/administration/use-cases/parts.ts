import { recountStorefronts } from '../../affiliate/recount-storefronts.ts';
import { recountedListings } from '../../affiliate/recounted-listings.ts';
import { createLink } from '../../buyer/manage-links.ts';
import { createSupportLink } from '../../buyer/support-link.ts';
import { comparesClock, type TrustsClock } from '../../clock/clock-trust.ts';
import { defaultSeats, type SeatSettings } from '../../device/seats.ts';
import { makeLicense } from '../../license/license.ts';
import type { BuyerAddresses } from '../../mail/buyer-addresses.port.ts';
import type { AskAtDesk } from '../../mail/lost/mail-keys.ts';
import type { LoadMail } from '../../mail/mail.ts';
import type { AddressLooks } from '../../purchase/find-by-address.ts';
import { withoutKey, type ReadAtStripe } from '../../purchase/stripe-sale.ts';
import type { StorePorts } from '../../store/store.port.ts';
import { readTiers, type KnownTiers } from '../../tier/allowance.ts';
import type { Platform } from './platform.ts';

/** The settings of the administration, beside the store and the platform. */
export interface AdministrationSettings {
  /** Milliseconds before an end of access at which its event is due; 0, the default, for none. */
  readonly endingSoon?: number;
  /** A process that watches its clock says whether it trusts it; any other compares it with the store. */
  readonly trustsClock?: TrustsClock;
  readonly seats?: SeatSettings;
  /** Default: that of a process without a key of Stripe. */
  readonly readAtStripe?: ReadAtStripe;
  /** Default: that of a process that asks no shop for addresses. */
  readonly addressLooks?: AddressLooks | null;
  /** The absolute URL of the service, with which links begin. Default: they are paths. */
  readonly baseUrl?: () => string;
  /** The absolute URL of the port that merchants reach, with which invitations begin. Default: they are paths. */
  readonly merchantUrl?: string | null;
  /** Default: that of a process that sends no mail. */
  readonly loadMail?: LoadMail;
  /** Default: that of a process that mails no keys. */
  readonly askAtDesk?: AskAtDesk | null;
  /** Default: those of a process without a key of Stripe. */
  readonly addresses?: Pick<BuyerAddresses, 'ofSale'> | null;
  /** Default: those of the store at each call. */
  readonly knownTiers?: KnownTiers;
}

/** The ports, platform and settings that the use cases of every subject are built from. */
export type Parts = ReturnType<typeof partsOf>;

/** Completes the settings, and builds what several subjects share. */
export function partsOf(given: StorePorts, platform: Platform, settings: AdministrationSettings) {
  const recount = recountStorefronts(given);
  const ports = { ...given, listings: { ...given.listings, ...recountedListings(given.listings, recount) } };
  const { endingSoon = 0, trustsClock = comparesClock(ports.clockMarks), seats = defaultSeats } = settings;
  const { readAtStripe = withoutKey, baseUrl = () => '', loadMail = async () => null } = settings;
  const { addressLooks = null, addresses = null, askAtDesk = null } = settings;
  const { knownTiers = readTiers(ports.tiers), merchantUrl = null } = settings;
  const { digest, newEventId, newSessionToken, randomBytes } = platform;
  const { allEntitlements: entitlements, buyerLinks, devices, entitlementHistory, licenseMoves: moves, tiers } = ports;
  const creating = createLink(buyerLinks, newSessionToken, digest);
  return {
    ports,
    platform,
    endingSoon,
    trustsClock,
    seats,
    readAtStripe,
    addressLooks,
    addresses,
    askAtDesk,
    loadMail,
    merchantUrl,
    allowances: { tiers, knownTiers },
    license: makeLicense(randomBytes, digest),
    moving: { entitlements, entitlementHistory, moves, newEventId, endingSoon, knownTiers },
    seating: { devices, entitlements, newEventId, endingSoon, knownTiers },
    baseUrl,
    recount,
    createLink: creating,
    createSupportLink: createSupportLink(creating, entitlements, baseUrl),
  };
}
