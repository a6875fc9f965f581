import { handleRule } from '../../../core/affiliate/affiliate.ts';
import { hundredthsOf, percentRule } from '../../../core/affiliate/listing-terms.ts';
import type { PromotionAnswer } from '../../../core/affiliate/manage-promotions.ts';
import {
  codePattern,
  codeRule,
  codesRule,
  maxCodes,
  promotionStates,
  type Promotion,
} from '../../../core/affiliate/promotion.ts';
import type { TermsVersion } from '../../../core/affiliate/sale/terms.ts';
import { listingRules } from '../../../core/catalog/administration/written-listing.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { command, list, type Command, type CommandGroup } from '../declaration/command.ts';
import { optional, required, type Member } from '../declaration/member.ts';
import { described, enumOf, instant, listOf, named, objectOf, orNull, text } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';
import { handle } from './affiliate-commands.ts';

const slug = { ...required('<slug>', 'the slug of the listing', identifierRule), inPath: true };

function view(promotion: Promotion) {
  const members = ['handle', 'slug', 'productId', 'state', 'codes', 'askedAt', 'revision'] as const;
  return { ...only(promotion, members), terms: promotion.terms.map(shownVersion) };
}

const versionMembers = ['from', 'by', 'commissionPercent', 'commissionFor', 'holdDays'] as const;

function shownVersion({ from, by, commissionPercent, commissionFor, holdDays }: TermsVersion) {
  return { from, by, commissionPercent: commissionPercent && commissionPercent / 100, commissionFor, holdDays };
}

/** The outcome of a command about one promotion. To people, with a table of the versions of its terms. */
function outcomeOf(promotion: Promotion) {
  return { data: view(promotion), table: { member: 'terms', columns: versionMembers } };
}

/** A line of the table: the terms agreed last. */
function row(promotion: Promotion) {
  const { terms, codes, ...members } = view(promotion);
  const { commissionPercent = null, commissionFor = null, holdDays = null } = terms.at(-1) ?? {};
  return { ...members, commissionPercent, commissionFor, holdDays, codes: codes.join(' ') };
}

/** The facts of a change in the log. */
function logged({ promotion, outcome }: PromotionAnswer) {
  const { handle: of, slug: on, productId, revision } = promotion;
  return outcome === 'unchanged' ? null : { handle: of, slug: on, productId, revision };
}

/** The codes of a promotion, to be added to those that it has. */
const codes: Member<readonly string[], readonly string[]> = {
  ...required('--code <code>', 'a promotion code as buyers type it at Stripe, repeatable', codesRule),
  isRequired: false,
  otherwise: [],
  each: codeRule,
  schema: { ...listOf({ type: 'string', pattern: codePattern }), maxItems: maxCodes },
  docs: 'Promotion codes as buyers type them at Stripe, which are added to those that it has. A code belongs to its promotion for good.',
};

/** The terms of a promotion. A form has their labels. */
export const promotionTerms = {
  commissionPercent: {
    ...optional('--percent <percent>', 'the commission, with at most two decimals', percentRule),
    docs: 'Without it: as agreed or, of a new promotion, that of the listing.',
    schema: { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 },
    label: 'Commission in percent',
  },
  commissionFor: {
    ...optional('--for <payments>', 'first_payment, lifetime or a number of months', listingRules.commissionFor),
    docs: 'For which payments. Without it: as agreed or, of a new promotion, that of the listing.',
    label: 'For how long',
  },
  holdDays: {
    ...optional('--hold-days <days>', 'for how many days after a payment no commission is due', listingRules.holdDays),
    docs: 'For how many days after a payment no commission is due. Without it: as agreed or, of a new promotion, that of the listing.',
    label: 'Hold, in days',
  },
  codes,
};

function stateCommand(verb: 'approve' | 'end', does: string, description: string): Command {
  const useCase = `${verb}Promotion` as const;
  return command({
    verb,
    does,
    operation: {
      id: useCase,
      route: `POST /admin/promotions/:handle/:slug/${verb}`,
      access: 'admin:affiliates',
      summary: verb === 'approve' ? 'Approve a promotion.' : 'End a promotion.',
      description,
      answer: { schema: 'PromotionAnswer', description: 'The promotion.' },
      refusals:
        verb === 'end'
          ? ['promotion_not_found', 'changed_meanwhile']
          : [
              'affiliate_not_found',
              'affiliate_ended',
              'listing_not_found',
              'listing_not_promotable',
              'promotion_not_found',
              'too_many_terms',
              'changed_meanwhile',
            ],
    },
    members: { handle, slug },
    log: { [useCase]: logged },
    run: async (administration, values, call) => {
      const { promotion } =
        verb === 'end'
          ? await administration.endPromotion(values.handle, values.slug, call)
          : await administration.approvePromotion(values, call);
      return outcomeOf(promotion);
    },
  });
}

