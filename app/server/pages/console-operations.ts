import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { hmac } from '../../../adapters/crypto/node-secrets.ts';
import type { PagesOfPort } from '../../../adapters/http/exchange/error-answer.ts';
import type { SessionsOfPort } from '../../../adapters/http/exchange/session-checks.ts';
import { trustedAddresses } from '../../../adapters/http/exchange/trusted-proxies.ts';
import type { Operation } from '../../../adapters/http/operations/operation.ts';
import { refuse } from '../../../adapters/http/refusals.ts';
import { connectionsBehind } from '../../../adapters/http/sessions/connection.ts';
import { sessionCookie } from '../../../adapters/http/sessions/session-cookie.ts';
import { createConsole, type Console } from '../../../adapters/web/console/console.ts';
import type { ConsoleParts } from '../../../adapters/web/console/frame/console-parts.ts';
import { consolePath } from '../../../adapters/web/console/frame/navigation.ts';
import { redirectAnswer } from '../../../adapters/web/console/frame/page-answer.ts';
import { signInPath } from '../../../adapters/web/console/sign-in/sign-in-page.ts';
import { lostPath } from '../../../adapters/web/markup/layout.ts';
import { immutable } from '../../../adapters/web/page/assets.ts';
import { prefersHtml } from '../../../adapters/web/page/preferences.ts';
import { dashboardUrl, isLive, salePage } from '../../../core/billing/stripe-dashboard.ts';
import { newMailId } from '../../../core/mail/mail-id.ts';
import { formToken, isFormToken } from '../../../core/operator-session/form-token.ts';
import type { FindOperatorSession, SignIn, SignOut } from '../../../core/operator-session/operator-sessions.ts';
import { mailsLostKeys } from '../../receivers/ask-for-keys.ts';
import { tokens } from '../../service/tokens.ts';
import { hasBuyerPages } from '../../settings/buyer-pages.ts';
import type { Settings } from '../../settings/settings.ts';
import { importCsv } from './import-csv.ts';
import { answerOf, bodyOf, ofPages, pageRequest, refusalOf, withFields } from './served-page.ts';

/** The console as the transport serves it. */
export interface ServedConsole {
  readonly operations: readonly Operation[];
  readonly ofPort: PagesOfPort;
  readonly sessions: SessionsOfPort;
}

export type ConsoleSettings = Pick<
  Settings,
  'buyerPages' | 'stripeApiKey' | 'pages' | 'smtpUrl' | 'siteAccent' | 'siteImageHosts' | 'trustedProxies'
>;

/** The parts of the server that the console needs. */
export interface ConsoleContext {
  readonly log: Logger;
  /** The URL of the public port. Called when a request needs it. */
  readonly publicUrl: () => string;
}

/** The operator keys and sessions that a port accepts. */
export interface KeysOfPort {
  readonly signIn: SignIn;
  readonly findSession: FindOperatorSession;
}

/** Creates the console over the use cases of the administration. */
export function servedConsole(
  container: Container,
  parts: Pick<ConsoleParts, 'administration' | 'isWritable' | 'receipts'>,
  settings: ConsoleSettings,
  { log, publicUrl }: ConsoleContext,
  { signIn, findSession }: KeysOfPort,
): ServedConsole {
  const { siteAccent, siteImageHosts, stripeApiKey, trustedProxies } = settings;
  const platform = container.get(tokens.platform);
  const pages = createConsole({
    ...parts,
    newIds: { ...platform, newMailId: () => newMailId(platform.randomBytes) },
    importCsv: importCsv(parts.administration, siteImageHosts ?? [], log),
    marketplaceUrl: settings.pages === 'on' ? (slug) => `${publicUrl()}/listings/${slug}` : null,
    storefrontUrl: settings.pages === 'on' ? (handle) => `${publicUrl()}/@${handle}` : null,
    hasBuyerPages: hasBuyerPages(settings),
    findsBuyers: stripeApiKey !== null,
    lostKeys: lostKeysOf(settings, publicUrl),
    stripePage: (id, page = salePage(id)) => dashboardUrl(page, { livemode: isLive(stripeApiKey, id) }),
    signIn,
    accent: siteAccent,
    imageHosts: siteImageHosts ?? [],
  });
  return {
    operations: [
      ...operationsOf(pages, container.get(tokens.signOut)),
      signOutOperation(container),
      assetOperation(pages),
      rootOperation,
    ],
    ofPort: {
      preferred: prefersHtml,
      refusal: (refused) => {
        const { status: _status, ...page } = pages.refusal(refused);
        return refusalOf(page);
      },
    },
    sessions: {
      find: findSession,
      formToken: (token) => formToken(token, hmac),
      isFormToken: (presented, token) => isFormToken(presented, token, hmac),
      connectionOf: connectionsBehind(trustedAddresses(trustedProxies ?? [])),
      signInFor: (target) =>
        answerOf(redirectAnswer(`${signInPath}?${new URLSearchParams({ next: target }).toString()}`)),
    },
  };
}

