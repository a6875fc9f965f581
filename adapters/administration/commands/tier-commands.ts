import { maxDevices } from '../../../core/entitlement/entitlement.ts';
import { deviceLimitRule } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import {
  featureLines,
  featureLinesRule,
  featureRule,
  featuresFrom,
  featuresRule,
  noFeatures,
  type Features,
} from '../../../core/tier/features.ts';
import { shownTier, termsOf, type DeclaredTier } from '../../../core/tier/tier.ts';
import { trialLengthRule } from '../../../core/trial/trial.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { optional, required, type Member } from '../declaration/member.ts';
import { described, named, nullableText, objectOf, text } from '../declaration/schema-parts.ts';

const productId = {
  ...required('--product <id>', 'the product', identifierRule),
  inPath: 'id',
  docs: 'The id of the product.',
};

const id = {
  ...required('--id <id>', 'the id of the tier, as grants name it', identifierRule),
  inPath: 'tier',
  docs: 'The id of the tier, as grants name it.',
  label: 'Tier id',
  hint: 'As grants and prices name it, such as pro. It never changes.',
};

/** The features of a tier: the whole of them. */
const features: Member<Features, Features> = {
  ...required('--feature <name=value>', 'a feature, repeatable: true, false, a whole number or a text', featuresRule),
  isRequired: false,
  otherwise: noFeatures,
  each: featureRule,
  gather: featuresFrom,
  docs: 'What the tier allows, by name. None if it is left out.',
};

const deviceLimit = {
  ...optional('--device-limit <count>', 'how many devices may use a license at once (default: any)', deviceLimitRule),
  docs: 'How many devices may use a license at once. Without it, the tier has no limit.',
  label: 'Limit of devices',
  hint: 'How many may use a license at once. Empty: any number.',
};

const trial = {
  ...optional(
    '--trial <duration>',
    'for how long a device without a license may try it, such as 14d (default: no trial)',
    trialLengthRule,
  ),
  docs: 'For how long a device without a license may try it, such as 14d. Without it there is no trial.',
  label: 'Trial',
  hint: 'For how long a device without a license may try it, such as 14d. Empty: not at all. One tier of a product has a trial.',
};

/** The members of a tier as a form has them: one feature on each line. */
export const tierForm = {
  id,
  deviceLimit,
  trial,
  features: {
    rule: featureLinesRule,
    label: 'Features',
    hint: 'One on each line, such as sso=true, projects=20 or theme=dark. A text in quotation marks is a text whatever it reads like.',
  },
};

const columns = ['id', 'deviceLimit', 'features', 'trial', 'revision'] as const;

/** A tier as people read it: its features as options write them. */
function row(tier: DeclaredTier) {
  return { ...shownTier(tier), features: featureLines(tier.terms.features) };
}

function outcomeOf(tier: DeclaredTier) {
  return { data: shownTier(tier), facts: row(tier) };
}

/** The commands about tiers, and what they allow. */
export const tierCommands: CommandGroup = {
  name: 'tier',
  tag: { name: 'Tiers', description: 'What the tiers of products allow.' },
  schemas: {
    Tier: objectOf({
      id: text,
      deviceLimit: described('How many devices may have a seat at once; null without a limit.', {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: maxDevices,
      }),
      features: named('Features'),
      trial: described('For how long a device without a license may try it; null for no trial.', nullableText),
      revision: described('Counts the changes of the tier.', { type: 'integer', minimum: 1 }),
    }),
  },
  commands: [
    list({
      does: 'list what the tiers of a product allow',
      operation: {
        id: 'listTiers',
        route: 'GET /admin/products/:id/tiers',
        access: 'admin:read',
        summary: 'List what the tiers of a product allow.',
        description: 'By id. A tier that is not declared allows what each of its entitlements says.',
        answer: { schema: 'TierPage', description: 'A page of tiers.' },
        refusals: ['product_not_found'],
      },
      members: { productId },
      page: ({ listTiers }, values, page, call) => listTiers(values.productId, page, call),
      every: ({ everyTier }, values, newCall) => everyTier(values.productId, newCall),
      view: shownTier,
      columns,
      flexible: ['features'],
      row,
    }),
    command({
      verb: 'show',
      does: 'show what a tier allows',
      operation: {
        id: 'showTier',
        route: 'GET /admin/products/:id/tiers/:tier',
        access: 'admin:read',
        summary: 'Read what a tier allows.',
        description: 'Of a tier that is declared.',
        answer: { schema: 'TierAnswer', description: 'The tier.' },
        refusals: ['tier_not_found'],
      },
      members: { productId, id },
      run: async ({ showTier }, name, call) => outcomeOf(await showTier(name, call)),
    }),
    command({
      verb: 'put',
      does: 'say what a tier allows: all of it; what is left out it does not have',
      operation: {
        id: 'putTier',
        route: 'PUT /admin/products/:id/tiers/:tier',
        access: 'admin:catalog',
        summary: 'Say what a tier allows.',
        description:
          'The whole of it. Entitlements of the tier have it at their next read, unless they have a value of their own. Each process knows it within ten seconds.',
        request: { schema: 'TierTermsRequest', example: { deviceLimit: 3, features: { sso: true, projects: 20 } } },
        answer: { schema: 'TierAnswer', description: 'The tier, which was declared.', created: 'The new tier.' },
        refusals: ['product_not_found', 'trial_exists', 'changed_meanwhile'],
      },
      members: {
        productId,
        id,
        deviceLimit,
        features,
        trial,
      },
      log: {
        putTier: ({ tier, outcome }) =>
          outcome === 'unchanged' ? null : { productId: tier.productId, tierId: tier.id, revision: tier.revision },
      },
      run: async ({ putTier }, { productId: of, id: tierId, ...terms }, call) => {
        const { tier, outcome } = await putTier({ productId: of, id: tierId }, termsOf(terms), call);
        return { ...outcomeOf(tier), isNew: outcome === 'added' };
      },
    }),
    command({
      verb: 'delete',
      does: 'let a tier say nothing more; its entitlements keep what they have of their own',
      operation: {
        id: 'deleteTier',
        route: 'DELETE /admin/products/:id/tiers/:tier',
        access: 'admin:catalog',
        summary: 'Let a tier say nothing more of what it allows.',
        description:
          'Its entitlements stay, with what they have of their own. Deleting a tier that is not declared succeeds.',
        answer: { schema: 'DeletionAnswer', description: 'How many tiers there were.' },
        refusals: ['changed_meanwhile'],
      },
      members: { productId, id },
      log: {
        deleteTier: (deleted, name) => (deleted ? { productId: name.productId, tierId: name.id } : null),
      },
      run: async ({ deleteTier }, name, call) => {
        const deleted = await deleteTier(name, call);
        const said = deleted ? 'Deleted.' : 'The tier was not declared.';
        return { data: { deleted: deleted ? 1 : 0 }, shown: { deleted }, text: said };
      },
    }),
  ],
};
