import type { Administration } from '../../../../core/administration/administration.ts';
import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import { requireUnlimited } from '../../../../core/reach.ts';
import { affiliateFacts, linkTime } from '../../../administration/commands/affiliate-commands.ts';
import { html } from '../../markup/html.ts';
import { instantText, relativeText } from '../display/dates.ts';
import { mono, written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import { may, must, valuesOf } from '../form/form-members.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { affiliatePath } from '../state/affiliate-paths.ts';
import { affiliateBadge } from './affiliate-list-page.ts';
import { crumbsTo } from './affiliate-page.ts';

const access = 'admin:affiliates';

const editMembers = {
  name: must(affiliateFacts.name, { input: undefined, maxLength: 200 }),
  email: must(affiliateFacts.email, { maxLength: 254 }),
  about: may(affiliateFacts.about, { input: 'lines', rows: 3, maxLength: 300 }),
  url: may(affiliateFacts.url, { input: 'url' }),
  payTo: may(affiliateFacts.payTo, { input: undefined, maxLength: 200 }),
};

const linkMembers = {
  expires: may(linkTime, { label: 'Works for', hint: '1h to 90d. 30d if it is left empty.' }),
};

type Find = DecidedOn<Affiliate>['find'];

/** The pages that change an affiliate, which operators of the whole service open. */
export function affiliateChangeRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const find: Find = async ({ call, parameters: { handle = '' } }) => {
    requireUnlimited(call);
    return administration.showAffiliate(handle, call);
  };
  return [
    ...editRoutes(administration, find),
    ...linkRoutes(administration, find),
    ...decisionRoutes(onAffiliate(find), endings(administration)),
  ];
}

function editRoutes({ setAffiliate }: Administration, find: Find): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'SetAffiliate',
    path: affiliatePath(':handle', 'edit'),
    access,
    find,
    asks: (affiliate) => ({
      path: crumbsTo(affiliate),
      here: 'Edit',
      title: 'Change the affiliate',
      text: 'The handle stays for good. The storefront shows the name, the text and the site.',
      button: 'Save',
    }),
    back: ({ handle }) => ({ href: affiliatePath(handle), text: 'Keep it' }),
    proposes: (affiliate) => valuesOf(editMembers, affiliate),
    members: editMembers,
    refusals: {
      affiliate_exists: { member: 'email', problem: 'is that of another affiliate' },
      affiliate_ended: { member: 'name', problem: 'is erased for good' },
      invalid_email: { member: 'email', problem: 'must be one that mails can be sent to' },
    },
    seen: (affiliate) => ({
      now: seenAffiliate(affiliate),
      intent: html`change ${mono(`@${affiliate.handle}`)}.`,
    }),
    act: async ({ name, email, about = null, url = null, payTo = null }, { handle }, { call }) => {
      await setAffiliate(handle, { name, email, about, url, payTo }, call);
      return goTo(affiliatePath(handle), 'edited');
    },
  });
}

function linkRoutes({ createAffiliateLink }: Administration, find: Find): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'CreateAffiliateLink',
    path: affiliatePath(':handle', 'link'),
    access,
    find,
    asks: (affiliate) => ({
      path: crumbsTo(affiliate),
      here: 'Link',
      title: 'Make a link for the affiliate?',
      text: html`Who opens it sees and changes what ${mono(`@${affiliate.handle}`)} promotes, and where the commission
      is paid.`,
      button: 'Make the link',
    }),
    back: ({ handle }) => ({ href: affiliatePath(handle), text: 'Back to the affiliate' }),
    members: linkMembers,
    act: async ({ expires = null }, affiliate, { call }) => {
      const { url, expiresAt } = await createAffiliateLink(affiliate.handle, expires, call);
      return shown(
        shownOncePage({
          path: crumbsTo(affiliate),
          here: 'Link',
          heading: 'The link for the affiliate is ready',
          label: 'Link',
          secret: url,
          advice:
            'Send it to this person, and to nobody else. Only a digest is stored. If it is lost, make another one.',
          facts: [
            ['Affiliate', mono(`@${affiliate.handle}`)],
            ['Works until', `${instantText(expiresAt)}, ${relativeText(expiresAt, call.now)}`],
          ],
          back: affiliatePath(affiliate.handle),
        }),
      );
    },
  });
}

function endings({ endAffiliate, endAffiliateLinks, eraseAffiliate }: Administration): readonly Decision<Affiliate>[] {
  return [
    {
      name: 'end-links',
      verb: 'End links',
      question: 'End every link to the own page?',
      button: 'End links',
      heading: 'Who has one needs another.',
      effects: () => [html`Every link to the page stops at once, on every process.`],
      run: ({ handle }, call) => endAffiliateLinks(handle, call),
    },
    {
      name: 'end',
      verb: 'End',
      isFinal: true,
      heading: 'An affiliate who has ended is never one again under this handle.',
      effects: () => [
        html`The storefront and the own page are gone at once.`,
        html`Every promotion ends. Links still lead to the sale, without the name.`,
        html`Sales of before keep their terms, and are paid.`,
      ],
      milder: () => html`Is it one product? End that promotion instead.`,
      isDone: ({ state }) => state === 'ended',
      run: ({ handle }, call) => endAffiliate(handle, call),
    },
    {
      name: 'erase',
      verb: 'Erase',
      isFinal: true,
      heading: 'This cannot be undone.',
      effects: () => [
        html`The name, the address, the text, the site and where to pay are removed. Backups keep them.`,
        html`The handle, the promotions and what was sold stay, because they are accounts.`,
      ],
      isDone: ({ email }) => email === null,
      run: ({ handle }, call) => eraseAffiliate(handle, call),
    },
  ];
}

function onAffiliate(find: Find): DecidedOn<Affiliate> {
  return {
    noun: 'affiliate',
    kind: 'Affiliate',
    access,
    path: (decision) => affiliatePath(':handle', decision),
    find,
    crumbs: crumbsTo,
    facts: (affiliate) => [
      ['Affiliate', written(affiliate.name)],
      ['Handle', mono(`@${affiliate.handle}`)],
      ['State', affiliateBadge(affiliate)],
    ],
    seen: seenAffiliate,
    intent: ({ handle }, verb) => html`${verb} ${mono(`@${handle}`)}.`,
    back: ({ handle }) => affiliatePath(handle),
  };
}

/** The values that a page has shown of an affiliate. */
function seenAffiliate({ name, state, revision }: Affiliate): Seen {
  return { Name: name, State: state, Revision: String(revision) };
}
