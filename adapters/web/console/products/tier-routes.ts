import type { Administration } from '../../../../core/administration/administration.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { featureLines } from '../../../../core/tier/features.ts';
import { areSameTerms, shownTerms, termsOf, type DeclaredTier } from '../../../../core/tier/tier.ts';
import { tierForm } from '../../../administration/commands/tier-commands.ts';
import { html } from '../../markup/html.ts';
import { mono, written } from '../display/parts.ts';
import { may, must } from '../form/form-members.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes, isRefusal } from '../frame/form-routes.ts';
import { limitText } from '../state/terms.ts';
import { featureList, trialText } from '../tiers/tier-sections.ts';
import { crumbsTo, productPath, productsPath } from './product-pages.ts';
import { productOf } from './product-routes.ts';

const access = 'admin:catalog';

/** Bytes that a form may have: it carries the features twice, as they were shown and as they are to be. */
const bodyLimit = 64 * 1024;

const one = `${productsPath}/:id/tiers/:tier`;

const changeMembers = {
  deviceLimit: may(tierForm.deviceLimit),
  trial: may(tierForm.trial),
  features: may(tierForm.features, { input: 'lines', rows: 8 }),
};

/** A product offers one trial. */
const secondTrial = { member: 'trial', problem: 'is offered by another tier of the product' } as const;

const addMembers = { id: must(tierForm.id, { maxLength: 128 }), ...changeMembers };

/** The pages that declare, change and delete the allowance of a product's tier. */
export function tierRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    ...addRoutes(administration),
    ...changeRoutes(administration),
    ...decisionRoutes(onTier(administration), [deletion(administration)]),
  ];
}

/** A tier of a product; `tier` is null for one that is not declared. */
interface AskedTier {
  readonly product: Product;
  readonly id: string;
  readonly tier: DeclaredTier | null;
}

function addRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddTier',
    path: `${productsPath}/:id/tiers/add`,
    access,
    bodyLimit,
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    asks: (product) => ({
      path: crumbsTo(product),
      here: 'Declare a tier',
      title: 'Declare a tier',
      text: html`Every entitlement of ${written(product.name)} that has the tier allows this from its next read on,
      unless it has a value of its own.`,
      button: 'Declare tier',
    }),
    back: ({ id }) => ({ href: productPath(id), text: 'Back to the product' }),
    members: addMembers,
    refusals: { changed_meanwhile: { member: 'id', problem: 'is that of another tier' }, trial_exists: secondTrial },
    act: async ({ id, ...given }, { id: productId }, { call }) => {
      await administration.saveTier({ productId, id }, termsOf(given), null, call);
      return goTo(productPath(productId), 'tier-declared');
    },
  });
}

function changeRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'PutTier',
    path: `${one}/change`,
    access,
    bodyLimit,
    find: async ({ call, parameters: { id = '', tier = '' } }) => {
      const product = await productOf(administration, id, call);
      return { product, tier: await administration.showTier({ productId: product.id, id: tier }, call) };
    },
    asks: ({ product, tier }) => ({
      path: crumbsTo(product),
      here: 'Change',
      title: 'Change what this tier allows?',
      text: html`Every entitlement of ${mono(tier.id)} allows this from its next read on, unless it has a value of its
      own. A smaller limit takes nobody’s seat.`,
      button: 'Change tier',
    }),
    back: ({ product }) => ({ href: productPath(product.id), text: 'Keep it' }),
    proposes: ({ tier: { terms } }) => ({
      deviceLimit: terms.deviceLimit === null ? '' : String(terms.deviceLimit),
      trial: shownTerms(terms).trial ?? '',
      features: featureLines(terms.features).join('\n'),
    }),
    members: changeMembers,
    refusals: { trial_exists: secondTrial },
    seen: ({ tier }) => ({ now: seenTier(tier), intent: html`change what ${mono(tier.id)} allows.` }),
    isDone: (given, { tier }) => areSameTerms(tier.terms, termsOf(given)),
    act: async (given, { product, tier }, { call }) => {
      const name = { productId: product.id, id: tier.id };
      await administration.saveTier(name, termsOf(given), tier.revision, call);
      return goTo(productPath(product.id), 'tier-changed');
    },
  });
}

/** The values that a page has shown of a tier. */
function seenTier(tier: DeclaredTier | null): Seen {
  if (tier === null) return { Revision: 'Not declared' };
  const { terms, revision } = tier;
  return {
    Devices: limitText(terms.deviceLimit),
    Trial: trialText(terms),
    Features: featureLines(terms.features).join(', '),
    Revision: String(revision),
  };
}

async function askedTier(
  administration: Administration,
  { call, parameters: { id = '', tier = '' } }: ConsoleRequest,
): Promise<AskedTier> {
  const product = await productOf(administration, id, call);
  const name = { productId: product.id, id: tier };
  const declared = await administration.showTier(name, call).catch((cause: unknown) => {
    if (isRefusal(cause, 'tier_not_found')) return null;
    throw cause;
  });
  return { product, id: tier, tier: declared };
}

function onTier(administration: Administration): DecidedOn<AskedTier> {
  return {
    noun: 'tier',
    kind: 'Tier',
    access,
    bodyLimit,
    path: (decision) => `${one}/${decision}`,
    find: (request) => askedTier(administration, request),
    crumbs: ({ product }) => crumbsTo(product),
    facts: ({ id, tier }) => [
      ['Tier', mono(id)],
      ...(tier === null
        ? [['Allows', 'Not declared'] as const]
        : [
            ['Devices', limitText(tier.terms.deviceLimit)] as const,
            ['Trial', trialText(tier.terms)] as const,
            ['Features', featureList(tier.terms.features)] as const,
          ]),
    ],
    seen: ({ tier }) => seenTier(tier),
    intent: ({ id }, verb) => html`${verb} ${mono(id)}.`,
    back: ({ product }) => productPath(product.id),
  };
}

function deletion({ deleteTier }: Administration): Decision<AskedTier> {
  return {
    name: 'delete',
    done: 'tier-deleted',
    verb: 'Delete',
    heading: 'It says nothing more of what it allows.',
    effects: () => [
      html`Entitlements of the tier stay, with what they have of their own.`,
      html`What they have from the tier alone ends with their next read: its features, and its limit of devices.`,
    ],
    milder: () => html`Is it only no longer sold? Leave it, and sell another tier.`,
    isDone: ({ tier }) => tier === null,
    run: ({ product, id }, call) => deleteTier({ productId: product.id, id }, call),
  };
}
