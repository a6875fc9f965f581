import { buyersCall } from '../../../core/buyer/buyers-call.ts';
import type { BuyersLicense, ShowBuyersLicense } from '../../../core/buyer/buyers-license.ts';
import type { DeactivateDevice } from '../../../core/device/license-devices.ts';
import { Refusal } from '../../../core/refusal.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { noStore, type PageAnswer, type PageRequest, type PageRoute } from '../page/page.ts';
import { askForKeyPage, wrongKeyPage, type KeyMistake } from './license-form.ts';
import { licensePage } from './license-page.ts';
import {
  answerReceipt,
  answerRelease,
  type AnswerWith,
  type IssueBuyersReceipt,
  type OpenLicense,
} from './license-requests.ts';
import type { BuyersSite } from './parts.ts';
import { receiptPage } from './receipt-page.ts';
import { buyersRefusalPage } from './refusal-page.ts';
import { nothingDone, type Done, type Forms, type ShownLicense } from './shown-license.ts';

/** The use cases of the pages of a license. */
export interface LicenseUseCases {
  readonly show: ShowBuyersLicense;
  readonly deactivate: DeactivateDevice;
  /** Whether buyers may release devices of a license with a limit. */
  readonly releasesDevices: boolean;
  /** Null where the pages hand out no receipts. */
  readonly receipts: { readonly time: number; readonly issue: IssueBuyersReceipt } | null;
}

/** A request for a page of a license, after the checks of the transport. */
export interface BuyerRequest extends PageRequest {
  /** Looks a key or a link up, and counts one that is unknown against the client. Refuses with `rate_limited`. */
  readonly countUnknown: <T>(lookUp: () => Promise<T>, what: 'key' | 'link') => Promise<T>;
  /** Counts a request for a mail against the client. Refuses with `rate_limited`. */
  readonly admitAskedMail: (what: 'lost keys' | 'affiliate link') => Promise<void>;
}

/** A row of the table of pages for buyers. */
export type BuyerRoute = Omit<PageRoute, 'handle'> & {
  readonly handle: (request: BuyerRequest) => Promise<PageAnswer>;
};

/** The parts that all pages of a license are made with. */
export interface BuyersParts {
  readonly layout: Layout;
  readonly site: BuyersSite;
  readonly contentPolicy: string;
}

/** `/license`: whether a license works, its devices and its receipts. Each request carries the key itself. */
export function licenseRoutes(parts: BuyersParts, useCases: LicenseUseCases): readonly BuyerRoute[] {
  const answer = answerWith(parts);
  const { words } = parts.site;
  const opened = (
    id: string,
    path: string,
    handle: (open: OpenLicense, request: BuyerRequest) => Promise<PageAnswer>,
  ): BuyerRoute => ({
    id,
    method: 'POST',
    path,
    handle: async (request) => {
      const licenseKey = (request.form.get('licenseKey') ?? '').trim();
      let license: BuyersLicense;
      try {
        license = await request.countUnknown(() => useCases.show(licenseKey, request.call), 'key');
      } catch (cause) {
        const code = mistakeIn(cause);
        if (code === null) throw cause;
        const { correlationId } = request.call;
        const page = wrongKeyPage(parts.site, { code, typed: licenseKey, correlationId });
        return answer(page, code === 'license_not_found' ? 404 : 400, code);
      }
      return handle(openWith(parts.site, useCases, { license, licenseKey }, request), request);
    },
  });
  const { receipts } = useCases;
  return [
    { id: 'askForLicense', method: 'GET', path: '/license', handle: async () => answer(askForKeyPage(parts.site)) },
    opened('showLicense', '/license', async ({ page, license }) => answer(page(license, nothingDone))),
    opened('releaseBuyersDevice', '/license/release', (open, request) => answerRelease(open, request, words, answer)),
    ...(receipts === null
      ? []
      : [
          opened('issueBuyersReceipt', '/license/receipt', (open, request) =>
            answerReceipt(open, request, words, answer, receipts.issue),
          ),
        ]),
    ...unknownPages(parts),
  ];
}

/** Every other address below `/license`, which buyers may have copied in part. */
function unknownPages(parts: BuyersParts): readonly BuyerRoute[] {
  const answer = answerWith(parts);
  return (['GET', 'POST'] as const).map((method) => ({
    id: 'unknownLicensePage',
    method,
    path: '/license/*',
    handle: async ({ call: { correlationId } }) => {
      const code = 'not_found';
      return answer(buyersRefusalPage(parts.site, { status: 404, code, correlationId }, true), 404, code);
    },
  }));
}

/** Makes the answers of pages, none of which may be stored or opened by another site. */
export function answerWith({ layout, contentPolicy }: BuyersParts): AnswerWith {
  return (page, status = 200, error) => ({
    status,
    content: layout.render(page),
    contentType: 'text/html; charset=utf-8',
    cacheControl: noStore,
    contentPolicy,
    ...(error !== undefined && { error }),
  });
}

function mistakeIn(cause: unknown): KeyMistake | null {
  if (!(cause instanceof Refusal)) return null;
  const { code } = cause;
  return code === 'malformed_license_key' || code === 'license_not_found' ? code : null;
}

function openWith(
  site: BuyersSite,
  { show, deactivate, receipts, releasesDevices }: LicenseUseCases,
  { license, licenseKey }: { readonly license: BuyersLicense; readonly licenseKey: string },
  { call }: BuyerRequest,
): OpenLicense {
  const carried = html`<input type="hidden" name="licenseKey" value="${licenseKey}" />`;
  const forms: Forms = { action: (verb) => site.href(`/license/${verb}`), carried };
  const shown = (of: BuyersLicense, done: Done): ShownLicense => ({
    ...site,
    license: of,
    now: call.now,
    receiptTime: receipts?.time ?? null,
    releasesDevices,
    forms,
    done,
  });
  const by = buyersCall(call, license.entitlement);
  return {
    license,
    readAgain: () => show(licenseKey, call),
    release: (device) => deactivate({ licenseKey, productId: null, device: { device } }, by),
    page: (of, done): Page => licensePage(shown(of, done), licenseKey),
    receiptPage: (issued, deviceId) =>
      receiptPage(shown(license, nothingDone), issued, deviceId, backForm(site, carried)),
  };
}

function backForm({ words, href }: BuyersSite, carried: Html): Html {
  return html`<form method="post" action="${href('/license')}">
    ${carried}<button class="button">${words.of('backToLicense')}</button>
  </form>`;
}
