import {
  aboutPattern,
  aboutRule,
  handlePattern,
  handleRule,
  maxAbout,
  type Affiliate,
} from '../../../core/affiliate/affiliate.ts';
import { affiliateLinkTimeRule } from '../../../core/buyer/buyer-link.ts';
import { listingNameRule } from '../../../core/catalog/administration/written-listing.ts';
import { maxMailTime } from '../../../core/mail/mail-sender.port.ts';
import { urlRule } from '../../../core/parsing/url-rules.ts';
import { emailAddressRule } from '../../../core/waitlist/sign-up.ts';
import { command, list, type Command, type CommandGroup } from '../declaration/command.ts';
import { optional, required } from '../declaration/member.ts';
import {
  count,
  described,
  enumOf,
  flag,
  instant,
  named,
  nullableText,
  objectOf,
  text,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const handleSchema = { type: 'string', minLength: 3, maxLength: 30, pattern: handlePattern };

/** The handle of an affiliate, in the path of a request. */
export const handle = {
  ...required('<handle>', 'the handle of the affiliate', handleRule),
  inPath: true,
  schema: handleSchema,
};

const shownMembers = [
  'handle',
  'name',
  'email',
  'about',
  'url',
  'payTo',
  'state',
  'createdAt',
  'revision',
] as const satisfies readonly (keyof Affiliate)[];

const view = (affiliate: Affiliate) => only(affiliate, shownMembers);

/** The members of an affiliate that can be changed. The labels are for forms. */
export const affiliateFacts = {
  name: { ...required('--name <name>', 'the display name', listingNameRule), label: 'Name' },
  email: { ...required('--email <address>', 'the e-mail address', emailAddressRule), label: 'E-mail address' },
  about: {
    ...optional('--about <text>', `a text for the storefront, at most ${maxAbout} characters`, aboutRule),
    schema: { type: 'string', maxLength: maxAbout, pattern: aboutPattern, format: 'well-formed' },
    label: 'About',
  },
  url: { ...optional('--url <url>', "the affiliate's own page", urlRule), label: 'Website' },
  payTo: {
    ...optional('--pay-to <text>', 'where to pay, one line of at most 200 characters', listingNameRule),
    label: 'Pay to',
  },
};

/** The names of an invited person. A name that is left out comes from the waitlist. */
export const invitedNames = {
  handle: {
    ...optional('--handle <handle>', 'the handle (default: that of the waitlist)', handleRule),
    schema: handleSchema,
    docs: 'Fixed, and never given twice. Without it, that of the waitlist, folded.',
    label: 'Handle',
  },
  name: {
    ...optional('--name <name>', 'the display name (default: that of the waitlist)', listingNameRule),
    docs: 'Without it, that of the waitlist or, where it has none, the handle.',
    label: 'Name',
  },
};

/** The lifetime of a link. */
export const linkTime = {
  ...optional('--expires <duration>', 'how long it works, 1h to 90d', affiliateLinkTimeRule),
  schema: named('Duration'),
};

function endCommand(verb: 'end' | 'erase', does: string, description: string): Command {
  const useCase = `${verb}Affiliate` as const;
  return command({
    verb,
    does,
    operation: {
      id: useCase,
      route: `POST /admin/affiliates/:handle/${verb}`,
      access: 'admin:affiliates',
      summary: verb === 'end' ? 'End an affiliate.' : 'Erase what tells who an affiliate is.',
      description,
      answer: { schema: 'AffiliateAnswer', description: 'The affiliate.' },
      refusals: ['limited_key', 'affiliate_not_found', 'changed_meanwhile'],
    },
    members: { handle },
    log: { [useCase]: ({ changed }: { changed: boolean }, of: string) => (changed ? { handle: of } : null) },
    run: async (administration, values, call) => ({
      data: view((await administration[useCase](values.handle, call)).affiliate),
    }),
  });
}

/** The commands about affiliates. */
export const affiliateCommands: CommandGroup = {
  name: 'affiliate',
  tag: { name: 'Affiliates', description: 'Who sells listed products for a commission.' },
  schemas: {
    Affiliate: objectOf({
      handle: described('Fixed, and never given twice.', text),
      name: text,
      email: described('Null once the affiliate is erased.', nullableText),
      about: nullableText,
      url: nullableText,
      payTo: described('Where to pay, in words.', nullableText),
      state: described('An affiliate who has `ended` promotes nothing.', enumOf(['active', 'ended'])),
      createdAt: instant,
      revision: described('Counts the changes of the affiliate.', { type: 'integer', minimum: 1 }),
    }),
    AffiliateLink: objectOf({ url: described('A secret, which is shown only this once.', text), expiresAt: instant }),
    InvitedAffiliate: objectOf({
      affiliate: named('Affiliate'),
      link: named('AffiliateLink'),
      mailed: described('Whether a mail server has taken a mail with the link.', flag),
    }),
    EndedLinks: objectOf({ ended: count }),
  },
  commands: [
    list({
      does: 'list affiliates',
      operation: {
        id: 'listAffiliates',
        route: 'GET /admin/affiliates',
        access: 'admin:affiliates',
        summary: 'List affiliates.',
        description:
          'By handle. A key that is limited to products lists those who have a promotion of one of its products.',
        answer: { schema: 'AffiliatePage', description: 'A page of affiliates.' },
        refusals: [],
      },
      members: {},
      page: ({ listAffiliates }, _all, page, call) => listAffiliates(page, call),
      every: ({ everyAffiliate }, _all, newCall) => everyAffiliate(newCall),
      view,
      columns: ['handle', 'name', 'email', 'state', 'createdAt'],
      flexible: ['name', 'email'],
    }),
    command({
      verb: 'show',
      does: 'show an affiliate',
      operation: {
        id: 'showAffiliate',
        route: 'GET /admin/affiliates/:handle',
        access: 'admin:affiliates',
        summary: 'Read an affiliate.',
        description: 'With the address, and where to pay.',
        answer: { schema: 'AffiliateAnswer', description: 'The affiliate.' },
        refusals: ['affiliate_not_found'],
      },
      members: { handle },
      run: async ({ showAffiliate }, values, call) => ({ data: view(await showAffiliate(values.handle, call)) }),
    }),
    command({
      verb: 'add',
      does: 'make somebody an affiliate, and a link to the own page',
      operation: {
        id: 'addAffiliate',
        route: 'POST /admin/affiliates',
        access: 'admin:affiliates',
        alsoNeeds: ({ handle: given, name }: { handle?: unknown; name?: unknown }) =>
          (given ?? null) === null || (name ?? null) === null ? 'admin:waitlist' : null,
        summary: 'Invite an affiliate.',
        description:
          'Makes somebody an affiliate, and a link to the own page, which is mailed if the service sends mail. What is left out is that of the waitlist entry of the address, and needs `admin:waitlist`, too. The same address again changes nothing, and gets another link.',
        request: { schema: 'AffiliateInvitation', example: { email: 'ada@example.com', handle: 'ada', name: 'Ada' } },
        answer: {
          schema: 'InvitedAffiliateAnswer',
          description: 'The affiliate, who was one already, and a link.',
          created: 'The affiliate, and a link.',
        },
        extraTime: maxMailTime,
        refusals: [
          'limited_key',
          'invalid_email',
          'affiliate_exists',
          'affiliate_ended',
          'handle_taken',
          'changed_meanwhile',
        ],
      },
      members: {
        email: affiliateFacts.email,
        ...invitedNames,
      },
      hasBatch: false,
      log: { addAffiliate: ({ affiliate }) => ({ handle: affiliate.handle }) },
      run: async ({ addAffiliate }, invitation, call) => {
        const { affiliate, outcome, link, mailed } = await addAffiliate(invitation, call);
        return {
          data: { affiliate: view(affiliate), link, mailed },
          facts: { ...view(affiliate), link: link.url, expiresAt: link.expiresAt, mailed },
          isNew: outcome === 'added',
        };
      },
    }),
    command({
      verb: 'set',
      does: 'give an affiliate other facts: all of them; what is left out is not there',
      operation: {
        id: 'putAffiliate',
        route: 'PUT /admin/affiliates/:handle',
        access: 'admin:affiliates',
        summary: 'Give an affiliate other facts.',
        description: 'All of them. An affiliate who is erased gets none.',
        request: {
          schema: 'AffiliateFacts',
          example: { name: 'Ada', email: 'ada@example.com', payTo: 'PayPal ada@example.com' },
        },
        answer: { schema: 'AffiliateAnswer', description: 'The affiliate.' },
        refusals: [
          'limited_key',
          'affiliate_not_found',
          'invalid_email',
          'affiliate_exists',
          'affiliate_ended',
          'changed_meanwhile',
        ],
      },
      members: { handle, ...affiliateFacts },
      log: {
        setAffiliate: ({ affiliate, changed }) =>
          changed ? { handle: affiliate.handle, revision: affiliate.revision } : null,
      },
      run: async ({ setAffiliate }, { handle: of, ...facts }, call) => ({
        data: view((await setAffiliate(of, facts, call)).affiliate),
      }),
    }),
    endCommand(
      'end',
      'end an affiliate, the promotions and the links',
      'Promotions end from now on: what was agreed for sales before stays. Repeating it changes nothing, and finishes what was interrupted.',
    ),
    endCommand(
      'erase',
      'end an affiliate, and erase the name, the address and where to pay',
      'Ends the affiliate, too. The handle, the promotions and what was sold stay, because they are accounts. It cannot be undone.',
    ),
    command({
      verb: 'link',
      does: "make a link to an affiliate's own page",
      operation: {
        id: 'createAffiliateLink',
        route: 'POST /admin/affiliates/:handle/links',
        access: 'admin:affiliates',
        summary: "Make a link to an affiliate's own page.",
        description:
          'It works for `expires` (`1h` to `90d`, `30d` by default), more than once. More than 20 end the oldest.',
        request: { schema: 'AffiliateLinkRequest', example: { expires: '7d' } },
        answer: { schema: 'AffiliateLinkAnswer', description: 'The link.' },
        refusals: ['limited_key', 'affiliate_not_found', 'affiliate_ended'],
      },
      members: { handle, expires: linkTime },
      log: { createAffiliateLink: (_link, of) => ({ handle: of }) },
      run: async ({ createAffiliateLink }, values, call) => ({
        data: await createAffiliateLink(values.handle, values.expires, call),
      }),
    }),
    command({
      verb: 'end-links',
      does: "end every link to an affiliate's own page",
      operation: {
        id: 'endLinksOfAffiliate',
        route: 'DELETE /admin/affiliates/:handle/links',
        access: 'admin:affiliates',
        summary: "End every link to an affiliate's own page.",
        description: 'On every process at once.',
        answer: { schema: 'EndedLinksAnswer', description: 'How many there were.' },
        refusals: ['limited_key', 'affiliate_not_found'],
      },
      members: { handle },
      log: { endAffiliateLinks: (links, of) => (links === 0 ? null : { handle: of, links }) },
      run: async ({ endAffiliateLinks }, values, call) => ({
        data: { ended: await endAffiliateLinks(values.handle, call) },
      }),
    }),
  ],
};
