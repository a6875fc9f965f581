import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { offlineAge } from '../../../../../core/receipt/issue-offline-receipt.ts';
import type { IssuedReceipt } from '../../../../../core/receipt/issue-receipt.ts';
import { html } from '../../../markup/html.ts';
import { instantText, relativeText } from '../../display/dates.ts';
import { crumbs, facts, mono, note, written } from '../../display/parts.ts';
import { secretBox } from '../../display/shown-once.ts';
import type { PageContent } from '../../display/view.ts';
import { mistakesIn } from '../../form/form-reading.ts';
import { seenVersion } from '../../form/seen.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../../frame/console-page.ts';
import type { ReceiptSettings } from '../../frame/console-parts.ts';
import { entitlementPath, listPath, productText } from '../state/names.ts';
import { fieldsOf, readExpiry } from './change-forms.ts';
import { actionRoutes, answerChanged, askAgain } from './change-routes.ts';

type ReceiptActions = Pick<Administration, 'showPurchase' | 'issueOfflineReceipt' | 'listOperatorKeys'>;

/** The pages that issue an offline receipt. */
export function receiptRoutes(actions: ReceiptActions, settings: ReceiptSettings): readonly ConsoleRoute[] {
  return actionRoutes('receipt', actions, (request) => answerReceipt(request, actions, settings));
}

async function answerReceipt(
  request: ConsoleRequest,
  actions: ReceiptActions,
  { issuer, maxAge }: ReceiptSettings,
): Promise<ConsoleAnswer> {
  const { call, form, parameters } = request;
  const entitlementId = parameters['id'] ?? '';
  const version = seenVersion(form);
  const purchase = await actions.showPurchase(entitlementId, call);
  if (purchase.entitlement.version !== version) return answerChanged('receipt', version, purchase, request, actions);
  const reading = readExpiry(form);
  if (reading.kind === 'wrong') return askAgain('receipt', purchase, reading.mistakes, request);
  const expires = offlineAge(reading.values.expires ?? null, maxAge);
  if (expires > maxAge) {
    const mistake = { member: 'expires', problem: 'must not be longer than the setting RECEIPT_MAX_AGE' };
    return askAgain('receipt', purchase, mistakesIn(fieldsOf('receipt', purchase.entitlement), [mistake]), request);
  }
  const issued = await actions.issueOfflineReceipt({ entitlementId, expires, issuer: issuer() }, call);
  return shown(receiptPage(purchase, issued, call.now));
}

/** The page of an offline receipt, which is copied to the machine that it is for. */
function receiptPage({ entitlement, product }: Purchase, issued: IssuedReceipt, now: Date): PageContent {
  const { id, productId } = entitlement;
  const path = entitlementPath(id);
  const crumbsAbove = [
    { href: listPath, text: 'Entitlements' },
    { href: path, text: id },
  ];
  const held = facts(
    [
      ['Entitlement', mono(id)],
      ['Product', written(productText(product, productId))],
      ['Holds until', `${instantText(issued.expiresAt)}, ${relativeText(issued.expiresAt, now)}`],
    ],
    'boxed',
  );
  return {
    title: 'The receipt is ready',
    main: html`<div class="confirm">
      ${crumbs(crumbsAbove, 'Receipt')}
      <h1>The receipt is ready</h1>
      ${note(
        'warn',
        'It cannot be recalled.',
        html`<p>It holds until it ends, whatever happens to the entitlement meanwhile. Another one can be issued.</p>`,
      )}
      ${secretBox('Receipt', issued.receipt)} ${held}
      <div class="buttons"><a class="button primary" href="${path}">I have copied it</a></div>
    </div>`,
  };
}
