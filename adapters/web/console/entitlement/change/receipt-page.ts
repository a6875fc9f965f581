import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { IssuedReceipt } from '../../../../../core/receipt/issue-receipt.ts';
import { html } from '../../../markup/html.ts';
import { instantText, relativeText } from '../../display/dates.ts';
import { crumbs, facts, mono, note, written } from '../../display/parts.ts';
import type { PageContent } from '../../display/view.ts';
import { entitlementPath, listPath, productText } from '../state/names.ts';

/** The page of an offline receipt, which is copied to the machine that it is for. */
export function receiptPage({ entitlement, product }: Purchase, issued: IssuedReceipt, now: Date): PageContent {
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
      <div class="field">
        <span class="label" id="receipt-label">Receipt</span
        ><code class="secret" tabindex="0" role="textbox" aria-readonly="true" aria-labelledby="receipt-label"
          >${issued.receipt}</code
        >
        <p class="hint">Click it to select all of it, then copy.</p>
      </div>
      ${held}
      <div class="buttons"><a class="button primary" href="${path}">I have copied it</a></div>
    </div>`,
  };
}