const commissionTerms = {
  commissionPercent: orNull({ type: 'number', minimum: 0, maximum: 100 }),
  commissionFor: orNull(named('CommissionFor')),
  holdDays: orNull({ type: 'integer', minimum: 0 }),
};

/** The commands about promotions. */
export const promotionCommands: CommandGroup = {
  name: 'promotion',
  tag: { name: 'Promotions', description: 'What affiliates and listings have agreed.' },
  schemas: {
    TermsVersion: objectOf({
      from: described('The terms count for checkouts that begin later than this.', instant),
      by: described('Who agreed: an operator, or `affiliate:HANDLE`.', text),
      ...commissionTerms,
    }),
    Promotion: objectOf({
      handle: text,
      slug: text,
      productId: described('The product of the listing when it was asked for.', text),
      state: described('Only a `live` promotion sells.', enumOf(promotionStates)),
      codes: described('Promotion codes in lower case, the newest last.', listOf(text)),
      askedAt: instant,
      revision: described('Counts the changes of the promotion.', { type: 'integer', minimum: 1 }),
      terms: described(
        'The oldest first. Its three terms are null in a version that ends the agreement.',
        listOf(named('TermsVersion')),
      ),
    }),
  },
  commands: [
    list({
      does: 'list what affiliates and listings have agreed',
      operation: {
        id: 'listPromotions',
        route: 'GET /admin/promotions',
        access: 'admin:affiliates',
        summary: 'List promotions.',
        description: 'By handle and slug.',
        answer: { schema: 'PromotionPage', description: 'A page of promotions.' },
        refusals: [],
      },
      members: {
        handle: { ...optional('--handle <handle>', 'only those of an affiliate', handleRule), schema: handle.schema },
        slug: optional('--slug <slug>', 'only those of a listing', identifierRule),
        state: {
          ...optional('--state <state>', 'only those that are asked, live or ended', oneOf(promotionStates)),
          schema: enumOf(promotionStates),
        },
      },
      page: ({ listPromotions }, filter, page, call) => listPromotions({ ...filter, productId: null }, page, call),
      every: ({ everyPromotion }, filter, newCall) => everyPromotion({ ...filter, productId: null }, newCall),
      view,
      columns: ['handle', 'slug', 'productId', 'state', 'commissionPercent', 'commissionFor', 'holdDays', 'codes'],
      flexible: ['codes'],
      row,
    }),
    command({
      verb: 'put',
      does: 'agree on the terms of a promotion, which makes it live, and add promotion codes',
      operation: {
        id: 'putPromotion',
        route: 'PUT /admin/promotions/:handle/:slug',
        access: 'admin:affiliates',
        summary: 'Agree on the terms of a promotion.',
        description:
          'Makes it live, whatever the setting of its listing. Other terms than those in force count from now on. Equal ones change nothing. A listing without a product cannot be promoted.',
        request: {
          schema: 'PromotionRequest',
          example: { commissionPercent: 30, commissionFor: 'lifetime', holdDays: 30, codes: ['ADA20'] },
        },
        answer: { schema: 'PromotionAnswer', description: 'The promotion.', created: 'The new promotion.' },
        refusals: [
          'affiliate_not_found',
          'affiliate_ended',
          'listing_not_found',
          'listing_not_promotable',
          'code_exists',
          'too_many_promotions',
          'too_many_codes',
          'too_many_terms',
          'changed_meanwhile',
        ],
      },
      members: { handle, slug, ...promotionTerms },
      log: { putPromotion: logged },
      run: async ({ putPromotion }, { handle: of, slug: on, commissionPercent, ...terms }, call) => {
        const percent = commissionPercent === null ? null : hundredthsOf(commissionPercent);
        const place = { handle: of, slug: on };
        const { promotion, outcome } = await putPromotion(place, { ...terms, commissionPercent: percent }, call);
        return { ...outcomeOf(promotion), isNew: outcome === 'added' };
      },
    }),
    stateCommand(
      'approve',
      'approve a promotion that an affiliate has asked for, with the terms of the listing',
      'With the terms of its listing, from now on. One that is live stays as it is; one that has ended begins again.',
    ),
    stateCommand(
      'end',
      'end a promotion, from now on; what was sold before keeps its terms',
      'From now on: what was sold before keeps its terms. The codes stay with it. Repeating it changes nothing.',
    ),
  ],
};
