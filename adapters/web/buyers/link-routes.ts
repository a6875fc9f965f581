import { buyersCall } from '../../../core/buyer/buyers-call.ts';
import type { LinkedLicense, OpenLink } from '../../../core/buyer/open-link.ts';
import type { Call } from '../../../core/call.ts';
import type { ReleasedDevice } from '../../../core/device/license-devices.ts';
import type { ChangeSeen, SeenCommand } from '../../../core/purchase/change-seen.ts';
import { Refusal } from '../../../core/refusal.ts';
import { html } from '../markup/html.ts';
import { noStore, type PageAnswer } from '../page/page.ts';
import { answerReceipt, answerRelease, type IssueBuyersReceipt, type OpenLicense } from './license-requests.ts';
import { answerWith, type BuyerRequest, type BuyerRoute, type BuyersParts } from './license-routes.ts';
import { askForChangePage, endedLinkPage, newKeyPage, notChangedPage } from './link-change-pages.ts';
import { changesOf, doneNote, linkChanges, linkPage, type LinkChange, type ShownLink } from './link-page.ts';
import { receiptPage } from './receipt-page.ts';
import { nothingDone, type Done } from './shown-license.ts';

/** The use cases of the pages of links. */
export interface LinkUseCases {
  readonly open: OpenLink;
  readonly release: (entitlementId: string, device: string, call: Call) => Promise<ReleasedDevice>;
  readonly change: ChangeSeen;
  /** Whether buyers may release devices of a license with a limit. */
  readonly releasesDevices: boolean;
  readonly receipts: { readonly time: number; readonly issue: IssueBuyersReceipt } | null;
}

type Handle = (shown: ShownLink, request: BuyerRequest) => Promise<PageAnswer> | PageAnswer;

/** `/license/links/TOKEN`: a license whose buyer came by a link. GET shows and asks, POST does. */
export function linkRoutes(parts: BuyersParts, useCases: LinkUseCases): readonly BuyerRoute[] {
  const answer = answerWith(parts);
  const { words } = parts.site;
  const { receipts } = useCases;
  const route = (id: string, method: 'GET' | 'POST', verb: string, handle: Handle): BuyerRoute => ({
    id,
    method,
    path: `/license/links/:token${verb === '' ? '' : `/${verb}`}`,
    handle: async (request) => {
      const { parameters, call } = request;
      const token = parameters['token'] ?? '';
      try {
        const license = await request.countUnknown(() => useCases.open(token, call), 'link');
        return await handle(shownBy(parts, useCases, { license, token }, call), request);
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.code !== 'link_not_found') throw cause;
        return answer(endedLinkPage(parts.site, call.correlationId), 404, cause.code);
      }
    },
  });
  const changes = linkChanges.flatMap((change) => [
    route(`askTo${idOf(change)}ByLink`, 'GET', change, (shown) =>
      changesOf(shown.license.entitlement, shown.now).includes(change)
        ? answer(askForChangePage(shown, change))
        : seeOther(shown.path),
    ),
    route(`${change}ByLink`, 'POST', change, (shown, request) => makeChange(parts, useCases, shown, change, request)),
  ]);
  return [
    route('showLink', 'GET', '', (shown, { query }) => {
      const done = doneNote(shown, new URLSearchParams(query).get('done') ?? '');
      return answer(linkPage({ ...shown, done: { note: done } }));
    }),
    ...changes,
    route('releaseDeviceByLink', 'POST', 'release', (shown, request) =>
      answerRelease(openBy(useCases, shown, request), request, words, answer),
    ),
    ...(receipts === null
      ? []
      : [
          route('issueReceiptByLink', 'POST', 'receipt', (shown, request) =>
            answerReceipt(openBy(useCases, shown, request), request, words, answer, receipts.issue),
          ),
        ]),
  ];
}

function idOf(change: LinkChange): string {
  return change.charAt(0).toUpperCase() + change.slice(1);
}

const commands: Readonly<Record<LinkChange, SeenCommand>> = {
  cancel: { kind: 'cancel' },
  resume: { kind: 'resume' },
  replace: { kind: 'rotate-license', licenseKey: null },
};

/** Makes the change that a form asks for, if the entitlement is as the page has shown it. */
async function makeChange(
  parts: BuyersParts,
  { change: changeSeen }: LinkUseCases,
  shown: ShownLink,
  change: LinkChange,
  { form, call }: BuyerRequest,
): Promise<PageAnswer> {
  const answer = answerWith(parts);
  const { entitlement } = shown.license;
  const given = Number(form.get('version'));
  const version = Number.isSafeInteger(given) ? given : 0;
  try {
    if (change === 'replace' && !changesOf(entitlement, shown.now).includes(change))
      throw new Refusal('entitlement_ended');
    const seen = { id: entitlement.id, version, command: commands[change] };
    const { licenseKey } = await changeSeen(seen, buyersCall(call, entitlement));
    return licenseKey === null ? seeOther(`${shown.path}?done=${change}`) : answer(newKeyPage(shown, licenseKey));
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const { code } = cause;
    if (code !== 'changed_meanwhile' && code !== 'entitlement_ended' && code !== 'not_a_subscription') throw cause;
    return answer(notChangedPage(shown, code, call.correlationId), 409, code);
  }
}

function seeOther(location: string): PageAnswer {
  return { status: 303, content: null, cacheControl: noStore, headers: ['Location', location] };
}

interface OpenedLink {
  readonly license: LinkedLicense;
  readonly token: string;
}

function shownBy(
  { site }: BuyersParts,
  { receipts, releasesDevices }: LinkUseCases,
  { license, token }: OpenedLink,
  { now }: Call,
): ShownLink {
  const path = site.href(`/license/links/${token}`);
  const forms = { action: (verb: string) => `${path}/${verb}`, carried: null };
  const receiptTime = receipts?.time ?? null;
  return { ...site, license, now, receiptTime, releasesDevices, forms, done: nothingDone, path };
}

function openBy({ open, release }: LinkUseCases, shown: ShownLink, { call, parameters }: BuyerRequest): OpenLicense {
  const { license, words, path } = shown;
  const back = html`<div class="buttons"><a class="button" href="${path}">${words.of('backToLicense')}</a></div>`;
  const { link } = license;
  return {
    license,
    readAgain: () => open(parameters['token'] ?? '', call),
    release: (device) => release(license.entitlement.id, device, buyersCall(call, license.entitlement)),
    page: (of, done: Done) => linkPage({ ...shown, license: { ...of, link }, done }),
    receiptPage: (issued, deviceId) => receiptPage(shown, issued, deviceId, back),
  };
}
