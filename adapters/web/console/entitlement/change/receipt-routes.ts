import type { Administration } from '../../../../../core/administration/administration.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { offlineAge, offlineAgeRule, type ReceiptSettings } from '../../../../../core/receipt/issue-offline-receipt.ts';
import type { IssuedReceipt } from '../../../../../core/receipt/issue-receipt.ts';
import { html } from '../../../markup/html.ts';
import { instantText, relativeText } from '../../display/dates.ts';
import { crumbs, facts, mono, note, written } from '../../display/parts.ts';
import { secretBox } from '../../display/shown-once.ts';
import type { PageContent } from '../../display/view.ts';
import type { Field } from '../../form/fields.ts';
import { mistakesIn, readForm, type FormReading } from '../../form/form-reading.ts';
import { shown, type ConsoleRoute } from '../../frame/console-page.ts';
import { ownFormRoutes } from '../../frame/form-routes.ts';
import { crumbsTo, entitlementPath, productText } from '../../state/names.ts';
import { actionSteps, type ActionParts } from './action-steps.ts';

interface ReceiptParts extends ActionParts {
  readonly administration: ActionParts['administration'] & Pick<Administration, 'issueOfflineReceipt'>;
}

interface ReceiptForm {
  /** The time that the receipt may hold, in milliseconds; absent for the default. */
  readonly expires?: number;
}

/** The pages that issue an offline receipt. */
export function receiptRoutes(parts: ReceiptParts, { issuer, maxAge }: ReceiptSettings): readonly ConsoleRoute[] {
  const { administration } = parts;
  const steps = actionSteps('receipt', parts);
  return ownFormRoutes<FullSnapshot, ReceiptForm>({
    ...steps,
    read: (form, entitlement) => readReceiptForm(form, steps.fields(entitlement), maxAge),
    act: async ({ expires = null }, { id }, { call }) => {
      const purchase = await administration.showPurchase(id, call);
      const request = { entitlementId: id, expires: offlineAge(expires, maxAge), issuer: issuer() };
      return shown(receiptPage(purchase, await administration.issueOfflineReceipt(request, call), call.now));
    },
  });
}

/** Reads the lifetime of a receipt. `longest` is the maximum that the server allows, in milliseconds. */
function readReceiptForm(form: URLSearchParams, fields: readonly Field[], longest: number): FormReading<ReceiptForm> {
  const reading = readForm(fields, { expires: offlineAgeRule }, [], form);
  if (reading.kind === 'wrong' || (reading.values.expires ?? 0) <= longest) return reading;
  const mistake = { member: 'expires', problem: 'must not be longer than the setting RECEIPT_MAX_AGE' };
  return { kind: 'wrong', mistakes: mistakesIn(fields, [mistake]) };
}

/** The page of an offline receipt, which is copied to the machine that it is for. */
function receiptPage({ entitlement, product }: Purchase, issued: IssuedReceipt, now: Date): PageContent {
  const { id, productId } = entitlement;
  const path = entitlementPath(id);
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
      ${crumbs(crumbsTo(id), 'Receipt')}
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
