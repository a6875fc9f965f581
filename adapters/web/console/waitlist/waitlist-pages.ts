import { foldedHandle, handleRule } from '../../../../core/affiliate/affiliate.ts';
import { defaultPageSize, type Page } from '../../../../core/paging/page.ts';
import type { WaitlistEntry } from '../../../../core/waitlist/invitation.ts';
import type { WaitlistRole } from '../../../../core/waitlist/sign-up.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { mayInvite } from '../affiliates/affiliate-list-page.ts';
import { instant } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { crumbs, empty, note, written } from '../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../display/view.ts';
import { listHref, listPage, sizeText, viewsOf } from '../list/list-page.ts';
import { addAffiliatePath, affiliatePath } from '../state/affiliate-paths.ts';

export const waitlistPath = '/console/waitlist';
export const eraseFromWaitlistPath = `${waitlistPath}/erase`;
export const inviteFromWaitlistPath = `${waitlistPath}/invite`;
export const waitlistFilePath = `${waitlistPath}/waitlist.csv`;

/** The texts of the waitlist after an erasure. */
export const waitlistDone = {
  erased: 'The address was erased.',
  unknown: 'The address was not on the waitlist. Nothing was changed.',
};

export const waitlistCrumb = { href: waitlistPath, text: 'Waitlist' };

/** The content of the list of sign-ups. */
export interface WaitlistPart {
  readonly page: Page<WaitlistEntry>;
  /** Null for every role and for none. */
  readonly role: WaitlistRole | null;
  readonly isFirst: boolean;
  /** The number of sign-ups in all, up to `countedItems`. */
  readonly size: number;
  /** The handles of those who are affiliates, by the address of their entry. */
  readonly handles: ReadonlyMap<string, string>;
}

/** The waitlist. Addresses stand in no address of a page, so forms lead to the next page and to an erasure. */
export function waitlistPage(view: PageView, part: WaitlistPart, done: Html | null): PageContent {
  const { page, role, isFirst, size } = part;
  const { items, next } = page;
  if (size === 0 && isFirst) return emptyPage(view, done);
  const buttons = html`<div class="buttons">
    <a class="button" href="${eraseFromWaitlistPath}">Erase an address</a
    ><a class="button primary" href="${waitlistFilePath}">Download</a>
  </div>`;
  const filter = new URLSearchParams(role === null ? {} : { role });
  return listPage({
    title: 'Waitlist',
    number: sizeText(size),
    beside: buttons,
    done,
    views: { label: 'Role', items: viewsOf(waitlistPath, filter, 'role', roles) },
    filter: null,
    content: items.length === 0 ? nothingFound(next) : signUpTable(view, part),
    foot: `By address. ${defaultPageSize} on a page.`,
    pages: nextForm(view, part),
  });
}

const roles = [
  [null, 'All'],
  ['creator', 'Creators'],
  ['brand', 'Brands'],
  ['both', 'Both'],
] as const;

function emptyPage(view: PageView, done: Html | null): PageContent {
  return headedPage(
    { title: 'Waitlist' },
    html`${done}
    ${empty(
      view,
      'mail',
      'Nobody has signed up yet',
      'People leave their e-mail address on the page of the waitlist.',
      {
        link: null,
        command: 'latchkey waitlist export',
      },
    )}`,
  );
}

function nothingFound(next: string | null): Html {
  return next === null
    ? html`<p class="muted">Nobody with this role has signed up.</p>`
    : html`<p class="muted">Nothing on this page. The list goes on with the next one.</p>`;
}

function nextForm(view: PageView, { page: { next }, role, isFirst }: WaitlistPart): Html | null {
  if (isFirst && next === null) return null;
  const first = listHref(waitlistPath, new URLSearchParams(role === null ? {} : { role }));
  const following =
    next === null
      ? null
      : html`${role === null ? null : hidden('role', role)} ${hidden('after', next)}<button class="button">
            Next page
          </button>`;
  return html`<nav class="buttons" aria-label="Pages">
    ${isFirst ? null : html`<a class="button" href="${first}">First page</a>`}
    ${following === null ? null : postForm(view, waitlistPath, following)}
  </nav>`;
}

function signUpTable(view: PageView, { page: { items }, handles }: WaitlistPart): Html {
  return table(
    'Entries, by address',
    [
      { heading: 'E-mail', cell: ({ email }) => written(email) },
      { heading: 'Name', cell: ({ name }) => written(name ?? '–') },
      { heading: 'Handle', cell: ({ handle }) => written(handle ?? '–') },
      { heading: 'Role', cell: ({ role }) => role ?? '–' },
      { heading: 'Signed up', isMuted: true, cell: ({ at }) => instant(at) },
      {
        heading: 'Invited',
        isMuted: true,
        cell: ({ invitedAt }) => (invitedAt === null ? '–' : instant(invitedAt)),
      },
      {
        heading: '',
        atEnd: true,
        cell: (entry) =>
          html`<div class="buttons">
            ${inviteForm(view, entry)}${affiliateForm(view, entry, handles)}${eraseForm(view, entry.email)}
          </div>`,
      },
    ],
    items,
  );
}

/** A merchant is invited, who signs up as a brand or says nothing of it. Issuing keys needs a scope of its own. */
function inviteForm(view: PageView, { email, role }: WaitlistEntry): Html | null {
  if (role === 'creator' || !view.may('admin:access')) return null;
  return postForm(
    view,
    inviteFromWaitlistPath,
    html`${hidden('step', 'ask')} ${hidden('email', email)}<button class="button" aria-label="Invite ${email}">
        Invite
      </button>`,
  );
}

/** An affiliate is invited, who signs up as a creator. Who is one already has a page. */
function affiliateForm(view: PageView, entry: WaitlistEntry, handles: WaitlistPart['handles']): Html | null {
  const { email, name, handle, role } = entry;
  const known = handles.get(email);
  if (known !== undefined) return html`<a class="button quiet mono" href="${affiliatePath(known)}">@${known}</a>`;
  if ((role !== 'creator' && role !== 'both') || !mayInvite(view)) return null;
  const folded = handleRule.parse(foldedHandle(handle ?? ''));
  return postForm(
    view,
    addAffiliatePath,
    html`${hidden('step', 'ask')} ${hidden('email', email)} ${folded === null ? null : hidden('handle', folded)}
      ${name === null ? null : hidden('name', name)}<button class="button" aria-label="Invite ${email} as an affiliate">
        ${role === 'both' ? 'Invite as affiliate' : 'Invite'}
      </button>`,
  );
}

function eraseForm(view: PageView, email: string): Html {
  return postForm(
    view,
    eraseFromWaitlistPath,
    html`${hidden('step', 'ask')} ${hidden('email', email)}<button class="button" aria-label="Erase ${email}">
        Erase
      </button>`,
  );
}

/** Asks whether an address is to be erased. */
export function erasePage(view: PageView, email: string): PageContent {
  return {
    title: 'Erase this address?',
    main: html`<div class="confirm">
      ${crumbs([waitlistCrumb], 'Erase')}
      <h1>Erase this address?</h1>
      ${note(
        'bad',
        'This cannot be undone.',
        html`<p>
          <strong>${written(email)}</strong> and what came with it are removed from the store. Backups keep them.
        </p>`,
      )}
      ${postForm(
        view,
        eraseFromWaitlistPath,
        html`${hidden('step', 'erase')} ${hidden('email', email)}
          <div class="buttons">
            <button class="button danger">Erase address</button><a class="button" href="${waitlistPath}">Keep it</a>
          </div>`,
      )}
    </div>`,
  };
}
