import type { Administration } from '../../../../../core/administration/administration.ts';
import type { PutEntitlementAnswer } from '../../../../../core/entitlement/administration/put-entitlement.ts';
import type { NewId } from '../../../../../core/identifier.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { unknownTierText } from '../../../../administration/commands/tier-warning.ts';
import { mono } from '../../display/parts.ts';
import { shownOncePage } from '../../display/shown-once.ts';
import type { PageContent } from '../../display/view.ts';
import type { ConsoleRoute } from '../../frame/console-page.ts';
import { ownFormRoutes } from '../../frame/form-routes.ts';
import { offeredProducts } from '../../products/product-choices.ts';
import { entitlementPath, listPath } from '../../state/names.ts';
import { tierElement } from '../../state/terms.ts';
import { refusedMembers } from '../actions/change-fields.ts';
import { grantFields, readGrant, type GrantForm } from './grant-form.ts';
import { grantPage } from './grant-page.ts';

export type GrantActions = Pick<Administration, 'everyProduct' | 'putEntitlement'>;

/** The pages that grant an entitlement. */
export function grantRoutes(actions: GrantActions, newId: NewId): readonly ConsoleRoute[] {
  return ownFormRoutes<Proposed, GrantForm>({
    name: 'GrantEntitlement',
    path: `${listPath}/grant`,
    access: 'admin:entitlements',
    find: async ({ query }) => proposedIn(query),
    page: async ({ call, view }, _none, state) => {
      if (state.mistakes.has('id')) {
        throw new Refusal('invalid_parameter', { message: 'id must be the one that the page has shown.' });
      }
      return grantPage(state.typed('id'), await offeredProducts(actions, call), state, view);
    },
    // Most of what is sold is billed by the month.
    proposes: (given) => ({ id: newId(), billingInterval: 'month', ...given }),
    fields: () => grantFields([]),
    read: readGrant,
    refusals: refusedMembers,
    act: async ({ id, licenseKey = null, ...written }, _none, { call }) => {
      const granted = await actions.putEntitlement({ id, written, licenseKey }, call);
      return { kind: 'page', entitlementId: id, ...grantedPage(granted) };
    },
  });
}

/** The values that a link to the form fills in, such as for another product of a sale. */
type Proposed = Readonly<Partial<Record<'productId' | 'reference', string>>>;

function proposedIn(query: string): Proposed {
  const given = new URLSearchParams(query);
  const names = ['productId', 'reference'] as const;
  return Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])));
}

function grantedPage({ entitlement, licenseKey, isUnknownTier }: PutEntitlementAnswer): PageContent {
  const { id, productId } = entitlement;
  return shownOncePage({
    path: [{ href: listPath, text: 'Entitlements' }],
    here: 'Granted',
    heading: licenseKey === null ? 'The entitlement was granted' : 'The license key is ready',
    label: 'License key',
    secret: licenseKey,
    advice: 'Give it to the buyer. Only a digest is stored. If it is lost, rotate it.',
    facts: [
      ['Entitlement', mono(id)],
      ['Product', mono(productId)],
      ['Tier', tierElement(entitlement)],
    ],
    warning: isUnknownTier === true ? unknownTierText() : undefined,
    back: entitlementPath(id),
  });
}
