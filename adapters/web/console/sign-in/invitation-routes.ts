import type { Administration } from '../../../../core/administration/administration.ts';
import type { IssuedKey } from '../../../../core/key/change-keys.ts';
import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { OpenInvitation } from '../../../../core/waitlist/take-invitation.ts';
import { html } from '../../markup/html.ts';
import { instant } from '../display/dates.ts';
import { facts, note, written } from '../display/parts.ts';
import { secretBox } from '../display/shown-once.ts';
import type { PageContent } from '../display/view.ts';
import { signInPath } from './sign-in-page.ts';
import { insecure, type VisitorPageRequest, type VisitorRoute } from './sign-in-routes.ts';

export type InvitationUseCases = Pick<Administration, 'showInvitation' | 'takeInvitation'>;

const path = '/console/invitations/:token';

/**
 * The page of an invitation. GET asks and changes nothing, because mail scanners open links; the form issues the key.
 * The referrer stays on the port, as of every page of the console: without any, browsers send forms of no known origin.
 */
export function invitationRoutes({ showInvitation, takeInvitation }: InvitationUseCases): readonly VisitorRoute[] {
  return [
    {
      id: 'consoleInvitation',
      method: 'GET',
      path,
      handle: async (request) => {
        if (!request.isSafe) return insecure(request);
        const open = await request.countLink(() => showInvitation(tokenIn(request), request.call));
        return { kind: 'page', status: 200, ...askPage(open) };
      },
    },
    {
      id: 'consoleTakeInvitation',
      method: 'POST',
      path,
      handle: async (request) => {
        if (!request.isSafe) return insecure(request);
        const issued = await request.countLink(() => takeInvitation(tokenIn(request), request.call));
        return { kind: 'page', status: 200, ...keyPage(issued) };
      },
    },
  ];
}

function tokenIn({ parameters }: VisitorPageRequest): string {
  return parameters['token'] ?? '';
}

/** The form has no action: it is sent to the address of the page, which is a secret. */
function askPage({ products, expiresAt }: OpenInvitation): PageContent {
  return {
    title: 'Get your key',
    main: html`<div class="sheet">
      <h1>Get your key</h1>
      <p>You are invited to look after your products here. The key opens the console, and is shown once.</p>
      ${facts(
        [
          ['Products', html`${products.map(({ name }) => html`<span class="sub">${written(name)}</span>`)}`],
          ['Link works until', instant(expiresAt)],
        ],
        'boxed',
      )}
      <form method="post"><button class="button primary">Get your key</button></form>
    </div>`,
  };
}

function keyPage({ issued, key }: IssuedKey<OperatorKey>): PageContent {
  return {
    title: 'Your key is ready',
    main: html`<div class="sheet">
      <h1>Your key is ready</h1>
      ${note('warn', 'Copy it now. It is never shown again.', html`<p>Keep it where you keep passwords. If you lose it, ask for another one.</p>`)}
      ${secretBox('Operator key', key ?? '')} ${facts([['Name', written(issued.name)]], 'boxed')}
      <div class="buttons"><a class="button primary" href="${signInPath}">Sign in</a></div>
    </div>`,
  };
}
