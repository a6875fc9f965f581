import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { SearchedForm } from '../../../../core/purchase/find-purchase.ts';
import type { SignUp } from '../../../../core/waitlist/sign-up.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { instant } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { facts, mono } from '../display/parts.ts';
import { findableText, findInput, hidden, type PageContent, type PageView } from '../display/view.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { entitlementPath } from '../state/names.ts';
import { stateBadge } from '../state/state-badge.ts';
import { tierElement } from '../state/terms.ts';

interface Nothing {
  readonly says: string;
  readonly canBe: readonly (readonly [name: string, text: Html | string])[];
}

const rotated = [
  'Rotated',
  'An old key does not work, and cannot be found. Find the purchase by its reference instead.',
] as const;
const deleted = ['Deleted', 'Licenses are never deleted. A revoked one is still found.'] as const;

const buyer = ['A buyer', 'This server asks no shop for addresses: STRIPE_API_KEY is not set.'] as const;

const missingScope = ['A missing scope', 'Only a key with admin:waitlist finds addresses on the waitlist.'] as const;

/** For an address that was typed with a key that is limited to products, which finds none on the waitlist. */
const noReference: Nothing = {
  says: 'What you typed has the form of an e-mail address, and no reference has it.',
  canBe: [buyer],
};

const nothing: Readonly<Record<SearchedForm, Nothing>> = {
  'license key': {
    says: 'What you typed has the form of a license key, and no license of this store has it.',
    canBe: [
      [
        'A typo',
        'Its last character is a checksum, and it fits: the whole key was copied. It belongs to another shop, or to a test system.',
      ],
      rotated,
      deleted,
    ],
  },
  'mistyped license key': {
    says: 'What you typed looks like a license key, but its last character does not fit: a character is wrong, missing or too many.',
    canBe: [
      ['A typo', 'Its last character is a checksum, and it does not fit. Ask the buyer to copy the whole key.'],
      rotated,
      deleted,
    ],
  },
  'e-mail address': {
    says: 'What you typed has the form of an e-mail address, and neither the waitlist nor a reference has it.',
    canBe: [buyer, ['Another address', 'The waitlist ignores upper and lower case, and nothing else.'], missingScope],
  },
  other: {
    says: 'No entitlement has what you typed as its id, its license key or its reference, and no trial as its id.',
    canBe: [
      ['Cut off', 'Enter all of it, or the last four characters of a license key: no other part finds anything.'],
      ['A reference', 'Upper and lower case count. It is found if your shop has sent it with the grant.'],
      ['An imported key', 'A key of another system is found exactly as it was imported.'],
    ],
  },
};

/** The page for a text that leads nowhere. It does not repeat the text. */
export function nothingFoundPage(
  form: SearchedForm,
  { lostKeys }: Pick<ConsoleParts, 'lostKeys'>,
  view: PageView,
): PageContent {
  const { says, canBe } =
    form === 'e-mail address' && view.findsBuyers
      ? nobody(lostKeys, view)
      : form === 'e-mail address' && view.isLimited
        ? noReference
        : nothing[form];
  return headedPage(
    { title: 'Nothing found', says },
    html`<section class="section">
        <h2>What you can look for</h2>
        ${facts(canBe, 'boxed')}
      </section>
      ${again(view)}`,
  );
}

/** For an address that Stripe was asked for. */
function nobody(lostKeys: ConsoleParts['lostKeys'], { may, isLimited }: PageView): Nothing {
  const hasWaitlist = may('admin:waitlist') && !isLimited;
  return {
    says: `Neither Stripe${hasWaitlist ? ', the waitlist' : ''} nor a reference has the address that you typed.`,
    canBe: [
      ['Another address', "Buyers often pay with another one. Ask for the one on Stripe's receipt."],
      ...(lostKeys.kind === 'page'
        ? [['Tell the buyer', html`${mono(lostKeys.url())} tries any address.`] as const]
        : []),
      ...(hasWaitlist || isLimited ? [] : [missingScope]),
    ],
  };
}

/** A field to find something else. */
export function again(view: PageView): Html {
  return html`<section class="section">
    <h2>Try another</h2>
    <form class="toolbar" method="post" action="/console/find">
      ${hidden('token', view.token)}
      <div class="field"><label for="again">${findableText(view)}</label>${findInput('again')}</div>
      <div class="buttons"><button class="button primary">Find</button></div>
    </form>
  </section>`;
}

/** The page for a reference that several products have. */
export function severalFoundPage(entitlements: readonly FullSnapshot[]): PageContent {
  return headedPage(
    {
      title: 'Several found',
      says: 'A reference is unique in its product only. These entitlements have the one that you typed.',
    },
    table(
      'Entitlements with the reference',
      [
        {
          heading: 'Entitlement',
          cell: ({ id }) => html`<a class="row mono" href="${entitlementPath(id)}">${id}</a>`,
        },
        { heading: 'Product', cell: ({ productId }) => mono(productId) },
        { heading: 'Tier', cell: (entitlement) => tierElement(entitlement) },
        { heading: 'State', cell: ({ status }) => stateBadge(status) },
      ],
      entitlements,
    ),
  );
}

/** The page for an address of the waitlist. It does not repeat the address. */
export function signUpFoundPage({ at, role }: SignUp): PageContent {
  return headedPage(
    { title: 'On the waitlist', says: 'The address that you typed has signed up.' },
    html`${facts(
        [
          ['Since', instant(at)],
          ['Role', role ?? 'Not given'],
        ],
        'boxed',
      )}
      <div class="buttons"><a class="button" href="/console/waitlist">Open the waitlist</a></div>`,
  );
}
