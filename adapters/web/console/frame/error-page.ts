import { html, type Html } from '../../markup/html.ts';
import { mono, written } from '../display/parts.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';
import type { ConsoleRoute } from './console-page.ts';
import type { Framed } from './frame.ts';
import { consolePath, firstPage } from './navigation.ts';
import { askedFor, type AskedPage, type WayBack } from './way-back.ts';

/** A refusal of a request for a page of the console. */
export interface RefusedPage {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly correlationId: string;
  /** The scope that the key lacks; null for every other reason. */
  readonly scope: string | null;
  /** Null where no page has the path. */
  readonly asked: AskedPage | null;
}

const headings: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  403: 'Not allowed',
  404: 'Not found',
  405: 'This page cannot be used in that way',
  409: 'This cannot be done now',
  413: 'This request is too large',
  429: 'Too many requests',
};

/** The codes of an answer, for a report to those who run the service. */
export function codeLine({ code, correlationId }: Pick<RefusedPage, 'code' | 'correlationId'>): Html {
  return html`<p class="code-line muted small">Error ${mono(code)} · request ${mono(correlationId)}</p>`;
}

/** Says why a request was refused, that nothing was changed, and what to do. Without a viewer, nobody is signed in. */
export function errorPage(
  refused: RefusedPage,
  viewer: Pick<Framed, 'operatorKey' | 'view'> | null,
  back: WayBack | null,
): PageContent {
  const { status, message, scope, code } = refused;
  if (scope !== null && viewer !== null) return scopePage(refused, scope, viewer, back);
  const heading = headings[status] ?? 'Something went wrong';
  return {
    title: heading,
    main: html`<div class="stop">
      <span class="badge plain">${status}</span>
      <h1>${heading}</h1>
      <p dir="auto">${message} ${outcomeOf(status)}</p>
      <p class="muted">${adviceFor(code, status, viewer?.view ?? null)}</p>
      <div class="buttons"><a class="button primary" href="${consolePath}">${homeText(viewer?.view ?? null)}</a></div>
      ${codeLine(refused)}
    </div>`,
  };
}

/** If the store did not answer, nobody knows the outcome after a fault. */
function outcomeOf(status: number): string {
  return status < 500 ? 'Nothing was changed.' : 'It is not known whether anything was changed.';
}

/** Where the address of the console leads. */
function homeText(view: PageView | null): string {
  if (view === null) return 'Go to the console';
  return `Go to the ${view.may('admin:read') ? 'overview' : 'console'}`;
}

function adviceFor(code: string, status: number, view: PageView | null): string {
  if (code === 'invalid_token' || code === 'foreign_origin')
    return 'Open the page again here, and send the form from there.';
  if (code === 'link_not_found')
    return 'The link of an invitation works once, and for a short time. Ask those who have invited you for another one.';
  if (status >= 500)
    return 'Look at the page again before you repeat it. The log has the cause under the number below.';
  if (status === 404) {
    const find = view?.may('admin:read') === true ? ' Find it with the field above.' : '';
    return `It may have been removed, or the address has a typo.${find}`;
  }
  return 'Go back, look at it as it is now, and try again.';
}

function scopePage(
  refused: RefusedPage,
  scope: string,
  { operatorKey, view }: Pick<Framed, 'operatorKey' | 'view'>,
  back: WayBack | null,
): PageContent {
  const { name, scopes } = operatorKey;
  const asked = (refused.asked === null ? null : askedFor(refused.asked)) ?? 'This';
  return {
    title: 'Your key may not do this',
    main: html`<div class="stop">
      <span class="badge plain">${refused.status}</span>
      <h1>Your key may not do this</h1>
      <p>
        ${asked} needs the scope ${mono(scope)}. The key you signed in with, <strong><bdi>${name}</bdi></strong
        >, has ${mono(scopes.join(', '))}. Nothing was changed.
      </p>
      <p class="muted">
        Ask an operator with ${mono('admin:access')} to issue a key with that scope, then sign in with it.
      </p>
      <div class="buttons">
        ${backLink(view, back)}${postForm(view, '/console/sign-out', html`<button class="button">Sign in with another key</button>`)}
      </div>
      ${codeLine(refused)}
    </div>`,
  };
}

function backLink(view: PageView, back: WayBack | null): Html | null {
  if (back !== null) return html`<a class="button primary" href="${back.href}">Back to ${written(back.name)}</a>`;
  if (firstPage(view) === null) return null;
  const home = view.may('admin:read') ? 'overview' : 'console';
  return html`<a class="button primary" href="${consolePath}">Back to the ${home}</a>`;
}

/** Every other address below `/console`. Only somebody who is signed in learns that there is nothing. */
export const notFoundRoutes: readonly ConsoleRoute[] = (['GET', 'POST'] as const).map((method) => ({
  id: 'consoleUnknownPage',
  method,
  path: `${consolePath}/*`,
  access: null,
  handle: async ({ operatorKey, view, call: { correlationId } }) => {
    const message = 'There is nothing at this address.';
    const refused = { code: 'not_found', status: 404, message, correlationId, scope: null, asked: null };
    return { kind: 'page', status: 404, error: 'not_found', ...errorPage(refused, { operatorKey, view }, null) };
  },
}));
