import type { Call } from '../../../../../core/call.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { html } from '../../../markup/html.ts';
import { mono } from '../../display/parts.ts';
import type { PageContent } from '../../display/view.ts';
import { entitlementPath } from '../../state/names.ts';
import { stateLine } from '../../state/state-line.ts';
import { actions, type ActionName } from '../actions/actions.ts';

/** The page of an action that the state of the entitlement does not allow. */
export function impossiblePage(
  action: ActionName,
  purchase: Purchase,
  { now, correlationId }: Pick<Call, 'now' | 'correlationId'>,
): PageContent {
  const { id } = purchase.entitlement;
  return {
    title: 'This cannot be done now',
    main: html`<div class="stop">
      <span class="badge plain">409</span>
      <h1>This cannot be done now</h1>
      <p>${actions[action].title} does not apply to ${mono(id)} as it is. Nothing was changed.</p>
      <p class="muted">${stateLine(purchase, now)}</p>
      <div class="buttons"><a class="button primary" href="${entitlementPath(id)}">Look at it as it is now</a></div>
      <p class="code-line">Request ${mono(correlationId)}</p>
    </div>`,
  };
}
