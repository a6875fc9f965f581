import type { Administration } from '../../../../../core/administration/administration.ts';
import { offlineAge } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { mistakesIn } from '../../form/form-reading.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../../frame/console-page.ts';
import type { ReceiptSettings } from '../../frame/console-parts.ts';
import { listPath } from '../state/names.ts';
import { fieldsOf, readExpiry } from './change-forms.ts';
import { askAgain, askRoute, staleAnswer } from './change-routes.ts';
import { receiptPage } from './receipt-page.ts';
import { seenVersion } from './seen-version.ts';

type ReceiptActions = Pick<Administration, 'showPurchase' | 'issueOfflineReceipt'>;

/** The pages that issue an offline receipt. */
export function receiptRoutes(actions: ReceiptActions, settings: ReceiptSettings): readonly ConsoleRoute[] {
  return [
    askRoute('receipt', actions),
    {
      id: 'receiptByForm',
      method: 'POST',
      path: `${listPath}/:id/receipt`,
      access: 'admin:entitlements',
      handle: (request) => answerReceipt(request, actions, settings),
    },
  ];
}

async function answerReceipt(
  request: ConsoleRequest,
  { showPurchase, issueOfflineReceipt }: ReceiptActions,
  { issuer, maxAge }: ReceiptSettings,
): Promise<ConsoleAnswer> {
  const { call, form, parameters } = request;
  const entitlementId = parameters['id'] ?? '';
  const version = seenVersion(form);
  const purchase = await showPurchase(entitlementId, call);
  if (purchase.entitlement.version !== version) return staleAnswer('receipt', version, purchase, call);
  const reading = readExpiry(purchase, form);
  if (reading.kind === 'wrong') return askAgain('receipt', purchase, reading.mistakes, request);
  const expires = offlineAge(reading.values.expires ?? null, maxAge);
  if (expires > maxAge) {
    const mistake = { member: 'expires', problem: 'must not be longer than the setting RECEIPT_MAX_AGE' };
    return askAgain('receipt', purchase, mistakesIn(fieldsOf('receipt', purchase), [mistake]), request);
  }
  const issued = await issueOfflineReceipt({ entitlementId, expires, issuer: issuer() }, call);
  return shown(receiptPage(purchase, issued, call.now));
}
