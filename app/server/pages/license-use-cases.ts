import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { LicenseUseCases } from '../../../adapters/web/buyers/license-routes.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { logChanges } from '../../../core/administration/change-log.ts';
import { showBuyersLicense } from '../../../core/buyer/buyers-license.ts';
import { portsIn, seatsIn } from '../../service/container.ts';
import { changeLog } from '../../service/logger.ts';
import { tokens } from '../../service/tokens.ts';
import type { Settings } from '../../settings/settings.ts';

/** What the use cases are taken from, and where their changes are logged. */
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
  | 'receiptMaxAge'
  | 'receipts'
  | 'receiptTtl'
>;

/** What the pages of a license do, each change of which is logged; null where there are none. */
export function licenseUseCases(
  parts: PageParts,
  settings: LicensePageSettings,
  issuer: () => string,
): LicenseUseCases | null {
  if (settings.buyerPages === 'off') return null;
  const { container } = parts;
  const time = receiptTime(settings);
  const { issueOfflineReceipt } = buyersAdministration(parts, settings);
  return {
    show: showBuyersLicense(container.get(tokens.listLicenseDevices), container.get(tokens.products)),
    deactivate: container.get(tokens.deactivateDevice),
    receipts:
      time === null
        ? null
        : {
            time,
            issue: (entitlementId, device, call) =>
              // Its license key was checked, of whatever product it is.
              issueOfflineReceipt(
                { entitlementId, expires: time, device, issuer: issuer() },
                { ...call, products: null },
              ),
          },
  };
}

/** How long a receipt holds that a page hands out, in milliseconds; null if pages hand out none. */
function receiptTime({ receipts, buyerReceiptTtl, receiptTtl, receiptMaxAge }: LicensePageSettings): number | null {
  if (receipts === 'off' || buyerReceiptTtl === 'off') return null;
  return buyerReceiptTtl ?? Math.min(receiptTtl, receiptMaxAge);
}

function buyersAdministration({ container, log }: PageParts, settings: LicensePageSettings): Administration {
  const ports = { ...portsIn(container), signingKeys: container.get(tokens.keptSigningKeys) };
  const { trusts: trustsClock } = container.get(tokens.clockTrust);
  const { endingSoon } = settings;
  const administration = administrationOf(ports, container.get(tokens.platform), {
    endingSoon,
    trustsClock,
    seats: seatsIn(settings),
  });
  return logChanges(administration, changeLog(log));
}
