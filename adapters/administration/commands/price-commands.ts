import { loggedWarning } from '../../../core/administration/change-log.ts';
import { updatesRule, type PriceMapping } from '../../../core/billing/price-map.port.ts';
import { maxDevices } from '../../../core/entitlement/entitlement.ts';
import { deviceLimitRule } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { durationText } from '../../../core/parsing/duration.ts';
import { displayNameRule } from '../../../core/parsing/value-rule.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { optional, required } from '../declaration/member.ts';
import { described, nullableText, objectOf, text } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';
import { warningNote, warnings, warningsView } from './tier-warning.ts';

const shown = ['price', 'productId', 'tierId', 'tierName', 'deviceLimit', 'updates'] as const;

function view(mapping: PriceMapping): object {
  return { ...only(mapping, shown), updates: mapping.updates === null ? null : durationText(mapping.updates) };
}

const price = { ...required('--price <id>', 'the id of the price at Stripe', identifierRule), inPath: true };

const properties = {
  price: text,
  productId: text,
  tierId: text,
  tierName: text,
  deviceLimit: described('How many devices each unit of the quantity allows; null if the price does not say it.', {
    type: ['integer', 'null'],
  }),
  updates: described('For how long a purchase gets updates; null if the price does not say it.', nullableText),
};

/** The commands about prices of Stripe, which sell tiers. */
export const priceCommands: CommandGroup = {
  name: 'stripe map',
  tag: { name: 'Prices', description: 'What the prices of Stripe sell.' },
  schemas: {
    Price: objectOf(properties),
    MappedPrice: objectOf({ ...properties, warnings }, { optional: ['warnings'] }),
  },
  commands: [
    list({
      does: 'list the prices that are mapped',
      operation: {
        id: 'listPrices',
        route: 'GET /admin/stripe/prices',
        access: 'admin:read',
        summary: 'List what the prices of Stripe sell.',
        description: 'By price.',
        answer: { schema: 'PricePage', description: 'A page of prices.' },
        refusals: ['limited_key'],
      },
      members: {},
      page: ({ listPrices }, _all, page, call) => listPrices(page, call),
      every: ({ everyPrice }, _all, newCall) => everyPrice(newCall),
      view,
      columns: shown,
    }),
    command({
      verb: 'add',
      does: 'map a price to the tier that it sells; replaces an earlier mapping',
      operation: {
        id: 'putPrice',
        route: 'PUT /admin/stripe/prices/:price',
        access: 'admin:catalog',
        summary: 'Say what a price of Stripe sells.',
        description:
          'Replaces what the price sold before. Entitlements that it has granted follow with the next event of their subscriptions, unless the product differs.',
        request: {
          schema: 'PriceRequest',
          example: { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' },
        },
        answer: { schema: 'MappedPriceAnswer', description: 'The price, which was known.', created: 'The new price.' },
        refusals: ['product_not_found', 'limited_key'],
      },
      members: {
        price,
        productId: required('--product <id>', 'the product', identifierRule),
        tierId: required('--tier <id>', 'the tier', identifierRule),
        tierName: required('--tier-name <name>', 'the name of the tier, for people', displayNameRule),
        deviceLimit: optional(
          '--device-limit <count>',
          `how many devices each unit of the quantity allows, 1 to ${maxDevices} (default: Stripe does not decide it)`,
          deviceLimitRule,
        ),
        updates: {
          ...optional(
            '--updates <duration>',
            'for how long a purchase gets updates, 1d to 3650d (default: Stripe does not decide it)',
            updatesRule,
          ),
          docs: 'For how long a purchase gets updates, from its payment on. Subscriptions ignore it.',
        },
      },
      log: {
        mapPrice: (answer, { price: mapped }) =>
          answer.outcome === 'unchanged' ? null : { price: mapped, ...loggedWarning(answer) },
      },
      run: async ({ mapPrice }, written, call) => {
        const answer = await mapPrice(written, call);
        const facts = view(answer.mapping);
        const isNew = answer.outcome === 'added';
        return { data: { ...facts, ...warningsView(answer) }, facts, isNew, ...warningNote(answer) };
      },
    }),
    command({
      verb: 'remove',
      does: 'remove the mapping of a price; what it has granted stays',
      operation: {
        id: 'deletePrice',
        route: 'DELETE /admin/stripe/prices/:price',
        access: 'admin:catalog',
        summary: 'Let a price of Stripe sell nothing.',
        description: 'What it has granted stays. Removing a mapping that does not exist succeeds.',
        answer: { schema: 'DeletionAnswer', description: 'How many prices there were.' },
        refusals: ['limited_key'],
      },
      members: { price },
      log: { unmapPrice: (removed, unmapped) => (removed ? { price: unmapped } : null) },
      run: async ({ unmapPrice }, values, call) => {
        const removed = await unmapPrice(values.price, call);
        const said = removed ? 'Removed.' : 'The price was not mapped.';
        return { data: { deleted: removed ? 1 : 0 }, shown: { removed }, text: said };
      },
    }),
  ],
};
