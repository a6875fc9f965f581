import type { OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import type { WebhookEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon, type Icon } from '../../markup/icons.ts';
import type { PageView } from './view.ts';

/** A step of the path to a page. */
export interface Crumb {
  readonly href: string;
  readonly text: string;
}

/** The path to a page, whose own name is last. */
export function crumbs(path: readonly Crumb[], here: string): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      ${path.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}
      <li><span aria-current="page">${here}</span></li>
    </ol>
  </nav>`;
}

/** Names and values. */
export function facts(
  items: readonly (readonly [name: string, value: Html | string])[],
  style: 'boxed' | 'tight',
): Html {
  return html`<dl class="facts ${style}">
    ${items.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** An id, a scope or another text for machines. */
export function mono(text: string): Html {
  return html`<span class="mono">${text}</span>`;
}

/** A link to a page that needs a scope; its text alone for a key without it. */
export function linkFor(
  { may }: Pick<PageView, 'may'>,
  access: OperatorScope,
  href: string,
  { text, style }: { readonly text: Html | string; readonly style: string },
): Html {
  return may(access)
    ? html`<a class="${style}" href="${href}">${text}</a>`
    : html`<span class="${style}">${text}</span>`;
}

/** The host that an endpoint's events go to. The rest of its URL may contain a secret of the receiver. */
export function hostOf({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>): string {
  return URL.parse(url)?.host ?? id;
}

/** A text that its owner wrote, in the direction of its own letters. */
export function written(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** A note that stands out. */
export function note(tone: 'warn' | 'bad' | 'ok' | 'plain', heading: string | null, more: Html | null): Html {
  const picture = icon(tone === 'ok' ? 'done' : tone === 'warn' ? 'warning' : 'alert');
  return html`<div class="${tone === 'plain' ? 'note' : `note ${tone}`}">
    ${picture}
    <div>${heading === null ? null : html`<strong>${heading}</strong>`}${more}</div>
  </div>`;
}

/** The content of an empty page: the purpose of the thing, and the next step. Merchants have no command line on the server. */
export function empty(
  { isLimited }: Pick<PageView, 'isLimited'>,
  picture: Icon,
  heading: string,
  text: string,
  next: { readonly link: Crumb | null; readonly command: string },
): Html {
  const { link, command } = next;
  return html`<div class="empty">
    ${icon(picture)}
    <h2>${heading}</h2>
    <p>${text}</p>
    ${link === null ? null : html`<div class="buttons"><a class="button primary" href="${link.href}">${link.text}</a></div>`}
    ${
      isLimited
        ? null
        : html`<p class="small">${link === null ? 'On the server' : 'or on the server'}</p>
            <pre class="code"><code>${command}</code></pre>`
    }
  </div>`;
}

/** A change that can be made, as a link to the page that asks. */
export interface ActionLink {
  readonly href: string;
  readonly name: string;
  readonly effect: Html | string;
  readonly isDanger?: boolean;
  /** Whether it leads to another site. */
  readonly isAway?: boolean;
}

export function actionList(actions: readonly ActionLink[]): Html {
  return html`<ul class="actions">
    ${actions.map(
      ({ href, name, effect, isDanger = false, isAway = false }) =>
        html`<li${isDanger ? html` class="danger"` : null}>
          <a href="${href}" ${isAway ? html` rel="noopener noreferrer"` : null}
            ><div><strong>${name}</strong><span>${effect}</span></div>
            ${icon(isAway ? 'away' : 'next')}</a
          >
        </li>`,
    )}
  </ul>`;
}

/** The texts of a page about the change that led to it, by the name in its address. Addresses hold no other text. */
export type DoneTexts = Readonly<Record<string, string | DoneWithWarning>>;

/** The change that was made, and a warning about it. */
interface DoneWithWarning {
  readonly done: string;
  readonly warning: string;
}

/** The line about a change that was made, on the page that follows it; null on every other. */
export function statusLine(query: string, texts: DoneTexts): Html | null {
  const name = new URLSearchParams(query).get('done') ?? '';
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (text === undefined) return null;
  const { done, warning } = typeof text === 'string' ? { done: text, warning: null } : text;
  return html`<div class="note ${warning === null ? 'ok' : 'warn'}" role="status">
    ${icon(warning === null ? 'done' : 'warning')}
    <div><strong>${done}</strong>${warning === null ? null : html`<p>${warning}</p>`}</div>
  </div>`;
}
