import { html, type Html } from '../../markup/html.ts';
import { note } from '../display/parts.ts';
import { hidden, type PageContent } from '../display/view.ts';

export const signInPath = '/console/sign-in';

/** The notice above the form of the page. */
export interface SignInNotice {
  readonly heading: string;
  readonly text: string;
}

/** The page with the field for an operator key. Nothing that was typed is sent back. `next` is null for the overview. */
export function signInPage(
  next: string | null,
  notice: SignInNotice | null = null,
  codes: Html | null = null,
): PageContent {
  return {
    title: 'Sign in',
    main: html`${notice === null ? null : html`<div role="alert">${note('bad', notice.heading, html`<p>${notice.text}</p>`)}</div>`}
      <div class="sheet">
        <h1>Sign in to the console</h1>
        <form method="post" action="${signInPath}">
          <input name="user" autocomplete="username" value="Latchkey console" hidden />${
            next === null ? null : hidden('next', next)
          }
          <div class="field">
            <label for="key">Operator key</label
            ><input
              id="key"
              name="key"
              type="password"
              autocomplete="current-password"
              spellcheck="false"
              maxlength="200"
              required
              aria-describedby="key-hint"
              autofocus
            />
            <p class="hint" id="key-hint">It begins with <span class="mono">svc_op_live_</span></p>
          </div>
          <button class="button primary">Sign in</button>
        </form>
      </div>
      <details>
        <summary>I have no operator key</summary>
        <pre class="code"><code>latchkey operator issue --name "Support desk" \\
  --scope admin:read --scope admin:entitlements</code></pre>
      </details>
      ${codes}`,
  };
}

/** The page for a connection that others can listen to. It has no form, so that no key is typed into it. */
export function insecurePage(codes: Html): PageContent {
  return {
    title: 'Sign in',
    main: html`<div class="sheet">
        <h1>This connection is not safe</h1>
        <p>
          The page came over plain HTTP, so anybody on the way could read an operator key or a session. Use one of these
          ways, and open it again:
        </p>
        <h2>A tunnel</h2>
        <pre class="code"><code>ssh -L 9100:127.0.0.1:9100 the-server</code></pre>
        <p>
          Then open <span class="mono">http://127.0.0.1:9100/console</span> here, with the number of your admin port, in
          a browser that sends <span class="mono">Sec-Fetch-Site</span>. Those of today do.
        </p>
        <h2>TLS</h2>
        <p>
          Put a proxy that terminates TLS in front of the admin port. It must send
          <span class="mono">X-Forwarded-Proto</span>, and <span class="mono">TRUSTED_PROXIES</span> must name its
          address.
        </p>
      </div>
      ${codes}`,
  };
}

/** The path to go on to after signing in; null unless it resolves to a page of the console here. */
export function nextPath(next: string | null): string | null {
  if (next === null || !next.startsWith('/')) return null;
  const here = 'http://here.invalid';
  const url = URL.parse(next, here);
  if (url === null || url.origin !== here) return null;
  const isOfConsole = url.pathname === '/console' || url.pathname.startsWith('/console/');
  return isOfConsole && !url.pathname.startsWith('/console/sign-') ? url.pathname + url.search : null;
}
