import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { SignIn } from '../../../../core/operator-session/operator-sessions.ts';
import { Refusal } from '../../../../core/refusal.ts';
import type { PageRequest } from '../../page/page.ts';
import type { PageContent } from '../display/view.ts';
import type { ConsoleError } from '../frame/console-page.ts';
import { codeLine } from '../frame/error-page.ts';
import { consolePath } from '../frame/navigation.ts';
import { insecurePage, nextPath, signInPage, signInPath } from './sign-in-page.ts';

/** A request of somebody who may not be signed in. */
export interface VisitorPageRequest extends PageRequest {
  /** The key of the session; null without one. */
  readonly operatorKey: OperatorKey | null;
  /** Whether nobody on the way can read what is sent. */
  readonly isSafe: boolean;
  /** Looks a key up, and counts one that is refused as a guess. */
  readonly countGuess: <T>(lookUp: () => Promise<T>) => Promise<T>;
  /** Looks a link up, and counts one that is unknown. */
  readonly countLink: <T>(lookUp: () => Promise<T>) => Promise<T>;
}

export type VisitorAnswer =
  | (PageContent & { readonly kind: 'page'; readonly status: number; readonly error?: ConsoleError })
  /** Goes on to a page. A token begins a session. */
  | { readonly kind: 'redirect'; readonly location: string; readonly token: string | null };

/** A page for which nobody needs a session. */
export interface VisitorRoute {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: (request: VisitorPageRequest) => Promise<VisitorAnswer>;
}

const wrongKey = {
  heading: 'This key does not work',
  text: 'It is not an operator key of this installation, or it was revoked, rotated or has expired. You are not signed in.',
};

/** The page at which a session begins. */
export function signInRoutes(signIn: SignIn): readonly VisitorRoute[] {
  return [
    {
      id: 'consoleSignInForm',
      method: 'GET',
      path: signInPath,
      handle: async (request) => {
        const next = nextPath(new URLSearchParams(request.query).get('next'));
        if (!request.isSafe) return insecure(request);
        if (request.operatorKey !== null) return { kind: 'redirect', location: next ?? consolePath, token: null };
        return { kind: 'page', status: 200, ...signInPage(next) };
      },
    },
    {
      id: 'consoleSignIn',
      method: 'POST',
      path: signInPath,
      handle: async (request) => {
        if (!request.isSafe) return insecure(request);
        const { form, call, countGuess } = request;
        const next = nextPath(form.get('next'));
        try {
          const { token } = await countGuess(() => signIn((form.get('key') ?? '').trim(), call));
          return { kind: 'redirect', location: next ?? consolePath, token };
        } catch (cause) {
          if (!(cause instanceof Refusal) || cause.code !== 'invalid_operator_key') throw cause;
          const { code } = cause;
          const codes = codeLine({ code, correlationId: call.correlationId });
          return { kind: 'page', status: 401, error: code, ...signInPage(next, wrongKey, codes) };
        }
      },
    },
  ];
}

/** Answers that others can listen to this connection. */
export function insecure({ call: { correlationId } }: VisitorPageRequest): VisitorAnswer {
  const error = 'insecure_connection';
  return { kind: 'page', status: 403, error, ...insecurePage(codeLine({ code: error, correlationId })) };
}
