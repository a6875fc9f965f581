import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { LicenseUseCases } from '../../../adapters/web/buyers/license-routes.ts';
import type { LinkUseCases } from '../../../adapters/web/buyers/link-routes.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { logChanges } from '../../../core/administration/change-log.ts';
import { showBuyersLicense } from '../../../core/buyer/buyers-license.ts';
import { openLink } from '../../../core/buyer/open-link.ts';
import { existing } from '../../../core/entitlement/administration/show-entitlement.ts';
import { administrationIn } from '../../service/administration.ts';
import { portsIn, seatsIn } from '../../service/container.ts';
import { changeLog } from '../../service/logger.ts';
import { tokens } from '../../service/tokens.ts';
import { hasBuyerPages } from '../../settings/buyer-pages.ts';
import type { Settings } from '../../settings/settings.ts';

/** The use cases of the pages, and the log of their changes. */
export interface PageParts {
  readonly container: Container;
  readonly log: Logger;
}

export type LicensePageSettings = Pick<
  Settings,
  | 'buyerPages'
  | 'buyerReceiptTtl'
  | 'deviceIdle'
  | 'deviceReleases'
  | 'endingSoon'
  | 'pages'
  | 'receiptMaxAge'
  | 'receipts'
  | 'receiptTtl'
>;

/** The use cases of the pages of a license, which log each change; null without such pages. */
export function licenseUseCases(
  parts: PageParts,
  settings: LicensePageSettings,
  issuer: () => string,
): (LicenseUseCases & LinkUseCases) | null {
  if (!hasBuyerPages(settings)) return null;
  const { container } = parts;
  const time = receiptTime(settings);
  const { issueOfflineReceipt, changeSeen } = buyersAdministration(parts, settings);
  const ports = portsIn(container);
  const { digest } = container.get(tokens.platform);
  const release = container.get(tokens.releaseSeat);
  return {
    show: showBuyersLicense(container.get(tokens.listLicenseDevices), ports.products, ports.entitlementHistory),
    deactivate: container.get(tokens.deactivateDevice),
    open: openLink({
      buyerLinks: ports.buyerLinks,
      entitlements: ports.allEntitlements,
      history: ports.entitlementHistory,
      appKeys: ports.allAppKeys,
      devices: ports.devices,
      products: ports.products,
      digest,
      knownTiers: container.get(tokens.keptTiers).known,
    }),
    change: changeSeen,
    releasesDevices: settings.deviceReleases > 0,
    release: (id, device, call) => release(() => existing(ports.allEntitlements, id, call), { device }, call),
    receipts:
      time === null
        ? null
        : {
            time,
            issue: (entitlementId, device, call) =>
              issueOfflineReceipt({ entitlementId, expires: time, device, issuer: issuer() }, call),
          },
  };
}

/** The time that a receipt of a page holds, in milliseconds; null if pages give no receipts. */
function receiptTime({ receipts, buyerReceiptTtl, receiptTtl, receiptMaxAge }: LicensePageSettings): number | null {
  if (receipts === 'off' || buyerReceiptTtl === 'off') return null;
  return buyerReceiptTtl ?? Math.min(receiptTtl, receiptMaxAge);
}

function buyersAdministration({ container, log }: PageParts, settings: LicensePageSettings): Administration {
  const administration = administrationIn(container, { endingSoon: settings.endingSoon, seats: seatsIn(settings) });
  return logChanges(administration, changeLog(log));
}