function lostKeysOf(settings: ConsoleSettings, publicUrl: () => string): ConsoleParts['lostKeys'] {
  if (settings.smtpUrl === null) return { kind: 'no mail' };
  if (!mailsLostKeys(settings)) return { kind: 'no pages' };
  return { kind: 'page', url: () => publicUrl() + lostPath };
}

function operationsOf({ routes, visitorRoutes }: Console, signOut: SignOut): readonly Operation[] {
  return [
    ...routes.map(({ handle, ...route }): Operation => ({
      ...ofPages,
      ...route,
      caller: 'session',
      body: bodyOf(route.method),
      handle: async (request) => answerOf(await handle(pageRequest(request), request.session)),
    })),
    ...visitorRoutes.map(({ handle, ...route }): Operation => ({
      ...ofPages,
      ...route,
      caller: 'visitor',
      body: bodyOf(route.method),
      handle: async (request) => {
        const { connection, countGuess, countLink, session } = request;
        const isSafe = connection.kind !== 'insecure';
        const operatorKey = session?.operatorKey ?? null;
        const [answer, token] = await handle({ ...pageRequest(request), countGuess, countLink, isSafe, operatorKey });
        if (token === null) return answerOf(answer);
        // Its cookie is replaced, so nobody could sign out of it any more.
        if (session !== null) await signOut(session.token, request.call);
        return withFields(answerOf(answer), sessionCookie(token, connection));
      },
    })),
  ];
}

/** Ends a session, in the store and in the browser. */
function signOutOperation(container: Container): Operation {
  const signOut = container.get(tokens.signOut);
  return {
    ...ofPages,
    id: 'consoleSignOut',
    method: 'POST',
    path: '/console/sign-out',
    caller: 'session',
    access: null,
    body: 'form',
    handle: async ({ session, call }) => {
      await signOut(session.token, call);
      return withFields(answerOf(redirectAnswer(signInPath)), sessionCookie(null, session.connection));
    },
  };
}

/** Serves the style sheet and its face, and nothing else below their folder. */
function assetOperation({ assets }: Console): Operation {
  const byPath = new Map(assets.map(({ path, content }) => [path, content]));
  return {
    ...ofPages,
    id: 'consoleAsset',
    method: 'GET',
    path: '/console/assets/:name',
    caller: 'anyone',
    body: 'ignored',
    handle: async (request) => {
      const asset = byPath.get(`/console/assets/${request.parameters['name'] ?? ''}`);
      if (asset === undefined) throw refuse('not_found');
      const { content, error: _none, ...answer } = await asset.answer(pageRequest(request), immutable);
      return { ...answer, body: content };
    },
  };
}

/** Leads browsers from the root of the port to the console. Programs find nothing there. */
export const rootOperation: Operation = {
  ...ofPages,
  errors: 'standard',
  id: 'showAdminRoot',
  method: 'GET',
  path: '/',
  caller: 'anyone',
  body: 'ignored',
  handle: async ({ header }) => {
    if (!prefersHtml(header('accept').join(', '))) throw refuse('not_found');
    return answerOf(redirectAnswer(consolePath));
  },
};
