import type { Container } from 'inversify';
import { catalogCacheControl, type Answer } from '../../adapters/http/answer.ts';
import type { PagesOfPort } from '../../adapters/http/exchange/error-answer.ts';
import type { Operation, OperationRequest } from '../../adapters/http/operations/operation.ts';
import { readSignUp } from '../../adapters/http/operations/waitlist-operations.ts';
import type { PageAnswer, PageRoute, Site } from '../../adapters/web/page/page.ts';
import { prefersHtml } from '../../adapters/web/page/preferences.ts';
import { createPages, type Pages } from '../../adapters/web/pages.ts';
import { tokens } from '../service/tokens.ts';
import type { Settings } from '../settings/settings.ts';

export type PageSettings = Pick<
  Settings,
  | 'publicUrl'
  | 'catalogMaxAge'
  | 'siteName'
  | 'siteHeading'
  | 'siteTagline'
  | 'siteLogo'
  | 'siteAccent'
  | 'siteImageHosts'
  | 'siteLinks'
>;

/** The pages as the transport serves them: rows of its table of operations, and how it shows refusals. */
export interface ServedPages {
  readonly operations: readonly Operation[];
  readonly ofPort: PagesOfPort;
  readonly claim: Pages['claim'];
}

/** A form comes from a page of the same service: its referrer may be sent there, because it makes `Origin` truthful. */
const referrerPolicy = 'same-origin';

/** Creates the pages over the use cases of the API. `baseUrl` is called when a request needs it. */
export function servedPages(container: Container, settings: PageSettings, baseUrl: () => string): ServedPages {
  const { publicUrl, catalogMaxAge } = settings;
  const joinWaitlist = container.get(tokens.joinWaitlist);
  const { routes, claim, refusal } = createPages({
    catalog: container.get(tokens.catalogIndex),
    join: (members, call) => joinWaitlist(readSignUp(members), call),
    site: siteOf(settings),
    baseUrl,
    basePath: publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    cacheControl: catalogCacheControl(catalogMaxAge),
  });
  return {
    operations: routes.map(operationOf),
    claim,
    ofPort: {
      preferred: prefersHtml,
      refusal: (refused) => {
        const { content, ...answer } = refusal(refused);
        return { ...answer, body: content, referrerPolicy };
      },
    },
  };
}

function siteOf(settings: PageSettings): Site {
  return {
    name: settings.siteName,
    heading: settings.siteHeading,
    tagline: settings.siteTagline,
    logo: settings.siteLogo,
    accent: settings.siteAccent,
    imageHosts: settings.siteImageHosts ?? [],
    links: settings.siteLinks ?? [],
  };
}

function operationOf({ id, method, path, handle }: PageRoute): Operation {
  return {
    id,
    method,
    path,
    caller: 'anyone',
    body: method === 'POST' ? 'form' : 'ignored',
    crossOrigin: false,
    errors: 'page',
    docs: null,
    handle: async ({ call, parameters, query, body, header }: OperationRequest) =>
      answerOf(
        await handle({
          call,
          parameters,
          query,
          form: body instanceof URLSearchParams ? body : new URLSearchParams(),
          header: (name) => header(name).join(', '),
        }),
      ),
  };
}

function answerOf({ content, error, headers = [], ...answer }: PageAnswer): Answer {
  if (error === undefined) return { ...answer, headers, body: content, referrerPolicy };
  return { ...answer, body: content, referrerPolicy, errorCode: error, headers: [...headers, 'Error-Code', error] };
}
