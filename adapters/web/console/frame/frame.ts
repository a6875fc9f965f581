import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon, mark } from '../../markup/icons.ts';
import { findableText, findInput, hidden, postForm, type PageContent, type PageView } from '../display/view.ts';
import { consolePath, navigation } from './navigation.ts';

/** The operator whom a page is for, and the place of the page. */
export interface Framed {
  readonly operatorKey: OperatorKey;
  readonly view: PageView;
  readonly path: string;
  /** Shown beside *Webhooks*. */
  readonly failingWebhooks: number;
}

/** The paths of the style sheet, and of the face for Latin letters. */
export interface FrameAssets {
  readonly stylesheet: string;
  readonly latin: string;
}

/** Puts the content of a page into the frame of the console: navigation, the field *Find*, and who is signed in. */
export function framed(
  { title, main }: PageContent,
  { operatorKey, view, path, failingWebhooks }: Framed,
  assets: FrameAssets,
): string {
  const mayFind = view.may('admin:read') && path !== consolePath;
  return documentOf(
    title,
    assets,
    'console',
    html`<header class="side">
        <a class="skip" href="#main">Skip to content</a>${brand(html`Latchkey <span>Console</span>`)}
        ${navigation(path, view, failingWebhooks)}
        <div class="who">
          <p><bdi>${operatorKey.name}</bdi><br /><span class="muted small mono">${operatorKey.id}</span></p>
          ${postForm(view, '/console/sign-out', html`<button class="button">Sign out</button>`)}
        </div>
      </header>
      ${mayFind ? topBar(view) : null}
      <main id="main">${main}</main>`,
  );
}

/** A page for somebody without a session. */
export function unframed({ title, main }: PageContent, assets: FrameAssets): string {
  return documentOf(title, assets, 'gate', html`<main id="main">${brand(html`Latchkey`)} ${main}</main>`);
}

function documentOf(title: string, { stylesheet, latin }: FrameAssets, style: 'console' | 'gate', body: Html): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Latchkey console</title>
        <link rel="icon" href="data:," />
        <link rel="preload" href="${latin}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${stylesheet}" />
      </head>
      <body class="${style}">
        ${body}
        <template></template>
      </body>
    </html> `;
  return text;
}

function brand(name: Html): Html {
  return html`<a class="brand" href="${consolePath}">${mark}<span>${name}</span></a>`;
}

function topBar(view: PageView): Html {
  return html`<div class="top">
    <form method="post" action="/console/find" role="search">
      ${hidden('token', view.token)}
      <div class="with-icon">
        ${icon('search')}<label class="hidden" for="find">Find</label
        >${findInput('find', html` placeholder="${findableText(view)}"`)}
      </div>
      <button class="button">Find</button>
    </form>
  </div>`;
}
