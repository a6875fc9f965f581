import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { StripeSale } from '../../../../../core/purchase/stripe-sale.ts';
import { html, type Html } from '../../../markup/html.ts';
import { confirmationPage } from '../../display/confirmation.ts';
import { mono, written } from '../../display/parts.ts';
import { hidden, type PageContent, type PageView } from '../../display/view.ts';
import { fieldList, proposals, type FormState } from '../../form/fields.ts';
import { crumbsTo, entitlementPath, productText } from '../../state/names.ts';
import { entitlementBadges } from '../../state/state-badge.ts';
import { tierElement } from '../../state/terms.ts';
import { actions, type AskedName } from '../actions/actions.ts';
import { tierList } from '../actions/change-fields.ts';
import { nextAtStripe } from '../purchase/sold-section.ts';

/** Further facts about an entitlement that is to be changed. */
export interface Known {
  /** Null for a change of nothing that Stripe charges. */
  readonly sale: StripeSale | null;
  /** The ids of the tiers that it can get; empty for every change but that of the tier. */
  readonly tiers: readonly string[];
}

/** The page that asks before a change. Its form carries the version that it shows. */
export function changePage(
  action: AskedName,
  purchase: Purchase,
  { sale, tiers }: Known,
  form: FormState,
  view: PageView,
): PageContent {
  const { entitlement } = purchase;
  const path = entitlementPath(entitlement.id);
  const { title, form: asks, texts: textsOf } = actions[action];
  const fields = asks?.fields(entitlement) ?? [];
  const texts = textsOf(purchase, view.now, sale?.url ?? null);
  const { isFinal = false, back = 'Leave it as it is', advice = null } = texts;
  const page = confirmationPage(view, {
    path: crumbsTo(entitlement.id),
    here: title,
    question: texts.question,
    effects: {
      heading: isFinal ? (texts.finality ?? 'This cannot be undone.') : sale === null ? 'What it does' : null,
      isFinal,
      list: texts.consequences,
    },
    facts: [
      ...purchaseFacts(purchase, view.now),
      ...(sale === null ? [] : [['At Stripe', nextAtStripe(sale)] as const]),
    ],
    milder: advice,
    action: `${path}/${action}`,
    fields: html`${hidden('version', String(entitlement.version))}${fields.length === 0 ? null : fieldList(fields, form)}${tiers.length === 0 ? null : proposals(tierList, tiers)}`,
    button: texts.button,
    back: { href: path, text: back },
  });
  return { ...page, title: `${texts.question} ${entitlement.id}` };
}

/** Which entitlement it is about. */
export function purchaseFacts(
  { entitlement, product }: Purchase,
  now: Date,
): readonly (readonly [name: string, value: Html])[] {
  const { id, reference, productId } = entitlement;
  return [
    ['Entitlement', mono(id)],
    ...(reference === null ? [] : [['Reference', html`<bdi class="mono">${reference}</bdi>`] as const]),
    ['Product', html`${written(productText(product, productId))}, ${tierElement(entitlement)}`],
    ['State', entitlementBadges(entitlement, now)],
  ];
}
