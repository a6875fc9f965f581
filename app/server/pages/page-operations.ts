import { catalogCacheControl } from '../../../adapters/http/answer.ts';
import type { PagesOfPort } from '../../../adapters/http/exchange/error-answer.ts';
import type { Operation, PublicRequest } from '../../../adapters/http/operations/operation.ts';
import { readSignUp } from '../../../adapters/http/operations/waitlist-operations.ts';
import type { BuyerRoute } from '../../../adapters/web/buyers/license-routes.ts';
import type { Site } from '../../../adapters/web/page/page.ts';
import { prefersHtml } from '../../../adapters/web/page/preferences.ts';
import { createPages, type Pages } from '../../../adapters/web/pages.ts';
import { lostKeysPages, type AskForMails } from '../../receivers/ask-for-keys.ts';
import { tokens } from '../../service/tokens.ts';
import type { Settings } from '../../settings/settings.ts';
import { affiliateUseCases } from './affiliate-use-cases.ts';
import { licenseUseCases, type LicensePageSettings, type PageParts } from './license-use-cases.ts';
import { answerOf, bodyOf, ofPages, pageRequest, refusalOf } from './served-page.ts';

export type PageSettings = LicensePageSettings &
  Pick<
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
    | 'siteOwner'
    | 'sitePrivacy'
    | 'siteHelp'
    | 'siteLanguage'
    | 'siteTexts'
    | 'pages'
    | 'mailFrom'
  >;

/** The pages as the transport serves them: rows of its table of operations, and how it shows refusals. */
export interface ServedPages {
  readonly operations: readonly Operation[];
  readonly ofPort: PagesOfPort;
  readonly claim: Pages['claim'];
}

/** Creates the pages over the use cases of the API. `baseUrl` is called when a request needs it. */
export function servedPages(
  parts: PageParts,
  settings: PageSettings,
  baseUrl: () => string,
  ask: AskForMails,
): ServedPages {
  const { container } = parts;
  const { publicUrl, catalogMaxAge } = settings;
  const from = settings.mailFrom?.address ?? '';
  const joinWaitlist = container.get(tokens.joinWaitlist);
  const { routes, licenseRoutes, lostRoutes, affiliateRoutes, claim, refusal } = createPages({
    catalog: container.get(tokens.catalogIndex),
    join: (members, call) => joinWaitlist(readSignUp(members), call),
    site: siteOf(settings),
    language: settings.siteLanguage,
    texts: settings.siteTexts,
    baseUrl,
    basePath: publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    isForBuyers: settings.pages === 'buyers',
    licenses: licenseUseCases(parts, settings, baseUrl),
    lostKeys: ask.keys === null ? null : lostKeysPages(ask.keys, from),
    affiliates: settings.pages === 'on' ? affiliateUseCases(parts, ask.links, from) : null,
    cacheControl: catalogCacheControl(catalogMaxAge),
  });
  return {
    operations: [
      ...routes.map(({ handle, ...route }): Operation => ({
        ...ofPages,
        ...route,
        caller: 'anyone',
        body: bodyOf(route.method),
        handle: async (request) => answerOf(await handle(pageRequest(request))),
      })),
      ...licenseRoutes.map((route): Operation => ({ ...ofBuyers(route), hasSecretAddress: true })),
      ...[...lostRoutes, ...affiliateRoutes.ofEverybody].map(ofBuyers),
      ...affiliateRoutes.hidden.map((route): Operation => ({ ...ofBuyers(route), hasSecretAddress: true })),
    ],
    claim,
    ofPort: {
      preferred: prefersHtml,
      refusal: ({ asked, ...refused }) => refusalOf(refusal({ ...refused, asked: asked?.pattern ?? null })),
    },
  };
}

function ofBuyers({ handle, ...route }: BuyerRoute): Operation {
  return {
    ...ofPages,
    ...route,
    caller: 'anyone',
    body: bodyOf(route.method),
    handle: async ({ countUnknown, admitAskedMail, ...request }: PublicRequest) =>
      answerOf(await handle({ ...pageRequest(request), countUnknown, admitAskedMail })),
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
    footerLinks: settings.siteLinks ?? [],
    owner: settings.siteOwner,
    privacy: settings.sitePrivacy,
    help: settings.siteHelp,
  };
}
