import { html, type Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { asset, read, type Asset } from '../page/assets.ts';
import { Content } from '../page/content.ts';
import type { PageRoute } from '../page/page.ts';
import { readSwaggerUi } from './swagger-ui.ts';

/** The path of the OpenAPI document. */
const documentPath = '/openapi.json';

/** The files and addresses of the API reference. */
export interface Reference {
  readonly assets: readonly Asset[];
  readonly stylesheets: readonly string[];
  /** A script that is no module; null if it is not installed. */
  readonly library: string | null;
  readonly scripts: readonly string[];
}

let known: Reference | null = null;

/** The files of the reference, which has none if Swagger UI was not installed. A process reads and hashes them once. */
export function createReference(): Reference {
  known ??= readReference();
  return known;
}

function readReference(): Reference {
  const swaggerUi = readSwaggerUi();
  if (swaggerUi === null) return { assets: [], stylesheets: [], library: null, scripts: [] };
  const library = asset('swagger-ui.js', swaggerUi.script);
  const own = asset('reference.js', read('reference.js'));
  const styles = [asset('swagger-ui.css', swaggerUi.stylesheet), asset('reference.css', read('reference.css'))];
  return {
    assets: [library, own, ...styles],
    stylesheets: styles.map(({ path }) => path),
    library: library.path,
    scripts: [own.path],
  };
}

interface ReferencePolicies {
  readonly cacheControl: string;
  readonly contentPolicy: string;
}

/** The API reference at `/docs`. Without Swagger UI, the page says so and links to the OpenAPI document. */
export function referenceRoute(reference: Reference, layout: Layout, policies: ReferencePolicies): PageRoute {
  const { stylesheets, scripts, library } = reference;
  let content: Content | null = null;
  const render = (): Content => {
    const page = layout.render({
      title: 'API reference',
      description: `Every operation of the API of ${layout.site.name}, to read and to try.`,
      canonical: '/docs',
      current: '/docs',
      stylesheets,
      scripts,
      head: library === null ? [] : [html`<script defer src="${layout.href(library)}"></script> `],
      main: library === null ? missing(layout) : viewer(layout),
    });
    return new Content('text/html', page);
  };
  return {
    id: 'showReference',
    method: 'GET',
    path: '/docs',
    handle: async (request) => {
      content ??= render();
      return { ...(await content.answer(request, policies.cacheControl)), contentPolicy: policies.contentPolicy };
    },
  };
}

function viewer(layout: Layout): Html {
  const document = layout.href(documentPath);
  return html`<div class="wrap reference">
    <h1>API reference</h1>
    <h2>How the API answers</h2>
    <div id="reference" data-document="${document}">
      <noscript
        >The reference needs JavaScript. The same is in the <a href="${document}">OpenAPI document</a>.</noscript
      >
    </div>
  </div>`;
}

function missing(layout: Layout): Html {
  return html`<div class="wrap">
    <div class="stop">
      <h1>API reference</h1>
      <p>
        This installation has no viewer for the reference: the package <code>swagger-ui-dist</code> is not installed.
        Every operation is described in the OpenAPI document, which any viewer can read.
      </p>
      <div class="buttons"><a class="button primary" href="${layout.href(documentPath)}">OpenAPI document</a></div>
    </div>
  </div>`;
}
