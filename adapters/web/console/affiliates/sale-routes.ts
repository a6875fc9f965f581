import type { Administration } from '../../../../core/administration/administration.ts';
import { foldedHandle, handleRule } from '../../../../core/affiliate/affiliate.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import { shownSale, type ShownSale } from '../../../../core/affiliate/selling/shown-sale.ts';
import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import { textRule } from '../../../../core/parsing/value-rule.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { assignMembers, voidMembers } from '../../../administration/commands/sale-commands.ts';
import { html, type Html } from '../../markup/html.ts';
import { facts, mono, type Crumb, type DoneTexts } from '../display/parts.ts';
import { may, must } from '../form/form-members.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { salePath } from '../state/affiliate-paths.ts';
import { crumbsTo, entitlementPath } from '../state/names.ts';
import { saleFacts } from './sales-section.ts';

const access = 'admin:affiliates';

/** The texts on the page of an entitlement after a change of its sale. */
export const saleDone: DoneTexts = {
  'sale-void': 'The sale is void.',
  'sale-restored': 'The sale earns again.',
  'sale-assigned': 'The sale was given to the affiliate.',
};

/** An entitlement, and its sale; null for one that no affiliate has brought. */
interface AskedSale {
  readonly entitlement: FullSnapshot;
  readonly sale: ShownSale | null;
}

/** The pages that change whose sale an entitlement is, and whether it earns: *Void*, *Restore* and *Assign*. */
export function saleRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const find = (request: ConsoleRequest): Promise<AskedSale> => askedSale(administration, request);
  const findSold = async (request: ConsoleRequest): Promise<AskedSale> => {
    const asked = await find(request);
    if (asked.sale === null) throw new Refusal('sale_not_found');
    return asked;
  };
  return [
    ...voidRoutes(administration, findSold),
    ...decisionRoutes(onSale(findSold), [restoring(administration)]),
    ...assignRoutes(administration, find),
  ];
}

async function askedSale(
  { findSale, showEntitlement }: Administration,
  { call, parameters: { id = '' } }: ConsoleRequest,
): Promise<AskedSale> {
  const [entitlement, sale] = await Promise.all([showEntitlement(id, call), findSale(id, call)]);
  return { entitlement, sale: sale && shownSale(sale, call) };
}

type Find = (request: ConsoleRequest) => Promise<AskedSale>;

const ofVoid = {
  reason: must(voidMembers.reason, { label: 'Reason', hint: 'In one line. The affiliate does not see it.' }),
};

function voidRoutes({ voidSale }: Administration, find: Find): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'VoidSale',
    path: salePath(':id', 'void'),
    access,
    find,
    asks: (asked) => ({
      path: crumbsTo(asked.entitlement.id),
      here: 'Void',
      title: 'Let this sale earn nothing?',
      text: 'No payment of it earns a commission any more. What a statement has of it is taken off the next one. It can be restored.',
      above: facts(factsOf(asked), 'boxed'),
      button: 'Void sale',
    }),
    back: backTo,
    members: ofVoid,
    seen: (asked) => ({ now: seenOf(asked), intent: html`void the sale of ${mono(asked.entitlement.id)}.` }),
    isDone: (_values, { sale }) => sale?.voided !== null,
    act: async ({ reason }, { entitlement: { id } }, { call }) => {
      await voidSale(id, reason, call);
      return goTo(entitlementPath(id), 'sale-void');
    },
  });
}

const ofAssignment = {
  handle: must(
    { rule: textRule((text) => handleRule.parse(foldedHandle(text)), handleRule.rule), label: 'Handle' },
    { hint: 'That of the affiliate, such as ada.' },
  ),
  slug: may(assignMembers.slug, {
    label: 'Listing',
    hint: 'The slug of the one that was promoted. Empty: that of the promotion of this product that was agreed first.',
  }),
};

function assignRoutes({ assignSale }: Administration, find: Find): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AssignSale',
    path: salePath(':id', 'assign'),
    access,
    find,
    asks: (asked) => ({
      path: crumbsTo(asked.entitlement.id),
      here: 'Assign',
      title: 'Give this sale to an affiliate?',
      text: 'It earns by the terms that were in force when it was made, else by those that were agreed first. Payments of a sale at Stripe follow within a minute.',
      above: facts(factsOf(asked), 'boxed'),
      button: 'Assign sale',
    }),
    back: backTo,
    members: ofAssignment,
    refusals: {
      affiliate_not_found: { member: 'handle', problem: 'must be that of an affiliate' },
      promotion_not_found: {
        member: 'slug',
        problem: 'must be one that the affiliate has agreed to promote, and of the product of this entitlement',
      },
      sale_stated: { member: 'handle', problem: 'cannot be another one: a statement has a line of this sale' },
    },
    seen: (asked) => ({ now: seenOf(asked), intent: html`assign the sale of ${mono(asked.entitlement.id)}.` }),
    isDone: ({ handle, slug }, { sale }) =>
      sale !== null && sale.handle === handle && (slug === undefined || sale.slug === slug),
    act: async ({ handle, slug = null }, { entitlement: { id: entitlementId } }, { call }) => {
      await assignSale({ entitlementId, handle, slug }, call);
      return goTo(entitlementPath(entitlementId), 'sale-assigned');
    },
  });
}

function onSale(find: Find): DecidedOn<AskedSale> {
  return {
    noun: 'sale',
    kind: 'Sale',
    access,
    path: () => salePath(':id', 'restore'),
    find,
    crumbs: ({ entitlement: { id } }) => crumbsTo(id),
    facts: factsOf,
    seen: seenOf,
    intent: ({ entitlement: { id } }) => html`restore the sale of ${mono(id)}.`,
    back: ({ entitlement: { id } }) => entitlementPath(id),
  };
}

function restoring({ restoreSale }: Administration): Decision<AskedSale> {
  return {
    name: 'restore',
    done: 'sale-restored',
    verb: 'Restore',
    heading: 'The sale earns again.',
    effects: () => [html`What is due of it is in the next statement.`],
    isDone: ({ sale }) => sale?.voided === null,
    run: ({ entitlement: { id } }, call) => restoreSale(id, call),
  };
}

function factsOf({ entitlement: { id, productId }, sale }: AskedSale): readonly (readonly [string, Html | string])[] {
  const affiliate = sale === null ? 'None' : mono(`@${sale.handle}`);
  const ofSale = sale === null ? [] : saleFacts(sale);
  return [['Entitlement', mono(id)], ['Product', mono(productId)], ['Affiliate', affiliate], ...ofSale];
}

function backTo({ entitlement: { id } }: AskedSale): Crumb {
  return { href: entitlementPath(id), text: 'Leave it as it is' };
}

/** The values that a page has shown. Payments come and go meanwhile. */
function seenOf({ sale }: { readonly sale: Sale | null }): Seen {
  if (sale === null) return { Affiliate: 'None' };
  return { Affiliate: `@${sale.handle}`, Listing: sale.slug, Void: sale.voided === null ? 'No' : sale.voided.reason };
}
