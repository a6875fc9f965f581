import { isDrafter, type OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { SignIn } from '../../../core/operator-session/operator-sessions.ts';
import { createAssets, type Asset } from '../page/assets.ts';
import type { PageRequest } from '../page/page.ts';
import { consoleRoutes } from './console-routes.ts';
import type { PageView } from './display/view.ts';
import type { ConsoleAnswer, ConsoleRoute } from './frame/console-page.ts';
import type { ConsoleParts } from './frame/console-parts.ts';
import { codeLine, errorPage, type RefusedPage } from './frame/error-page.ts';
import { FailingBadge } from './frame/failing-badge.ts';
import { framed, unframed, type FrameAssets, type Framed } from './frame/frame.ts';
import { idsIn } from './frame/id-segment.ts';
import { encodedInTurns, fileAnswer, pageAnswer, redirectAnswer, type ConsolePageAnswer } from './frame/page-answer.ts';
import { wayBack } from './frame/way-back.ts';
import { invitationRoutes } from './sign-in/invitation-routes.ts';
import { signInPage } from './sign-in/sign-in-page.ts';
import {
  signInRoutes,
  type VisitorAnswer,
  type VisitorPageRequest,
  type VisitorRoute,
} from './sign-in/sign-in-routes.ts';

export interface ConsoleSettings extends ConsoleParts {
  readonly signIn: SignIn;
  /** `#rrggbb`. */
  readonly accent: string;
}

/** The session that a request came with. */
export interface PageSession {
  readonly operatorKey: OperatorKey;
  readonly formToken: string;
}

/** A page as the transport serves it. */
export interface ServedRoute extends Omit<ConsoleRoute, 'handle'> {
  readonly handle: (request: PageRequest, session: PageSession) => Promise<ConsolePageAnswer>;
}

export interface ServedVisitorRoute extends Omit<VisitorRoute, 'handle'> {
  /** With the token of a session that begins. */
  readonly handle: (request: VisitorPageRequest) => Promise<readonly [answer: ConsolePageAnswer, token: string | null]>;
}

/** A refusal of the transport or of a use case, and who gets it. */
export interface RefusalForPage extends RefusedPage {
  readonly session: PageSession | null;
  readonly now: Date;
}

export interface Console {
  readonly routes: readonly ServedRoute[];
  readonly visitorRoutes: readonly ServedVisitorRoute[];
  /** Files that every page needs, whose names change with their content. */
  readonly assets: readonly Asset[];
  readonly refusal: (refusal: RefusalForPage) => ConsolePageAnswer;
}

/** Creates the pages for operators. */
export function createConsole({ signIn, accent, ...parts }: ConsoleSettings): Console {
  const { stylesheet, latin, latinExt } = createAssets({ accent });
  const assets = [stylesheet, latin, latinExt].map((each) => ({ ...each, path: pathInConsole(each) }));
  const paths: FrameAssets = { stylesheet: pathInConsole(stylesheet), latin: pathInConsole(latin) };
  const frame = async (answer: ConsoleAnswer, viewer: Framed): Promise<ConsolePageAnswer> => {
    if (answer.kind === 'file') return fileAnswer(answer);
    const { entitlementId } = answer;
    const about = entitlementId === undefined ? {} : { entitlementId };
    if (answer.kind === 'redirect') return { ...redirectAnswer(answer.location), ...about };
    const { status = 200, error } = answer;
    const page = pageAnswer(status, await encodedInTurns(framed(answer, viewer, paths)));
    return { ...page, ...about, ...(error === undefined ? {} : { error }) };
  };
  const { findsBuyers } = parts;
  const viewOf = ({ operatorKey, formToken: token }: PageSession, now: Date): PageView => ({
    ...viewOfKey(operatorKey),
    token,
    now,
    findsBuyers,
  });
  const routes = consoleRoutes(parts);
  const badge = new FailingBadge(parts.administration);
  return {
    assets,
    routes: routes.map(({ handle, ...route }) => ({
      ...route,
      handle: async (request, session) => {
        const { operatorKey } = session;
        const view = viewOf(session, request.call.now);
        const answer = await handle({ ...request, parameters: idsIn(request.parameters), operatorKey, view });
        if (route.method === 'POST') badge.forget();
        const failingWebhooks = answer.kind === 'page' ? await badge.count(request.call) : 0;
        return frame(answer, { operatorKey, view, path: route.path, failingWebhooks });
      },
    })),
    visitorRoutes: [...signInRoutes(signIn), ...invitationRoutes(parts.administration)].map(({ handle, ...route }) => ({
      ...route,
      handle: async (request) => visitorAnswer(await handle(request), paths),
    })),
    refusal: (refused) => {
      const { session, now, status } = refused;
      if (session === null) return pageAnswer(status, unframed(refusalWithoutSession(refused), paths));
      const { operatorKey } = session;
      const viewer = { operatorKey, view: viewOf(session, now), path: '', failingWebhooks: badge.known(operatorKey) };
      const back = refused.asked === null ? null : wayBack(refused.asked, routes, viewer.view);
      return pageAnswer(status, framed(errorPage(refused, viewer, back), viewer, paths));
    },
  };
}

function pathInConsole({ path }: Asset): string {
  return `/console${path}`;
}

function viewOfKey(operatorKey: OperatorKey): Pick<PageView, 'may' | 'isLimited' | 'isDrafter'> {
  return {
    may: (scope) => operatorKey.scopes.includes(scope),
    isLimited: operatorKey.products !== null,
    isDrafter: isDrafter(operatorKey),
  };
}

function visitorAnswer(
  answer: VisitorAnswer,
  assets: FrameAssets,
): readonly [answer: ConsolePageAnswer, token: string | null] {
  if (answer.kind === 'redirect') return [redirectAnswer(answer.location), answer.token];
  const { status, error } = answer;
  const page = pageAnswer(status, unframed(answer, assets));
  return [error === undefined ? page : { ...page, error }, null];
}

const signedOut = {
  heading: 'Nothing was changed',
  text: 'You are not signed in, or your session has ended. Sign in, open the page again, and repeat the change.',
};

function refusalWithoutSession(refused: RefusalForPage) {
  return refused.code === 'invalid_session'
    ? signInPage(null, signedOut, codeLine(refused))
    : errorPage(refused, null, null);
}
