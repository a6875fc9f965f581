import type { Administration } from '../../../../../core/administration/administration.ts';
import { linkTimeRule } from '../../../../../core/buyer/buyer-link.ts';
import type { LinkForBuyer } from '../../../../../core/buyer/support-link.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { instantText, relativeText } from '../../display/dates.ts';
import { mono, written } from '../../display/parts.ts';
import { shownOncePage } from '../../display/shown-once.ts';
import type { PageContent } from '../../display/view.ts';
import { readForm } from '../../form/form-reading.ts';
import { shown, type ConsoleRoute } from '../../frame/console-page.ts';
import { ownFormRoutes } from '../../frame/form-routes.ts';
import { crumbsTo, entitlementPath, productText } from '../../state/names.ts';
import { actionSteps, type ActionParts } from './action-steps.ts';

interface LinkParts extends ActionParts {
  readonly administration: ActionParts['administration'] & Pick<Administration, 'createSupportLink'>;
}

interface LinkForm {
  /** The time that the link works, in milliseconds; absent for the default. */
  readonly expires?: number;
}

/** The pages that make a link for a buyer. A form that is sent again makes one more. */
export function linkRoutes(parts: LinkParts): readonly ConsoleRoute[] {
  const { administration } = parts;
  const steps = actionSteps('link', parts);
  return ownFormRoutes<FullSnapshot, LinkForm>({
    ...steps,
    read: (form, entitlement) => readForm(steps.fields(entitlement), { expires: linkTimeRule }, [], form),
    act: async ({ expires = null }, { id }, { call }) => {
      const purchase = await administration.showPurchase(id, call);
      const link = await administration.createSupportLink({ entitlementId: id, expires }, call);
      return shown(madePage(purchase, link, call.now));
    },
  });
}

function madePage({ entitlement: { id, productId }, product }: Purchase, link: LinkForBuyer, now: Date): PageContent {
  return shownOncePage({
    path: crumbsTo(id),
    here: 'Link for the buyer',
    heading: 'The link for the buyer is ready',
    label: 'Link',
    secret: link.url,
    advice: 'Send it to the buyer, and to nobody else. Only a digest is stored. If it is lost, make another one.',
    facts: [
      ['Entitlement', mono(id)],
      ['Product', written(productText(product, productId))],
      ['Works until', `${instantText(link.expiresAt)}, ${relativeText(link.expiresAt, now)}`],
    ],
    back: entitlementPath(id),
  });
}
